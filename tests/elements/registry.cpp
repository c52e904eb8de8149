#include <cmath>

#include "elements/beam.hpp"
#include "elements/building.hpp"
#include "elements/example.hpp"
#include "elements/friction.hpp"
#include "elements/gear.hpp"
#include "elements/rate_law.hpp"
#include "elements/registry_loads.hpp"

namespace trunnion::elements::test {
namespace {

struct Sides {
  const char* name;
  Owner i, j;
};
constexpr Sides kSides[] = {{"rigid_rigid", Owner::rigid, Owner::rigid},
                            {"rigid_ground", Owner::rigid, Owner::ground},
                            {"ground_rigid", Owner::ground, Owner::rigid},
                            {"planar_rigid", Owner::planar, Owner::rigid},
                            {"rigid_planar", Owner::rigid, Owner::planar},
                            {"planar_planar", Owner::planar, Owner::planar},
                            {"rigid_point", Owner::rigid, Owner::point},
                            {"point_planar", Owner::point, Owner::planar},
                            {"modal_between", Owner::modal, Owner::between},
                            {"between_modal", Owner::between, Owner::modal},
                            {"flexible_rigid", Owner::flexible, Owner::rigid},
                            {"flexible_flexible", Owner::flexible, Owner::flexible}};
// No element knows these bodies: all of them meet both.
constexpr std::size_t kFirstMadeUp = 8;
std::vector<Sides> with_made_up(std::initializer_list<int> some) {
  std::vector<Sides> all;
  for (const int k : some) all.push_back(kSides[k]);
  all.insert(all.end(), std::begin(kSides) + kFirstMadeUp, std::end(kSides));
  return all;
}
bool is_made_up(const Sides& sides) { return sides.i == Owner::modal || sides.j == Owner::modal; }
bool all_free(const Sides& sides) { return is_free(sides.i) && is_free(sides.j); }

constexpr const char* kJointNames[core::kPrimitiveJointTypes] = {
    "revolute", "translational", "cylindrical", "spherical",     "universal",
    "hooke",    "fixed",         "planar",      "convel",        "atpoint",
    "inline",   "inplane",       "orientation", "parallel_axes", "perpendicular"};

// Two bodies with a marker each, in one place.
std::pair<MarkerId, MarkerId> pair(Example& e, const Sides& sides) {
  const BlockId bi = e.body(sides.i), bj = e.body(sides.j);
  const MarkerId i = e.marker(bi), j = e.marker_at(bj, i);
  e.internal = all_free(sides);
  e.pairs.push_back({i, j});
  return {i, j};
}

struct FourOwners {
  const char* name;
  std::array<Owner, 4> owner;
};
constexpr FourOwners kFourOwners[] = {
    {"", {Owner::rigid, Owner::planar, Owner::rigid, Owner::point}},
    {"_made_up", {Owner::modal, Owner::between, Owner::between, Owner::modal}}};
std::vector<MarkerId> four_markers(Example& e, const FourOwners& owners) {
  std::vector<MarkerId> ids;
  for (const Owner owner : owners.owner) ids.push_back(e.marker(e.body(owner)));
  return ids;
}

Measure unwrapped(Example& e, MeasureKind kind, MarkerId i, MarkerId j, int& memory) {
  Measure m = make_measure(kind, 0, {i, j, j, j}, e.layout, e.markers);
  if (kind == MeasureKind::az || kind == MeasureKind::rack)
    m.memory = std::exchange(memory, memory + kCountedPlaces);
  return m;
}

void add_row(Example& e, std::vector<WeightedMeasure> items, double constant, int drive) {
  e.rows.push_back(
      make_measure_row(std::move(items), constant, drive, "TEST/1", "row", assembly::kNumber, e.layout));
}

// f = sin x₁ + x₁ x₂ + ½ x₂² + x₁ x₃ − x₃²
class Curved final : public Relation {
 public:
  explicit Curved(int joints) : third_(joints > 2 ? 1.0 : 0.0) {}
  Value at(const Vector& m, bool second) const override {
    const double x = m[0], y = m[1], z = third_ * m[2];
    Value v;
    v.f = std::sin(x) + x * y + 0.5 * y * y + x * z - z * z;
    v.first.head<3>() << std::cos(x) + y + z, x + y, third_ * (x - 2.0 * z);
    if (!second) return v;
    v.second.topLeftCorner<3, 3>() << -std::sin(x), 1.0, third_, 1.0, 1.0, 0.0, third_, 0.0, -2.0 * third_;
    return v;
  }

 private:
  double third_;
};

void add_gcon(Example& e, const char* text, const std::vector<MarkerId>& ids, BlockId state) {
  const expr::Program& program = add_program(e, text);
  e.gcons.push_back(make_gcon(program, inputs_of(e, program, ids, state), "GCON/1", e.layout));
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

void loads(std::vector<Listed>& all) {
  for (const Sides& sides : kSides) {
    const auto add = [&](const std::string& name, auto build) {
      all.push_back({name + "_" + sides.name, [sides, build](Example& e) {
                       const MarkerId i = e.marker(e.body(sides.i)), j = e.marker(e.body(sides.j));
                       // Of the made-up ones it shares a node with the other that has two.
                       const MarkerId rm =
                           e.marker(e.body(is_made_up(sides) ? Owner::between : Owner::rigid));
                       build(e, i, j, rm, add_states(e));
                     }});
    };
    add("sforce_line", [](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
      Load load = make_line_load(i, j, e.layout, e.markers);
      fill(e, load, {"-3*(DM(1,2)-0.7)**3-0.4*VR(1,2)*DX(3,1,2)+VARVAL(2)*TIME"}, {i, j, rm}, z);
    });
    add("sforce_rotational", [](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
      Load load = make_load(i, j, j, {5}, e.layout, e.markers);
      fill(e, load, {"-3*SIN(AZ(1,2))-0.4*WZ(1,2,2)**3+DIF1(2)*DIF(1)"}, {i, j, rm}, z);
    });
    add("sforce_action_only", [](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId z) {
      Load load = make_load(i, MarkerTable::kGroundMarker, j, {2}, e.layout, e.markers);
      load.reaction = false;
      fill(e, load, {"2-DZ(1,2,2)*VARVAL(1)"}, {i, j}, z);
    });
    add("gforce", [](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
      Load load = make_load(i, j, rm, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
      load.j_floats = true;
      fill(e, load,
           {"DX(1,2,3)*VX(1,2,3)", "VARVAL(1)-DX(1,2,3)", "ACCZ(1,2,3)*DM(1,2)", "WDTX(1,2,3)-WX(1,2,3)",
            "DIF1(2)*DY(1,2,3)", "TIME*VM(1,2,3)"},
           {i, j, rm}, z);
    });
    add("gforce_without_accelerations", [](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
      Load load = make_load(i, j, rm, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
      load.j_floats = true;
      fill(e, load,
           {"DX(1,2,3)*VX(1,2,3,1)", "VARVAL(1)-DX(1,2,3)*WM(1,2)", "VM(1,2,3)*DM(1,2)",
            "DY(3,1,2)-WX(1,2,3)", "DIF1(2)*VY(1,2,3,2)", "TIME*SIN(AX(1,3)+AY(3,2))"},
           {i, j, rm}, z);
    });
    add("vforce_vector", [](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
      Load load = make_load(i, j, rm, {0, 1, 2}, e.layout, e.markers);
      load.j_floats = true;
      fill(e, load, {"DXYZ(1,2,3)%VXYZ(1,2,3)-VARVAL(2)*WXYZ(1,2,3)"}, {i, j, rm}, z);
    });
    add("springdamper", [](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
      Load load = make_line_load(i, j, e.layout, e.markers);
      const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
      set_linear(load, {Signal::of(make_measure(MeasureKind::dm, 0, {i, j}, e.layout, e.markers))},
                 {Signal::of(make_measure(MeasureKind::vr, 0, {i, j}, e.layout, e.markers))}, one(2.5),
                 one(0.3), one(0.8).col(0), one(0.6).col(0), e.layout);
      load.response.scale = 1.5;
      e.potential = Example::Potential::exact;
      seal(load);
      e.loads.push_back(std::move(load));
    });
    add("beam_string", [](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
      Load load = make_load(i, j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
      const BeamSection section{0.8, 0.3, 0.1, 0.2, 0.15, 1.2, 1.1, 2.0, 0.9};
      const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
      set_linear(load, displacements(i, j, 0, e.layout, e.markers), velocities(i, j, e.layout, e.markers),
                 Eigen::MatrixXd::Zero(6, 6), 0.1 * beam_stiffness(section), zero, zero, e.layout);
      load.response.law = std::make_shared<StringBeam>(section);
      load.spring.reset();
      e.potential = Example::Potential::untwisted;
      seal(load);
      e.loads.push_back(std::move(load));
    });
    add_corotations(add);
    add_kinks(add);
    add_named_loads(add);
    add_frictions(add);
    add_contacts(add);
    for (const bool symmetric : {false, true}) {
      add(symmetric ? "field_symmetric" : "field",
          [symmetric](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
            Load load = make_load(i, j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
            Eigen::MatrixXd K = random_matrix(e, 6, 6);
            if (symmetric) K = (K + K.transpose()).eval();
            set_linear(load, displacements(i, j, 0, e.layout, e.markers),
                       velocities(i, j, e.layout, e.markers), K, random_matrix(e, 6, 6),
                       random_matrix(e, 6, 1).col(0), random_matrix(e, 6, 1).col(0), e.layout);
            e.potential = symmetric ? Example::Potential::untwisted : Example::Potential::none;
            seal(load);
            e.loads.push_back(std::move(load));
          });
    }
  }
}

void equations(std::vector<Listed>& all) {
  const auto one = [&](const char* name, Dynamics dynamics, Equation::Left left, const char* text) {
    for (const FourOwners& owners : kFourOwners)
      all.push_back({std::string(name) + owners.name, [=](Example& e) {
                       const std::vector<MarkerId> ids = four_markers(e, owners);
                       const BlockId states = add_states(e);
                       const BlockId block = e.layout.add_scalars(dynamics, "EQUATION/1", {{"0", "1"}});
                       Equation equation = make_equation(block, left, e.layout);
                       const expr::Program& program = add_program(e, text);
                       std::vector<Signal> inputs = inputs_of(e, program, ids, states);
                       for (std::size_t k = 0; k < inputs.size(); ++k) {
                         if (program.inputs()[k].kind == expr::InputKind::diff_rate)
                           inputs[k] = Signal::of_state(block, 0, Level::v);
                       }
                       equation.response.add(program, std::move(inputs), 0, e.layout, equation.columns);
                       seal(equation);
                       e.equations.push_back(std::move(equation));
                     }});
  };
  one("variable", Dynamics::algebraic, Equation::Left::value,
      "DX(1,2,3)*VARVAL(1)**2-ACCX(1,2,3)*VARVAL(2)+SIN(TIME)*WM(1,3)");
  one("diff", Dynamics::first_order, Equation::Left::rate, "VR(1,4)*DIF(2)-DM(1,3)");
  one("diff_implicit", Dynamics::first_order, Equation::Left::none, "DIF1(1)**3-DIF1(1)*DIF(2)+DX(1,4,2)");
  // The rate of an algebraic state: d/dt f(t, z₁, z₂) = 0, two rates of a first-order block and one variable of its own.
  all.push_back(
      {"diff_algebraic_rate", [](Example& e) {
         e.body(Owner::rigid);
         const BlockId z = add_states(e);
         const BlockId rate = e.layout.add_scalars(Dynamics::algebraic, "DIFF/3 rate", {{"0", "1"}});
         Equation equation = make_equation(rate, Equation::Left::none, e.layout);
         const expr::Program& program = add_program(e, "DIF(1)**3*SIN(TIME)-DIF(2)*EXP(DIF(1))+DIF(2)**2");
         std::vector<RateLaw::Input> inputs;
         const auto add = [&](Signal s) {
           return equation.response.signals.add(std::move(s), e.layout, equation.columns);
         };
         for (const expr::Input& in : program.inputs()) {
           if (in.kind == expr::InputKind::time) {
             inputs.push_back({add(Signal{}), RateLaw::kOne});
             continue;
           }
           const int k = in.ids[0] - 1;
           const Signal speed = k == 0 ? Signal::of_state(z, 0, Level::v) : Signal::of_state(rate, 0);
           inputs.push_back({add(Signal::of_state(z, k)), add(speed)});
         }
         equation.response.law = std::make_shared<RateLaw>(program, std::move(inputs));
         seal(equation);
         e.equations.push_back(std::move(equation));
       }});
  all.push_back({"lse", [](Example& e) {
                   e.body(Owner::rigid);
                   const BlockId u = add_states(e, Dynamics::algebraic), x = add_states(e);
                   Equation equation = make_equation(x, Equation::Left::rate, e.layout);
                   set_linear(equation,
                              {Signal::of_state(x, 0), Signal::of_state(x, 1), Signal::of_state(u, 1),
                               Signal::of_state(u, 1)},
                              random_matrix(e, 2, 4), e.layout);
                   seal(equation);
                   e.equations.push_back(std::move(equation));
                 }});
}

// What acts on the modes of a flexible body: a factor times a shape, a force for each mode, damping by one ratio or one for each mode,
// with modes that are orthonormal or not. It reads the body itself, another one and states.
void modal_loads(std::vector<Listed>& all) {
  const auto add = [&](const char* name, auto build) {
    all.push_back({name, [build](Example& e) {
                     const BlockId body = e.body(Owner::flexible);
                     const MarkerId i = e.marker(body), j = e.marker(e.body(Owner::rigid)),
                                    k = e.marker(body);
                     build(e, e.flexible.back().modes, std::vector<MarkerId>{i, j, k}, add_states(e));
                   }});
  };
  const auto close = [](Example& e, ModalLoad load, const std::vector<std::string>& texts,
                        const std::vector<MarkerId>& ids, BlockId z, const Eigen::VectorXd& shape = {}) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const expr::Program& program = add_program(e, texts[k]);
      load.response.add(program, inputs_of(e, program, ids, z), static_cast<int>(k), e.layout, load.columns,
                        shape);
    }
    seal(load);
    e.modal_loads.push_back(std::move(load));
  };
  constexpr const char* kFactor = "DX(1,2,3)*VY(1,2,2)-VARVAL(1)*SIN(TIME)+0.3*WX(3,2,2)";
  add("modal_factor", [=](Example& e, BlockId modes, const std::vector<MarkerId>& ids, BlockId z) {
    ModalLoad load = make_modal_load("MFORCE/1", modes, 3, e.layout);
    load.response.scale = 1.7;
    close(e, std::move(load), {kFactor}, ids, z, random_matrix(e, 3, 1).col(0));
  });
  add("modal_forces", [=](Example& e, BlockId modes, const std::vector<MarkerId>& ids, BlockId z) {
    close(e, make_modal_load("MFORCE/1", modes, 3, e.layout),
          {kFactor, "ACCZ(1,2,2)*DIF(2)", "DM(1,2)**2-TIME"}, ids, z);
  });
  for (const bool orthonormal : {true, false}) {
    for (const bool one : {true, false}) {
      const char* name = orthonormal ? (one ? "modal_damping_one" : "modal_damping_each")
                                     : (one ? "modal_damping_one_full" : "modal_damping_each_full");
      add(name, [=](Example& e, BlockId modes, const std::vector<MarkerId>& ids, BlockId z) {
        ModalLoad load = make_modal_load("FLEX_BODY/1", modes, one ? 1 : 3, e.layout);
        load.damping = ModalDamping{random_matrix(e, 3, 1).col(0).cwiseAbs(),
                                    orthonormal ? Eigen::MatrixXd() : random_matrix(e, 3, 3)};
        std::vector<std::string> ratios{"0.2+DX(1,2,3)**2+0.1*VX(1,2,2)*TIME"};
        if (!one) ratios.insert(ratios.end(), {"VARVAL(1)**2", "DM(1,2)"});
        close(e, std::move(load), ratios, ids, z);
      });
    }
  }
}

// Every component of a load and of constraints, read on either side.
void readings(std::vector<Listed>& all) {
  for (const Sides& sides : with_made_up({0, 1, 2, 3, 6})) {
    const auto add = [&](const std::string& name, auto sources) {
      all.push_back(
          {"reading_" + name + "_" + sides.name, [sides, sources](Example& e) {
             const MarkerId i = e.marker(e.body(sides.i)), j = e.marker(e.body(sides.j));
             const MarkerId rm = e.marker(e.body(is_made_up(sides) ? Owner::modal : Owner::rigid));
             const BlockId z = add_states(e);
             const std::vector<ReadingSource> found = sources(e, i, j, rm, z);
             for (int c = 1; c <= 8; ++c) {
               const BlockId w = e.layout.add_scalars(Dynamics::algebraic, "reading", {{"value", "1"}});
               e.readings.push_back(make_reading(w, found, c, rm, e.layout, e.markers));
               e.readings.back().scale = 0.8;
             }
           }});
    };
    for (const bool on_j : {false, true}) {
      const std::string side = on_j ? "_on_j" : "_on_i";
      add("line" + side, [=](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
        Load load = make_line_load(i, j, e.layout, e.markers);
        fill(e, load, {"-3*(DM(1,2)-0.7)**3-0.4*VR(1,2)*DX(3,1,2)+VARVAL(1)*ACCX(1,2,3)"}, {i, j, rm}, z);
        return std::vector<ReadingSource>{{&e.loads.back(), i, on_j}};
      });
      add("field_and_joint" + side, [=](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
        Load load = make_load(i, j, rm, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
        fill(e, load,
             {"DX(1,2,3)*VX(1,2,3)", "VARVAL(1)-DX(1,2,3)", "ACCZ(1,2,3)*DM(1,2)", "WDTX(1,2,3)-WX(1,2,3)",
              "DIF1(2)*DY(1,2,3)", "TIME*VM(1,2,3)"},
             {i, j, rm}, z);
        e.joints.push_back(make_joint(JointType::translational, i, j, "JOINT/1", e.layout, e.markers));
        return std::vector<ReadingSource>{{&e.loads.back(), i, on_j}, {&e.joints.back(), on_j ? j : i, on_j}};
      });
      add("rows" + side, [=](Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
        add_row(e, {{1.0, make_measure(MeasureKind::dm, 0, {i, j}, e.layout, e.markers)}}, 0.1, -1);
        add_gcon(e, "VM(1,2,3)**2*TIME+VY(1,2,1,2)*WM(1,2)", {i, j, rm}, z);
        return std::vector<ReadingSource>{{&e.rows.back(), on_j ? j : i, on_j},
                                          {&e.gcons.back(), on_j ? j : i, on_j}};
      });
      add("curve" + side, [=](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
        e.ptcvs.push_back(make_ptcv(i, add_curve(e, false), j, "PTCV/1", e.layout, e.markers));
        return std::vector<ReadingSource>{{&e.ptcvs.back(), on_j ? j : i, on_j}};
      });
    }
  }
}

std::vector<Listed> build() {
  std::vector<Listed> all;
  for (const Owner owner : {Owner::rigid, Owner::planar, Owner::point, Owner::flexible}) {
    const char* names[] = {"", "rigid", "point", "planar", "", "", "flexible"};
    all.push_back(
        {std::string("part_") + names[static_cast<int>(owner)], [owner](Example& e) { e.body(owner); }});
  }
  for (int t = 0; t < core::kPrimitiveJointTypes; ++t) {
    // These three have all primitives between them: they meet every kind of body. The others meet two, and those that are made up.
    const auto type = static_cast<JointType>(t);
    const bool every =
        type == JointType::revolute || type == JointType::translational || type == JointType::convel;
    for (const Sides& sides :
         every ? std::vector<Sides>(std::begin(kSides), std::end(kSides)) : with_made_up({0, 1})) {
      all.push_back({std::string("joint_") + kJointNames[t] + "_" + sides.name, [t, sides](Example& e) {
                       const auto [i, j] = pair(e, sides);
                       e.joints.push_back(
                           make_joint(static_cast<JointType>(t), i, j, "JOINT/1", e.layout, e.markers));
                     }});
    }
  }
  for (const Sides& sides : with_made_up({0, 1, 4})) {
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
           e.internal = all_free(sides);
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
             e.internal = all_free(sides);
             add_row(e, std::move(items), 0.1, -1);
           }});
    }
    for (const int joints : {2, 3}) {
      all.push_back({"coupler_relation_" + std::to_string(joints) + end, [=](Example& e) {
                       const BlockId carrier = e.body(sides.j);
                       std::vector<WeightedMeasure> items;
                       int memory = 0;
                       for (int k = 0; k < joints; ++k) {
                         const MarkerId i = e.marker(e.body(sides.i)), j = e.marker_at(carrier, i);
                         const MeasureKind kind = k == 1 ? MeasureKind::dz : MeasureKind::az;
                         items.push_back({1.0, unwrapped(e, kind, i, j, memory)});
                       }
                       e.internal = all_free(sides);
                       add_row(e, std::move(items), 0.0, -1);
                       e.rows.back().relation = std::make_shared<Curved>(joints);
                     }});
    }
    all.push_back({"gear" + end, [=](Example& e) {
                     const BlockId carrier = e.body(sides.j);
                     const MarkerId cv = e.marker(carrier);
                     std::array<GearSide, 2> both;
                     for (GearSide& side : both) {
                       const MarkerId i = e.marker(e.body(sides.i)), j = e.marker_at(carrier, i);
                       // The second one is a rack or slides, and has its wheel on J.
                       const bool second = &side == &both[1];
                       side = {second ? j : i, second ? i : j, i,         j, second ? kCountedPlaces : 0,
                               second,         e.vector(),     e.vector()};
                     }
                     e.internal = all_free(sides);
                     e.rows.push_back(make_gear(both, cv, "TEST/1", e.layout, e.markers));
                   }});
  }
  const auto gcon = [&](const char* name, const char* text) {
    for (const FourOwners& owners : kFourOwners) {
      all.push_back({std::string(name) + owners.name,
                     [=](Example& e) { add_gcon(e, text, four_markers(e, owners), add_states(e)); }});
    }
  };
  gcon("gcon_linear", "DX(1,3,2) - 0.5*DY(3,4)");
  gcon("gcon_nonlinear_of_time",
       "DX(1,2,3)**2 + SIN(AZ(1,2))*TIME**2 - DM(1,4)*EXP(-TIME) + VARVAL(2)*DZ(1,3)");
  gcon("gcon_velocity_linear", "VX(1,2,3)*DM(1,3) - WZ(1,2,3) + 0.3*TIME*VR(3,4) + VARVAL(2)");
  gcon("gcon_velocity_nonlinear", "VM(1,4,2)**2*TIME + VY(1,3,2,1)*WM(1,3) - DIF1(2)*DX(1,2) + SIN(VZ(3))");
  for (const Sides& sides : with_made_up({0, 1, 3, 4})) {
    all.push_back({std::string("ptcv_") + sides.name, [=](Example& e) {
                     const MarkerId i = e.marker(e.body(sides.i)), j = e.marker(e.body(sides.j));
                     e.ptcvs.push_back(make_ptcv(i, add_curve(e, false), j, "PTCV/1", e.layout, e.markers));
                   }});
    all.push_back({std::string("cvcv_") + sides.name, [=](Example& e) {
                     const MarkerId i = e.marker(e.body(sides.i)), j = e.marker(e.body(sides.j));
                     const math::Curve& ci = add_curve(e, true);
                     const math::Curve& cj = add_curve(e, true);
                     e.cvcvs.push_back(
                         make_cvcv(ci, i, 0.1, cj, j, 0.2, Vec3::UnitZ(), "CVCV/1", e.layout, e.markers));
                   }});
  }
  loads(all);
  add_beam_elements(all);
  equations(all);
  modal_loads(all);
  add_named_equations(all);
  readings(all);
  return all;
}

}  // namespace

const std::vector<Listed>& registry() {
  static const std::vector<Listed> all = build();
  return all;
}

}  // namespace trunnion::elements::test
