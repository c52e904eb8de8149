#include "elements/example.hpp"

#include "assembly/carriers/modal.hpp"
#include "elements/made_up.hpp"
#include "elements/mode_points.hpp"

namespace trunnion::elements::test {

BlockId Example::body(Owner owner) {
  if (owner == Owner::ground) return assembly::kGround;
  if (owner == Owner::flexible) return flexible_body();
  if (owner == Owner::modal) {
    const BlockId frame = body(Owner::rigid);
    const BlockId modes = layout.add_scalars(Dynamics::second_order, layout.block(frame).owner,
                                             {{"mode 1", "1"}, {"mode 2", "1"}});
    made_up_[frame.index] = {owner, modes};
    amplitudes_[modes.index] = {uniform(-0.8, 0.8), uniform(-0.8, 0.8)};
    return frame;
  }
  if (owner == Owner::between) {
    const BlockId node = body(Owner::rigid);
    if (!last_node_.valid()) last_node_ = body(Owner::rigid);
    made_up_[node.index] = {owner, last_node_};
    return node;
  }
  const std::string name = "PART/" + std::to_string(bodies.size() + 2);
  Vec3 x = vector();
  Quat R = rotation();
  BlockId id;
  switch (owner) {
    case Owner::rigid: id = layout.add_rigid(name); break;
    case Owner::point:
      id = layout.add_point(name);
      R = Quat::Identity();
      break;
    default: id = layout.add_planar(name, assembly::make_plane(x, R, vector().normalized())); break;
  }
  body_x.resize(static_cast<std::size_t>(id.index) + 1, Vec3::Zero());
  body_R.resize(static_cast<std::size_t>(id.index) + 1, Quat::Identity());
  body_x.back() = x;
  body_R.back() = R;
  bodies.push_back(id);
  Body b;
  b.block = id;
  b.mass = uniform(0.5, 2.0);
  const Mat3 A = rotation().toRotationMatrix();
  b.J = A * Vec3(uniform(0.4, 0.6), uniform(0.5, 0.7), uniform(0.3, 0.5)).asDiagonal() * A.transpose();
  b.gravity = Vec3(0.3, -0.2, -9.81);
  masses.push_back(b);
  return id;
}

// Points with masses and random shapes, and all that geometric stiffening can add; the frame's own mass goes into them.
BlockId Example::flexible_body() {
  constexpr int kModes = 3;
  const BlockId frame = body(Owner::rigid);
  masses.pop_back();
  const BlockId modes = layout.add_scalars(Dynamics::second_order, layout.block(frame).owner,
                                           {{"mode 1", "1"}, {"mode 2", "1"}, {"mode 3", "1"}});
  made_up_[frame.index] = {Owner::flexible, modes};
  amplitudes_[modes.index] = {uniform(-0.4, 0.4), uniform(-0.4, 0.4), uniform(-0.4, 0.4)};
  const auto drawn = [&](int count) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(count, kModes, [&] { return uniform(); }));
  };
  std::vector<ModePoint> points;
  for (int k = 0; k < 5; ++k) points.push_back({uniform(0.5, 2.0), vector(), drawn(3)});
  ModalInvariants invariants = invariants_of(points);
  const Eigen::MatrixXd A = drawn(kModes), B = drawn(kModes);
  invariants.K = A * A.transpose();
  invariants.D = B * B.transpose();
  invariants.geometric = 0.3 * drawn(12 * kModes);
  ModalBody flexible_one;
  flexible_one.frame = frame;
  flexible_one.modes = modes;
  flexible_one.data = std::make_shared<const ModalData>(make_modal_data(invariants));
  flexible_one.gravity = Vec3(0.3, -0.2, -9.81);
  flexible.push_back(std::move(flexible_one));
  return frame;
}

MarkerId Example::marker(BlockId body) {
  const Vec3 p = vector(0.5);
  const Mat3 R = rotation().toRotationMatrix();
  if (made_up_.count(body.index) == 0) return markers.add({body, p, R});
  return markers.add(made_up_marker(body, p, R, nullptr));
}

MarkerId Example::marker_at(BlockId body, MarkerId other) {
  const Vec3 p = place(markers[other]);
  const Mat3 R_BM = rotation().toRotationMatrix();
  if (made_up_.count(body.index) != 0) return markers.add(made_up_marker(body, Vec3::Zero(), R_BM, &p));
  if (!body.valid()) return markers.add({body, p, R_BM});
  const auto b = static_cast<std::size_t>(body.index);
  return markers.add({body, body_R[b].conjugate() * (p - body_x[b]), R_BM});
}

MarkerDef Example::made_up_marker(BlockId body, const Vec3& at, const Mat3& R, const Vec3* coincides) {
  const MadeUp& made_up = made_up_.at(body.index);
  MarkerDef def{body, at, R, nullptr};
  const auto unit = [&] { return Vec3(vector().normalized()); };
  const auto missing = [&](double weight) {
    return Vec3(body_R[static_cast<std::size_t>(body.index)].conjugate() * (*coincides - place(def)) /
                weight);
  };
  if (made_up.owner == Owner::flexible) {
    assembly::NodeShape shape;
    shape.s = at - vector(0.3);
    shape.modes = Eigen::MatrixXd::NullaryExpr(6, 3, [&] { return uniform(-0.6, 0.6); });
    def.carrier = assembly::modal_carrier(body, made_up.second, shape);
    if (coincides == nullptr) return def;
    const Vec3 more = missing(1.0);
    shape.s += more;
    def.p_BM += more;
    def.carrier = assembly::modal_carrier(body, made_up.second, shape);
    return def;
  }
  if (made_up.owner == Owner::modal) {
    ModalShape shape{at, vector(0.5), vector(0.5), vector(0.5), unit(), unit()};
    def.carrier = modal_carrier(body, made_up.second, shape);
    if (coincides == nullptr) return def;
    shape.p0 += missing(1.0);
    def.carrier = modal_carrier(body, made_up.second, shape);
    return def;
  }
  BetweenShape shape{uniform(0.2, 0.7), uniform(0.3, 0.8), at, vector(0.5), unit(), unit(), unit()};
  def.carrier = between_carrier(body, made_up.second, shape);
  if (coincides == nullptr) return def;
  shape.s_a += missing(1.0 - shape.xi);
  def.carrier = between_carrier(body, made_up.second, shape);
  return def;
}

Vec3 Example::place(const MarkerDef& def) const {
  MarkerTable one;
  const MarkerId id = one.add(def);
  assembly::Kinematics kinematics(layout, one);
  State start = assembly::make_state(layout);
  set_start(start);
  kinematics.update(start);
  return kinematics.marker(id).p;
}

void Example::set_start(State& s) const {
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block({b});
    const auto at = static_cast<std::size_t>(b);
    if (block.is_body() && block.plane < 0) assembly::set_pose(layout, {b}, {body_x[at], body_R[at]}, s.q);
    else if (block.plane >= 0) s.q.segment<3>(block.pose_offset).setZero();
    const auto found = amplitudes_.find(b);
    for (int k = 0; found != amplitudes_.end() && k < block.size; ++k)
      s.q[block.pose_offset + k] = found->second[static_cast<std::size_t>(k)];
  }
}

void Example::draw_poses(State& s) {
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block({b});
    if (block.is_body() && block.plane < 0) {
      assembly::set_pose(layout, {b}, {vector(), block.rotation >= 0 ? rotation() : Quat::Identity()}, s.q);
    } else {
      for (int k = 0; k < block.pose_size; ++k) s.q[block.pose_offset + k] = uniform(-0.8, 0.8);
    }
  }
}

State Example::random_state() {
  State s = assembly::make_state(layout);
  s.memory = memory;
  s.t = uniform(0.1, 1.0);
  draw_poses(s);
  for (double& x : s.v) x = uniform();
  for (double& x : s.a) x = uniform();
  for (double& x : s.lambda) x = uniform(-5.0, 5.0);
  return s;
}

void Example::finish() {
  std::size_t places = memory.size();
  for (MeasureRow& row : rows) {
    for (MeasureRow::Item& item : row.items) {
      if (item.measure.memory >= 0)
        places = std::max(places, static_cast<std::size_t>(item.measure.memory + kCountedPlaces));
    }
  }
  const auto count = [&](const Response& response) {
    for (std::size_t k = 0; k < response.signals.size(); ++k) {
      const Signal& signal = response.signals[k];
      const bool plain = signal.kind == Signal::Kind::memory;
      const int place = plain ? signal.place : signal.measure.memory;
      if (place >= 0)
        places = std::max(places, static_cast<std::size_t>(place + (plain ? 1 : kCountedPlaces)));
    }
  };
  for (const Load& load : loads) count(load.response);
  for (const ModalLoad& load : modal_loads) count(load.response);
  for (const Equation& equation : equations) count(equation.response);
  memory.resize(places, 0.0);
  state = random_state();
  set_start(state);
}

std::vector<math::Jet> Example::drive_values(double t) const {
  std::vector<math::Jet> f;
  for (int k = 0; k < drives; ++k) {
    const double w = 1.0 + k;
    f.push_back({std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t)});
  }
  return f;
}

void Example::evaluate(const State& at, assembly::Sink& sink, bool reversed) const {
  assembly::Kinematics kinematics(layout, markers);
  kinematics.update(at);
  assembly::Scratch scratch;
  expr::Workspace work;
  const std::vector<math::Jet> f = drive_values(at.t);
  const assembly::Evaluation e{at, kinematics, scratch, assembly::AnalysisMode::dynamics, f};
  std::vector<std::function<void()>> all;
  for (const Body& x : masses) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const ModalBody& x : flexible) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const BeamElement& x : beams) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Joint& x : joints) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const MeasureRow& x : rows) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Gcon& x : gcons) {
    work.reserve(*x.program);
    all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
  }
  for (const Ptcv& x : ptcvs) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Cvcv& x : cvcvs) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Load& x : loads) all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
  for (const ModalLoad& x : modal_loads) all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
  for (const Equation& x : equations) all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
  for (const Reading& x : readings) all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
  if (reversed) std::reverse(all.begin(), all.end());
  for (const auto& one : all) one();
}

std::vector<bool> Example::sides(const State& at) const {
  assembly::Kinematics kinematics(layout, markers);
  kinematics.update(at);
  assembly::Scratch scratch;
  expr::Workspace work;
  const assembly::Evaluation e{at, kinematics, scratch, assembly::AnalysisMode::dynamics};
  std::vector<bool> positive;
  for (const Kink& kink : kinks)
    positive.push_back(elements::evaluate(kink.response, e, work, kink.columns.size(), false).value[0] > 0.0);
  return positive;
}

std::vector<double> Example::counted_angles(const State& at) const {
  assembly::Kinematics kinematics(layout, markers);
  kinematics.update(at, Level::q);
  assembly::Scratch scratch;
  const assembly::Evaluation e{at, kinematics, scratch, assembly::AnalysisMode::dynamics};
  std::vector<double> angles;
  const auto add = [&](const Measure& m) {
    if (m.memory >= 0) angles.push_back(elements::evaluate(m, e, Order::value).value);
  };
  for (const Load& load : loads) {
    for (std::size_t k = 0; k < load.response.signals.size(); ++k) add(load.response.signals[k].measure);
  }
  for (const MeasureRow& row : rows) {
    for (const MeasureRow::Item& item : row.items) add(item.measure);
  }
  // The turn between a beam's nodes changes sides at half a turn.
  for (const BeamElement& beam : beams) {
    const BeamStrains strains = strains_of(beam, e);
    for (std::size_t i = 0; i < static_cast<std::size_t>(beam.segments()); ++i) {
      for (int k = 0; k < 3; ++k) angles.push_back(strains[i].turn[k]);
    }
  }
  return angles;
}

std::unique_ptr<Example> make(const Listed& listed, unsigned seed) {
  auto example = std::make_unique<Example>(seed);
  listed.build(*example);
  example->finish();
  return example;
}

}  // namespace trunnion::elements::test
