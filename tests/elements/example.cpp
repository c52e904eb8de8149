#include "elements/example.hpp"

namespace trunnion::elements::test {

BlockId Example::body(Owner owner) {
  if (owner == Owner::ground) return assembly::kGround;
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

MarkerId Example::marker(BlockId body) {
  return markers.add({body, vector(0.5), rotation().toRotationMatrix()});
}

MarkerId Example::marker_at(BlockId body, MarkerId other) {
  const auto pose = [&](BlockId b) {
    return b.valid() ? std::pair(body_x[static_cast<std::size_t>(b.index)],
                                 body_R[static_cast<std::size_t>(b.index)])
                     : std::pair(Vec3(Vec3::Zero()), Quat(Quat::Identity()));
  };
  const auto [xo, Ro] = pose(markers[other].body);
  const auto [x, R] = pose(body);
  const Vec3 p = xo + Ro * markers[other].p_BM;
  return markers.add({body, R.conjugate() * (p - x), rotation().toRotationMatrix()});
}

void Example::draw_poses(State& s) {
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block({b});
    if (block.kind == BlockKind::rigid || block.kind == BlockKind::point) {
      assembly::set_pose(layout, {b},
                         {vector(), block.kind == BlockKind::rigid ? rotation() : Quat::Identity()}, s.q);
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
  for (const Equation& equation : equations) count(equation.response);
  body_x.resize(static_cast<std::size_t>(layout.block_count()), Vec3::Zero());
  body_R.resize(static_cast<std::size_t>(layout.block_count()), Quat::Identity());
  memory.resize(places, 0.0);
  state = random_state();
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block({b});
    if (block.kind == BlockKind::rigid || block.kind == BlockKind::point)
      assembly::set_pose(layout, {b},
                         {body_x[static_cast<std::size_t>(b)], body_R[static_cast<std::size_t>(b)]}, state.q);
    else if (block.kind == BlockKind::planar) state.q.segment<3>(block.pose_offset).setZero();
  }
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
  for (const Joint& x : joints) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const MeasureRow& x : rows) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Gcon& x : gcons) {
    work.reserve(*x.program);
    all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
  }
  for (const Ptcv& x : ptcvs) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Cvcv& x : cvcvs) all.emplace_back([&] { elements::evaluate(x, e, sink); });
  for (const Load& x : loads) all.emplace_back([&] { elements::evaluate(x, e, work, sink); });
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

std::unique_ptr<Example> make(const Listed& listed, unsigned seed) {
  auto example = std::make_unique<Example>(seed);
  listed.build(*example);
  example->finish();
  return example;
}

}  // namespace trunnion::elements::test
