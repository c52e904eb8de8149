#include "assembly/kinematics.hpp"

namespace trunnion::assembly {

Kinematics::Kinematics(const Layout& layout, const MarkerTable& markers)
    : layout_(&layout),
      table_(&markers),
      bodies_(static_cast<std::size_t>(layout.block_count()) + 1),
      markers_(markers.all().size()) {
  for (int b = 0; b < layout.block_count(); ++b) carriers_.push_back(carrier_of(layout.block({b})));
  std::size_t kept = 0;
  for (const MarkerDef& def : markers.all()) {
    const Carrier& carrier = carrier_of(def, layout);
    seats_.push_back({&carrier, &def, &body(def.body), &layout, nullptr});
    kept += static_cast<std::size_t>(carrier.kept());
  }
  kept_.resize(kept);
  double* next = kept_.data();
  for (Seat& seat : seats_) {
    seat.kept = next;
    next += seat.carrier->kept();
  }
}

void Kinematics::update(const State& state, Level level) {
  for (int b = 0; b < layout_->block_count(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    if (carriers_[at] != nullptr)
      carriers_[at]->move_body(*layout_, layout_->block({b}), state, bodies_[at + 1]);
  }
  for (std::size_t i = 0; i < markers_.size(); ++i)
    seats_[i].carrier->move(seats_[i], state, level, markers_[i]);
}

}  // namespace trunnion::assembly
