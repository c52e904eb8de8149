#include "model/define.hpp"
#include "model/schema/chapters.hpp"
#include "model/schema/element.hpp"

namespace trunnion::model {

namespace {

// What each type cannot do without.
void add_needs(SchemaBuilder& graphics) {
  struct Need {
    std::string_view type;
    std::vector<std::string_view> names;
  };
  const std::vector<Need> needs = {{"ARC", {"CM", "RADIUS", "RANGLE"}},
                                   {"BOX", {"CORNER", "X", "Y", "Z"}},
                                   {"CIRCLE", {"CM", "RADIUS"}},
                                   {"CURVE", {"CID", "CRM"}},
                                   {"CYLINDER", {"CM", "LENGTH", "RADIUS"}},
                                   {"ELLIPSOID", {"CM", "XSCALE", "YSCALE", "ZSCALE"}},
                                   {"EXTERNAL", {"RM", "FILE"}},
                                   {"EXTRUSION", {"CM", "CID", "LENGTH"}},
                                   {"FORCE", {"ETYPE", "EID", "EMARKER"}},
                                   {"FRUSTUM", {"CM", "LENGTH", "TOP", "BOTTOM"}},
                                   {"PLANE", {"RM"}},
                                   {"POINT", {"RM"}},
                                   {"REVOLUTION", {"CM", "CID"}},
                                   {"SPDP", {"I", "J"}},
                                   {"TORUS", {"CM"}}};
  for (const Need& need : needs) {
    for (const std::string_view name : need.names) graphics.needs({need.type, name});
  }
}

}  // namespace

Schema graphics_schema() {
  using T = Graphics::Type;
  Define<Graphics> graphics("GRAPHICS", "", "Geometry to draw, and for CONTACT to touch.");
  graphics.acted_on()
      .group("Output")
      .dataset_only()
      .choice<&Graphics::type>(
          "type", "shape, or OUTLINE",
          {{"ARC", "", T::arc, "from x of CM, in its xy plane"},
           {"BOX", "", T::box, "one corner at CORNER, edges along its axes"},
           {"CIRCLE", "", T::circle, "in the xy plane of CM"},
           {"CURVE", "", T::curve, "a CURVE statement"},
           {"CYLINDER", "", T::cylinder, "base circle at CM, axis along its z"},
           {"ELLIPSOID", "", T::ellipsoid, "centre and axes of CM; sphere when scales are equal"},
           {"EXTERNAL", "", T::external, "solid or shell from a file"},
           {"EXTRUSION", "", T::extrusion, "solid that a closed CURVE in the xy plane of CM sweeps along z"},
           {"FORCE", "", T::force, "arrow that shows the force of an element"},
           {"FRUSTUM", "", T::frustum, "cone cut off at both ends, axis z of CM"},
           {"PLANE", "", T::plane, "rectangle in the xy plane of RM, outside is +z"},
           {"POINT", "", T::point, "origin of RM"},
           {"REVOLUTION", "", T::revolution, "solid that a CURVE in the xz plane of CM sweeps about z"},
           {"SPDP", "", T::spdp, "symbol of a spring or damper from I to J"},
           {"TORUS", "", T::torus, "ring about z of CM"}})
      .arg<&Graphics::outline>("OUTLINE", "", "markers joined by straight lines")
      .count(2, std::numeric_limits<std::size_t>::max())
      .arg<&Graphics::cm>("CM", "", "marker at the centre, or at the centre of the base")
      .arg<&Graphics::corner>("CORNER", "COR", "marker at a corner of the box")
      .arg<&Graphics::rm>("RM", "", "marker in whose axes EXTERNAL, PLANE and POINT are given")
      .arg<&Graphics::crm>("CRM", "", "marker in whose axes the curve is given")
      .arg<&Graphics::cid>("CID", "", "the curve drawn, or the one that sweeps a solid, in the axes of CM")
      .arg<&Graphics::i>("I", "I", "marker at the first end of SPDP")
      .arg<&Graphics::j>("J", "J", "marker at the second end of SPDP")
      .arg<&Graphics::x>("X", "X", "edge of the box along x, either sign")
      .unit("length")
      .arg<&Graphics::y>("Y", "Y", "edge of the box along y, either sign")
      .unit("length")
      .arg<&Graphics::z>("Z", "Z", "edge of the box along z, either sign")
      .unit("length")
      .arg<&Graphics::radius>("RADIUS", "", "radius of ARC, CIRCLE or CYLINDER")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::length>("LENGTH", "", "height of CYLINDER, FRUSTUM or EXTRUSION along z")
      .unit("length")
      .arg<&Graphics::top>("TOP", "", "radius of the far end of FRUSTUM")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::bottom>("BOTTOM", "", "radius of FRUSTUM at CM")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::rangle>("RANGLE", "", "angle covered, from x of CM")
      .unit("angle")
      .default_help("360D")
      .arg<&Graphics::sides>("SIDES", "", "lines drawn between the end circles")
      .range(kNotNegative)
      .arg<&Graphics::seg>("SEG", "", "straight pieces per circle or curve")
      .range(kNotNegative)
      .arg<&Graphics::xscale>("XSCALE", "XS", "axis of the ellipsoid along x, end to end")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::yscale>("YSCALE", "YS", "axis of the ellipsoid along y, end to end")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::zscale>("ZSCALE", "ZS", "axis of the ellipsoid along z, end to end")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::major_radius>("MAJOR_RADIUS", "", "radius of the centre circle of TORUS")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::minor_radius>("MINOR_RADIUS", "", "radius of the tube of TORUS")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::xmin>("XMIN", "", "lower edge of PLANE along x")
      .unit("length")
      .arg<&Graphics::xmax>("XMAX", "", "upper edge of PLANE along x")
      .unit("length")
      .arg<&Graphics::ymin>("YMIN", "", "lower edge of PLANE along y")
      .unit("length")
      .arg<&Graphics::ymax>("YMAX", "", "upper edge of PLANE along y")
      .unit("length")
      .arg<&Graphics::file>("FILE", "", "file with the solid or shell")
      .arg<&Graphics::element>("ELEMENT", "", "name of the body inside FILE")
      .default_help("all of them")
      .arg<&Graphics::faceting_tolerance>("FACETING_TOLERANCE", "",
                                          "fineness of the triangles for contact; larger is finer")
      .range(kPositive)
      .default_help("CONTACT_FACETING_TOLERANCE of PREFERENCES")
      .word<&Graphics::etype>("ETYPE", "", "type of the element whose force is drawn",
                              {{"BEAM", "", element<Beam>()},
                               {"BUSHING", "", element<Bushing>()},
                               {"CONTACT", "", element<Contact>()},
                               {"CVCV", "", element<Cvcv>()},
                               {"FIELD", "", element<Field>()},
                               {"FRICTION", "", element<Friction>()},
                               {"GFORCE", "", element<Gforce>()},
                               {"JOINT", "", element<Joint>()},
                               {"JPRIM", "", element<Jprim>()},
                               {"MOTION", "", element<Motion>()},
                               {"NFORCE", "", element<Nforce>()},
                               {"PTCV", "", element<Ptcv>()},
                               {"SFORCE", "", element<Sforce>()},
                               {"SPRINGDAMPER", "", element<SpringDamper>()},
                               {"VFORCE", "", element<Vforce>()},
                               {"VTORQUE", "", element<Vtorque>()}})
      .arg<&Graphics::eid>("EID", "", "id of that element")
      .arg<&Graphics::emarker>("EMARKER", "", "marker where the arrow starts")
      .arg<&Graphics::coils>("COILS", "", "turns of the spring; 0 draws no spring")
      .range(kNotNegative)
      .arg<&Graphics::da>("DA", "", "diameter of the spring")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::db>("DB", "", "diameter of the damper at J")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::dc>("DC", "", "diameter of the damper at I")
      .unit("length")
      .range(kNotNegative)
      .arg<&Graphics::la>("LA", "", "straight end of the spring at I")
      .unit("length")
      .arg<&Graphics::lb>("LB", "", "straight end of the spring at J")
      .unit("length")
      .arg<&Graphics::lc>("LC", "", "length of the damper's part at I")
      .unit("length")
      .arg<&Graphics::ld>("LD", "", "length of the damper's part at J")
      .unit("length")
      .exactly_one({"ARC", "BOX", "CIRCLE", "CURVE", "CYLINDER", "ELLIPSOID", "EXTERNAL", "EXTRUSION",
                    "FORCE", "FRUSTUM", "PLANE", "POINT", "REVOLUTION", "SPDP", "TORUS", "OUTLINE"});
  add_needs(graphics);
  return graphics;
}

}  // namespace trunnion::model
