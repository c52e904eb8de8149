#include <cmath>

#include "elements/example.hpp"

namespace trunnion::elements::test {
namespace {

struct Sides {
  const char* name;
  Owner i, j;
};
constexpr Sides kSides[] = {
    {"rigid_rigid", Owner::rigid, Owner::rigid},   {"rigid_ground", Owner::rigid, Owner::ground},
    {"ground_rigid", Owner::ground, Owner::rigid}, {"planar_rigid", Owner::planar, Owner::rigid},
    {"rigid_planar", Owner::rigid, Owner::planar}, {"planar_planar", Owner::planar, Owner::planar},
    {"rigid_point", Owner::rigid, Owner::point},   {"point_planar", Owner::point, Owner::planar}};

constexpr const char* kJointNames[kJointTypes] = {"revolute",    "translational", "cylindrical",  "spherical",
                                                  "universal",   "hooke",         "fixed",        "planar",
                                                  "convel",      "atpoint",       "inline",       "inplane",
                                                  "orientation", "parallel_axes", "perpendicular"};

// Two bodies with a marker each, in one place.
std::pair<MarkerId, MarkerId> pair(Example& e, const Sides& sides) {
  const BlockId bi = e.body(sides.i), bj = e.body(sides.j);
  const MarkerId i = e.marker(bi), j = e.marker_at(bj, i);
  e.internal = sides.i == Owner::rigid && sides.j == Owner::rigid;
  e.pairs.push_back({i, j});
  return {i, j};
}

Measure unwrapped(Example& e, MeasureKind kind, MarkerId i, MarkerId j, int& memory) {
  Measure m = make_measure(kind, 0, {i, j, j, j}, e.layout, e.markers);
  if (kind == MeasureKind::az || kind == MeasureKind::rack) m.memory = memory++;
  return m;
}

void add_row(Example& e, std::vector<WeightedMeasure> items, double constant, int drive) {
  e.rows.push_back(make_measure_row(std::move(items), constant, drive, "TEST/1", "row", "1", e.layout));
}

// Programs refer to markers 1, 2, 3 … = the ids in `ids`.
void add_gcon(Example& e, const char* text, const std::vector<MarkerId>& ids, BlockId state) {
  expr::CompileResult result = expr::compile(text);
  if (!result.program) throw std::runtime_error(std::string("bad test expression ") + text);
  e.programs.push_back(std::make_unique<expr::Program>(std::move(*result.program)));
  const expr::Program& program = *e.programs.back();
  std::vector<GconInput> inputs;
  const auto id = [&](int n) {
    return n == 0 ? MarkerTable::kGroundMarker : ids[static_cast<std::size_t>(n) - 1];
  };
  for (const expr::Input& in : program.inputs()) {
    GconInput input;
    if (in.kind == expr::InputKind::measure) {
      const std::string name = in.name();
      const MeasureKind kind = measure_kind(name.substr(0, name.find('('))).value();
      const bool third_is_l = kind == MeasureKind::vm;
      input.kind = GconInput::Kind::measure;
      input.measure = make_measure(kind, 0,
                                   {id(in.ids[0]), id(in.ids[1]), id(third_is_l ? 0 : in.ids[2]),
                                    id(third_is_l ? in.ids[2] : in.ids[3])},
                                   e.layout, e.markers);
    } else if (in.kind == expr::InputKind::variable || in.kind == expr::InputKind::diff_rate) {
      input.kind = GconInput::Kind::state;
      input.state = state;
      input.component = 1;
      input.level = in.kind == expr::InputKind::variable ? Level::q : Level::v;
    }
    inputs.push_back(std::move(input));
  }
  e.gcons.push_back(make_gcon(program, std::move(inputs), "GCON/1", e.layout));
}

const math::Curve& add_curve(Example& e, bool closed) {
  std::vector<math::Point> points;
  for (int k = 0; k < 9; ++k) {
    const double s = 2.0 * M_PI * k / 8.0;
    points.push_back(
        {std::cos(s) * (1.0 + 0.2 * std::sin(s)), 0.7 * std::sin(s), closed ? 0.0 : 0.3 * std::sin(2.0 * s)});
  }
  std::string error;
  // Order 6 control points: four continuous derivatives, so that differences across a knot are still accurate.
  auto curve = math::Curve::from_control_points(points, 6, closed, error);
  if (!curve) throw std::runtime_error(error);
  e.curves.push_back(std::make_unique<math::Curve>(std::move(*curve)));
  return *e.curves.back();
}

std::vector<Listed> build() {
  std::vector<Listed> all;
  for (const Owner owner : {Owner::rigid, Owner::planar, Owner::point}) {
    const char* names[] = {"", "rigid", "point", "planar"};
    all.push_back(
        {std::string("part_") + names[static_cast<int>(owner)], [owner](Example& e) { e.body(owner); }});
  }
  for (int t = 0; t < kJointTypes; ++t) {
    // These three have all primitives between them: they meet every kind of body. The others meet two.
    const auto type = static_cast<JointType>(t);
    const bool every =
        type == JointType::revolute || type == JointType::translational || type == JointType::convel;
    for (const Sides& sides : every ? std::span<const Sides>(kSides) : std::span<const Sides>(kSides, 2)) {
      all.push_back({std::string("joint_") + kJointNames[t] + "_" + sides.name, [t, sides](Example& e) {
                       const auto [i, j] = pair(e, sides);
                       e.joints.push_back(
                           make_joint(static_cast<JointType>(t), i, j, "JOINT/1", e.layout, e.markers));
                     }});
    }
  }
  for (const Sides& sides : {kSides[0], kSides[1], kSides[4]}) {
    const std::string end = std::string("_") + sides.name;
    for (const MeasureKind kind : {MeasureKind::dx, MeasureKind::dy, MeasureKind::dz, MeasureKind::az,
                                   MeasureKind::b1, MeasureKind::b2, MeasureKind::b3}) {
      all.push_back({"motion_" + std::string(measure_name(kind)) + end, [=](Example& e) {
                       const auto [i, j] = pair(e, sides);
                       int memory = 0;
                       e.drives = 2;
                       add_row(e, {{1.0, unwrapped(e, kind, i, j, memory)}}, 0.0, 1);
                     }});
    }
    all.push_back({"screw" + end, [=](Example& e) {
                     const auto [i, j] = pair(e, sides);
                     int memory = 0;
                     add_row(e,
                             {{1.0, unwrapped(e, MeasureKind::dz, i, j, memory)},
                              {-0.05 / (2.0 * M_PI), unwrapped(e, MeasureKind::az, i, j, memory)}},
                             0.0, -1);
                   }});
    all.push_back({"rackpin" + end, [=](Example& e) {
                     const auto [i, j] = pair(e, sides);
                     int memory = 0;
                     add_row(e,
                             {{1.0, unwrapped(e, MeasureKind::dz, i, j, memory)},
                              {0.3, unwrapped(e, MeasureKind::rack, i, j, memory)}},
                             0.0, -1);
                   }});
    all.push_back(
        {"distance" + end, [=](Example& e) {
           const BlockId bi = e.body(sides.i), bj = e.body(sides.j);
           const MarkerId i = e.marker(bi), j = e.marker(bj);
           e.internal = sides.i == Owner::rigid && sides.j == Owner::rigid;
           e.pairs.push_back({i, j});
           add_row(e, {{1.0, make_measure(MeasureKind::dm, 0, {i, j, j, j}, e.layout, e.markers)}}, 0.7, -1);
         }});
    for (const int joints : {2, 3}) {
      all.push_back(
          {"coupler_" + std::to_string(joints) + end, [=](Example& e) {
             const BlockId carrier = e.body(sides.j);
             std::vector<WeightedMeasure> items;
             int memory = 0;
             for (int k = 0; k < joints; ++k) {
               const MarkerId i = e.marker(e.body(sides.i)), j = e.marker_at(carrier, i);
               items.push_back(
                   {1.0 - 0.7 * k, unwrapped(e, k == 1 ? MeasureKind::dz : MeasureKind::az, i, j, memory)});
             }
             e.internal = sides.i == Owner::rigid && sides.j == Owner::rigid;
             add_row(e, std::move(items), 0.1, -1);
           }});
    }
    all.push_back({"gear" + end, [=](Example& e) {
                     const BlockId carrier = e.body(sides.j);
                     std::vector<WeightedMeasure> items;
                     int memory = 0;
                     for (int k = 0; k < 2; ++k) {
                       const MarkerId i = e.marker(e.body(sides.i)), j = e.marker_at(carrier, i);
                       const double b =
                           gear_coefficient(true, e.vector(), e.vector(), e.vector(), e.vector());
                       items.push_back({k == 0 ? b : -b, unwrapped(e, MeasureKind::az, i, j, memory)});
                     }
                     e.internal = sides.i == Owner::rigid && sides.j == Owner::rigid;
                     add_row(e, std::move(items), 0.0, -1);
                   }});
  }
  const auto gcon = [&](const char* name, const char* text) {
    all.push_back({name, [text](Example& e) {
                     std::vector<MarkerId> ids;
                     for (const Owner owner : {Owner::rigid, Owner::planar, Owner::rigid, Owner::point})
                       ids.push_back(e.marker(e.body(owner)));
                     const BlockId states = e.layout.add_scalars(assembly::BlockKind::first_order,
                                                                 "VARIABLE/1", {{"a", "1"}, {"b", "1"}});
                     e.body_x.resize(static_cast<std::size_t>(e.layout.block_count()), Vec3::Zero());
                     e.body_R.resize(static_cast<std::size_t>(e.layout.block_count()), Quat::Identity());
                     add_gcon(e, text, ids, states);
                   }});
  };
  gcon("gcon_linear", "DX(1,3,2) - 0.5*DY(3,4)");
  gcon("gcon_nonlinear_of_time",
       "DX(1,2,3)**2 + SIN(AZ(1,2))*TIME**2 - DM(1,4)*EXP(-TIME) + VARVAL(1)*DZ(1,3)");
  gcon("gcon_velocity_linear", "VX(1,2,3)*DM(1,3) - WZ(1,2,3) + 0.3*TIME*VR(3,4) + VARVAL(1)");
  gcon("gcon_velocity_nonlinear", "VM(1,4,2)**2*TIME + VY(1,3,2,1)*WM(1,3) - DIF1(1)*DX(1,2) + SIN(VZ(3))");
  for (const Sides& sides : {kSides[0], kSides[1], kSides[3], kSides[4]}) {
    all.push_back({std::string("ptcv_") + sides.name, [=](Example& e) {
                     const MarkerId i = e.marker(e.body(sides.i)), j = e.marker(e.body(sides.j));
                     e.ptcvs.push_back(make_ptcv(i, add_curve(e, false), j, "PTCV/1", e.layout, e.markers));
                     e.body_x.resize(static_cast<std::size_t>(e.layout.block_count()), Vec3::Zero());
                     e.body_R.resize(static_cast<std::size_t>(e.layout.block_count()), Quat::Identity());
                   }});
    all.push_back({std::string("cvcv_") + sides.name, [=](Example& e) {
                     const MarkerId i = e.marker(e.body(sides.i)), j = e.marker(e.body(sides.j));
                     const math::Curve& ci = add_curve(e, true);
                     const math::Curve& cj = add_curve(e, true);
                     e.cvcvs.push_back(
                         make_cvcv(ci, i, 0.1, cj, j, 0.2, Vec3::UnitZ(), "CVCV/1", e.layout, e.markers));
                     e.body_x.resize(static_cast<std::size_t>(e.layout.block_count()), Vec3::Zero());
                     e.body_R.resize(static_cast<std::size_t>(e.layout.block_count()), Quat::Identity());
                   }});
  }
  return all;
}

}  // namespace

const std::vector<Listed>& registry() {
  static const std::vector<Listed> all = build();
  return all;
}

}  // namespace trunnion::elements::test
