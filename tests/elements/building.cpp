#include "elements/building.hpp"

namespace trunnion::elements::test {

const expr::Program& add_program(Example& e, const std::string& text) {
  expr::CompileResult result = expr::compile(text);
  if (!result.program) throw std::runtime_error("bad test expression " + text);
  e.programs.push_back(std::make_unique<expr::Program>(std::move(*result.program)));
  if (!e.programs.back()->bind(e.tables).empty()) throw std::runtime_error("no spline for " + text);
  return *e.programs.back();
}

std::vector<Signal> inputs_of(Example& e, const expr::Program& program, const std::vector<MarkerId>& ids,
                              BlockId states) {
  std::vector<Signal> inputs;
  const auto id = [&](int n) {
    return n == 0 ? MarkerTable::kGroundMarker : ids[static_cast<std::size_t>(n) - 1];
  };
  for (const expr::Input& in : program.inputs()) {
    Signal input;
    if (in.kind == expr::InputKind::measure) {
      const std::string name = in.name();
      const MeasureKind kind = measure_kind(name.substr(0, name.find('('))).value();
      const bool third_is_l = kind == MeasureKind::vm || kind == MeasureKind::accm;
      input = Signal::of(make_measure(kind, 0,
                                      {id(in.ids[0]), id(in.ids[1]), id(third_is_l ? 0 : in.ids[2]),
                                       id(third_is_l ? in.ids[2] : in.ids[3])},
                                      e.layout, e.markers));
    } else if (in.kind != expr::InputKind::time) {
      input = Signal::of_state(states, in.ids[0] - 1,
                               in.kind == expr::InputKind::diff_rate ? Level::v : Level::q);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

void fill(Example& e, Load& load, const std::vector<std::string>& texts, const std::vector<MarkerId>& ids,
          BlockId states) {
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const expr::Program& program = add_program(e, texts[k]);
    load.response.add(program, inputs_of(e, program, ids, states), static_cast<int>(k), e.layout,
                      load.columns);
  }
  seal(load);
  e.loads.push_back(std::move(load));
}

BlockId add_states(Example& e, Dynamics dynamics) {
  return e.layout.add_scalars(dynamics, "STATES/1", {{"0", "1"}, {"1", "1"}});
}

Eigen::MatrixXd random_matrix(Example& e, int rows, int cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return e.uniform(-2.0, 2.0); });
}

void add_kinks_of(Example& e, const std::vector<std::string>& texts, const std::vector<MarkerId>& ids,
                  BlockId states) {
  for (const std::string& text : texts) {
    Example::Kink kink;
    const expr::Program& program = add_program(e, text);
    kink.response.add(program, inputs_of(e, program, ids, states), 0, e.layout, kink.columns);
    e.kinks.push_back(std::move(kink));
  }
}

}  // namespace trunnion::elements::test
