#pragma once
// Statements about what is shown and written: graphics, requests, result files.

#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

struct Curve;
struct Marker;
struct Variable;

// A statement type named by an argument. The value is the index of its Kind: Kind{graphics.etype.index}.
enum class ElementKind : int {};

// Geometry to draw, and to touch by CONTACT.
struct Graphics : Statement {
  // clang-format off
  enum class Type {
    arc, box, circle, curve, cylinder, ellipsoid, external, extrusion, force, frustum, plane, point, revolution, spdp, torus
  };
  // clang-format on
  Choice<Type> type;
  RefList<Marker> outline;                // polyline; stands in place of a type
  Ref<Marker> cm, corner, rm, crm, i, j;  // see the schema for which type uses which
  Ref<Curve> cid;
  std::optional<double> x, y, z;         // BOX, length, any sign
  std::optional<double> radius, length;  // length
  std::optional<double> top, bottom;     // FRUSTUM radii, length
  std::optional<double> rangle;          // angle
  std::optional<int> sides, seg;
  std::optional<double> xscale, yscale, zscale;      // ELLIPSOID axes, end to end, length
  std::optional<double> major_radius, minor_radius;  // TORUS, length
  std::optional<double> xmin, xmax, ymin, ymax;      // PLANE, length
  std::optional<std::string> file, element;          // EXTERNAL
  std::optional<double> faceting_tolerance;          // larger is finer
  Choice<ElementKind> etype;                         // FORCE: element whose force is drawn
  std::optional<int> eid;                            // its id among the statements of type etype
  Ref<Marker> emarker;
  std::optional<int> coils;              // SPDP
  std::optional<double> da, db, dc;      // SPDP diameters, length
  std::optional<double> la, lb, lc, ld;  // SPDP straight lengths, length
};

enum class Quantity { displacement, velocity, acceleration, force };

// Up to eight components at every output step.
struct Request : Statement {
  Choice<Quantity> quantity;
  Ref<Marker> i, j, rm;
  Expression f1, f2, f3, f4, f5, f6, f7, f8;
  Expression function;
  std::optional<std::string> routine;
  RefList<Variable> variables;
  std::optional<std::string> comment;
  std::optional<std::string> title;                  // c1:c2:…:c8
  std::vector<std::string> cnames, cunits, clabels;  // "" leaves a component out
  std::optional<std::string> results_name;
};

struct Mrequest : Statement {
  Choice<Quantity> quantity;
  std::vector<std::string> parts, joints, jprims;  // ids, or ALL
  std::vector<std::string> appfors;                // ids of forces of any type, or ALL
  Ref<Marker> rm;
  std::optional<std::string> comment;
};

// The results file.
struct Results : Statement {
  bool formatted = false;
  bool xrf = false;  // wins over formatted
  std::optional<int> decimalplaces;
  std::optional<std::string> comment;
  bool noaccelerations = false, noappliedforces = false, nocontacts = false, nodatastructures = false;
  bool nodisplacements = false, nofeparts = false, noflexbodies = false, nofloatingmarkers = false;
  bool nolinear = false, noreactionforces = false, norequests = false, nosystemelements = false;
  bool notires = false, novelocities = false;
};

// The other output files. A switch is given by a word or by NO and the word.
struct Output : Statement {
  enum class Format { abaqus, ansys, csv, dac, generic, nastran, punch, rpc };
  Choice<Switch> reqsave, grsave, gr521sav, dacsave, rpcsave, matsave;
  Choice<Switch> print, separator, osformat, ypr, teletype, fixed, chart, plot;
  std::vector<double> dscale, vscale, ascale, fscale;  // factors for translation, rotation
  std::optional<double> dzero, vzero, azero, fzero;    // print less than this as 0
  Choice<Format> loads, modal_deformation, nodal_deformation, strain, stress;
};

}  // namespace trunnion::model
