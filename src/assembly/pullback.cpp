#include "assembly/pullback.hpp"

namespace trunnion::assembly {

void Pullback::hear(const Port& m, const Vec3& f, const Vec3& tau) {
  if (kin_.owner(m.marker) != tap_->body) return;
  tap_->force += f;
  tap_->moment += tau + (kin_.marker(m.marker).p - tap_->about).cross(f);
}

void Pullback::add_beyond_turn(const Port& m, const Vec3& tau) {
  const Mat3 less = -hat(tau);
  curvature(m, Vec3::Zero(), tau);
  partials(m, m, {.tau_turn = &less});
}

void Pullback::partials(const Port& m, const Port& n, const WrenchGradient& P) {
  if (m.fixed() || n.fixed()) return;
  const Seat &row = kin_.seat(m.marker), &col = kin_.seat(n.marker);
  const int *rows = m.columns().data(), *columns = n.columns().data();
  if (row.carrier->pull_square(row, rows, col, columns, P, H_)) return;
  const std::span<const BlockId> blocks = col.carrier->blocks(*col.def);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int size = kin_.layout().block(blocks[b]).size;
    for (int k = 0; k < size; ++k) {
      const Twist t = col.carrier->twist(col, static_cast<int>(b), k);
      Vec3 f = Vec3::Zero(), tau = Vec3::Zero();
      if (P.f_p != nullptr) f += *P.f_p * t.p;
      if (P.f_turn != nullptr) f += *P.f_turn * t.turn;
      if (P.tau_p != nullptr) tau += *P.tau_p * t.p;
      if (P.tau_turn != nullptr) tau += *P.tau_turn * t.turn;
      row.carrier->pull(row, f, tau, H_.col(columns[b] + k).data(), rows);
    }
  }
}

}  // namespace trunnion::assembly
