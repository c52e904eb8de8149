// Statements that are special cases of a general element, by name, built as compile() builds them; and user code.

#include "../../include/trunnion_user.h"
#include "elements/building.hpp"
#include "elements/registry_loads.hpp"
#include "elements/user_law.hpp"

namespace trunnion::elements::test {
namespace {

Signal memory_at(int place) {
  Signal s;
  s.kind = Signal::Kind::memory;
  s.place = place;
  return s;
}

// F = −K x − C ẋ + preload, three and three.
void bushing(Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
  Load load = make_load(i, j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
  const auto diagonal = [&] { return Eigen::MatrixXd(random_matrix(e, 6, 1).col(0).asDiagonal()); };
  set_linear(load, displacements(i, j, 0, e.layout, e.markers), velocities(i, j, e.layout, e.markers),
             diagonal(), diagonal(), Eigen::VectorXd::Zero(6), random_matrix(e, 6, 1).col(0), e.layout);
  seal(load);
  e.loads.push_back(std::move(load));
}

// Two markers, each load reading the displacements of both.
void nforce(Example& e, MarkerId i, MarkerId j, MarkerId other, BlockId) {
  const MarkerId at[] = {i, other};
  std::vector<Signal> x, rates;
  for (int k = 0; k < 2; ++k) {
    for (Signal& s : displacements(at[k], j, 3 * kCountedPlaces * k, e.layout, e.markers))
      x.push_back(std::move(s));
    for (Signal& s : velocities(at[k], j, e.layout, e.markers)) rates.push_back(std::move(s));
  }
  const Eigen::MatrixXd K = random_matrix(e, 12, 12), C = 0.1 * random_matrix(e, 12, 12);
  const Eigen::VectorXd free = random_matrix(e, 12, 1).col(0);
  for (int k = 0; k < 2; ++k) {
    Load load = make_load(at[k], j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
    set_linear(load, x, rates, K.middleRows(6 * k, 6), C.middleRows(6 * k, 6), free, Eigen::VectorXd::Ones(6),
               e.layout);
    load.spring.reset();
    seal(load);
    e.loads.push_back(std::move(load));
  }
}

void vtorque(Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
  Load load = make_load(i, j, rm, {3, 4, 5}, e.layout, e.markers);
  load.j_floats = true;
  fill(e, load, {"-SIN(AX(1,2))*WX(1,2,3)", "VARVAL(1)*DY(1,2,3)-WY(1,2,3)**2", "TIME*WDTZ(1,2,3)+DIF1(2)"},
       {i, j, rm}, z);
}

// c₀ = p (x³ − v x),  c₁ = z₁ x + t, with the partials of all it reads.
void user_routine(trunnion_context* c, int, double time, const double* par, int, int dflag, int,
                  double* result) {
  const double x = trunnion_read(c, "DM", 2, 1, 2), v = trunnion_read(c, "VR", 2, 1, 2),
               z = trunnion_read(c, "DIF", 1, 1);
  result[0] = par[0] * (x * x * x - v * x);
  result[1] = z * x + time;
  if (dflag == 0) return;
  trunnion_partial(c, 0, par[0] * (3 * x * x - v), "DM", 2, 1, 2);
  trunnion_partial(c, 0, -par[0] * x, "VR", 2, 1, 2);
  trunnion_partial(c, 1, z, "DM", 2, 1, 2);
  trunnion_partial(c, 1, x, "DIF", 1, 1);
}

void user_force(Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
  Load load = make_load(i, j, rm, {0, 4}, e.layout, e.markers);
  load.j_floats = true;
  Signals& signals = load.response.signals;
  const auto add = [&](Signal s) { return signals.add(std::move(s), e.layout, load.columns); };
  add(Signal{});  // TIME
  std::vector<DeclaredRead> reads = {
      {{"DM", {1, 2}}, {add(Signal::of(make_measure(MeasureKind::dm, 0, {i, j}, e.layout, e.markers)))}},
      {{"VR", {1, 2}}, {add(Signal::of(make_measure(MeasureKind::vr, 0, {i, j}, e.layout, e.markers)))}},
      {{"DIF", {1}}, {add(Signal::of_state(z, 0))}}};
  UserRoutine routine;
  routine.function = &user_routine;
  routine.owner = "GFORCE/1";
  routine.parameters = {0.7};
  routine.results = 2;
  load.response.law = std::make_shared<UserLaw>(std::move(routine), std::move(reads), 0, 2);
  seal(load);
  e.loads.push_back(std::move(load));
}

// Two rates and one output of two states, a sampled one and an input; its partials go with the array.
void gse_routine(trunnion_context* c, int, double time, const double*, int, int dflag, int, double* result) {
  double x[2], kept[1], u[1];
  trunnion_read_array(c, x, 2, "ARRAY", 1, 1);
  trunnion_read_array(c, kept, 1, "ARRAY", 1, 2);
  trunnion_read_array(c, u, 1, "ARRAY", 1, 3);
  result[0] = x[1] * x[0] - u[0] * time;
  result[1] = kept[0] * x[0] - x[1] * x[1] * x[1];
  result[2] = x[0] * u[0] + kept[0];
  if (dflag == 0) return;
  trunnion_partial_array(c, 0, 0, x[1], "ARRAY", 1, 1);
  trunnion_partial_array(c, 0, 1, x[0], "ARRAY", 1, 1);
  trunnion_partial_array(c, 0, 0, -time, "ARRAY", 1, 3);
  trunnion_partial_array(c, 1, 0, kept[0], "ARRAY", 1, 1);
  trunnion_partial_array(c, 1, 1, -3 * x[1] * x[1], "ARRAY", 1, 1);
  trunnion_partial_array(c, 2, 0, u[0], "ARRAY", 1, 1);
  trunnion_partial_array(c, 2, 0, x[0], "ARRAY", 1, 3);
}

void gse(Example& e) {
  const MarkerId i = e.marker(e.body(Owner::rigid)), j = e.marker(e.body(Owner::rigid));
  e.memory = {0.6};  // the sampled state
  const BlockId x = add_states(e),
                y = e.layout.add_scalars(Dynamics::algebraic, "GSE/1 outputs", {{"0", "1"}});
  const auto equation = [&](BlockId block, Equation::Left left, int first, int count) {
    Equation eq = make_equation(block, left, e.layout);
    const auto add = [&](Signal s) { return eq.response.signals.add(std::move(s), e.layout, eq.columns); };
    add(Signal{});  // TIME
    std::vector<DeclaredRead> reads = {
        {{"ARRAY", {1}}, {add(Signal::of_state(x, 0)), add(Signal::of_state(x, 1))}},
        {{"ARRAY", {2}}, {add(memory_at(0))}},
        {{"ARRAY", {3}},
         {add(Signal::of(make_measure(MeasureKind::dx, 0, {i, j, j}, e.layout, e.markers)))}}};
    UserRoutine routine;
    routine.function = &gse_routine;
    routine.owner = "GSE/1";
    routine.results = 3;
    eq.response.law = std::make_shared<UserLaw>(std::move(routine), std::move(reads), first, count);
    seal(eq);
    e.equations.push_back(std::move(eq));
  };
  equation(x, Equation::Left::rate, 0, 2);
  equation(y, Equation::Left::value, 2, 1);
}

// Third order over third: feed-through.
void tfsiso(Example& e) {
  e.body(Owner::rigid);
  const BlockId u = add_states(e, Dynamics::algebraic);
  const BlockId x =
      e.layout.add_scalars(Dynamics::first_order, "TFSISO/1", {{"1", "1"}, {"2", "1"}, {"3", "1"}});
  const BlockId y = e.layout.add_scalars(Dynamics::algebraic, "TFSISO/1 output", {{"0", "1"}});
  const StateSpace s = controllable_form({e.uniform(), e.uniform(), 0.3, e.uniform()},
                                         {e.uniform(), e.uniform(), e.uniform(), e.uniform(0.5, 1.0)});
  std::vector<Signal> signals;
  for (int k = 0; k < 3; ++k) signals.push_back(Signal::of_state(x, k));
  signals.push_back(Signal::of_state(u, 1));
  const auto equation = [&](BlockId block, Equation::Left left, const Eigen::MatrixXd& by_x,
                            const Eigen::MatrixXd& by_u) {
    Equation eq = make_equation(block, left, e.layout);
    Eigen::MatrixXd both(by_x.rows(), by_x.cols() + by_u.cols());
    both << by_x, by_u;
    set_linear(eq, signals, both, e.layout);
    seal(eq);
    e.equations.push_back(std::move(eq));
  };
  equation(x, Equation::Left::rate, s.A, s.B);
  equation(y, Equation::Left::value, s.C, s.D);
}

}  // namespace

void add_named_loads(const AddLoad& add) {
  add("bushing", bushing);
  add("nforce", nforce);
  add("vtorque", vtorque);
  add("user_force", user_force);
}

void add_named_equations(std::vector<Listed>& all) {
  all.push_back({"tfsiso", tfsiso});
  all.push_back({"gse", gse});
}

}  // namespace trunnion::elements::test
