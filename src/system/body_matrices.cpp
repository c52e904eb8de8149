// Matrices of the bodies alone, for linear analyses.

#include <complex>
#include <map>

#include "system/elements.hpp"
#include "system/system.hpp"

namespace trunnion::system {
namespace {

// Takes partials of one level.
class LevelSink : public assembly::Sink {
 public:
  LevelSink(const assembly::Layout& layout, assembly::Level level) : layout_(layout), level_(level) {}

  assembly::Needs needs() const final {
    return {.residual = false,
            .partial_q = level_ == assembly::Level::q,
            .partial_v = level_ == assembly::Level::v,
            .partial_a = level_ == assembly::Level::a,
            .constraints = false,
            .hessians = false};
  }
  void residual(assembly::BlockId, assembly::Term, assembly::VecRef) final {}
  void multiplier_partial(assembly::BlockId, assembly::RowId, assembly::VecRef) final {}
  void constraint(assembly::RowId, const assembly::ConstraintRow&) final {}
  void velocity_constraint(assembly::RowId, const assembly::VelocityRow&) final {}

 protected:
  const assembly::Layout& layout_;

 private:
  assembly::Level level_;
};

class RateMatrix final : public LevelSink {
 public:
  explicit RateMatrix(const assembly::Layout& layout) : LevelSink(layout, assembly::Level::v) {}
  void partial(assembly::BlockId row, assembly::BlockId col, assembly::Level,
               assembly::MatRef value) override {
    const int r = layout_.block(row).offset, c = layout_.block(col).offset;
    for (Eigen::Index j = 0; j < value.cols(); ++j) {
      for (Eigen::Index i = 0; i < value.rows(); ++i)
        entries_.emplace_back(r + static_cast<int>(i), c + static_cast<int>(j), value(i, j));
    }
  }
  Eigen::SparseMatrix<double> matrix() const {
    Eigen::SparseMatrix<double> m(layout_.size(), layout_.size());
    m.setFromTriplets(entries_.begin(), entries_.end());
    return m;
  }

 private:
  std::vector<Eigen::Triplet<double>> entries_;
};

// Re vᴴ M v.
class FormSink final : public LevelSink {
 public:
  FormSink(const assembly::Layout& layout, const Eigen::VectorXcd& velocity)
      : LevelSink(layout, assembly::Level::a), velocity_(velocity) {}
  double sum() const { return sum_; }
  void partial(assembly::BlockId row, assembly::BlockId col, assembly::Level,
               assembly::MatRef value) override {
    const auto left = velocity_.segment(layout_.block(row).offset, value.rows());
    const auto right = velocity_.segment(layout_.block(col).offset, value.cols());
    sum_ += left.dot(value.cast<std::complex<double>>() * right).real();
  }

 private:
  const Eigen::VectorXcd& velocity_;
  double sum_ = 0;
};

}  // namespace

Eigen::SparseMatrix<double> System::gyroscopic(const assembly::State& state, Workspace& work) const {
  const assembly::Evaluation at = this->at(state, work);
  RateMatrix sink(layout_);
  for (const elements::Body& body : elements_->bodies) elements::evaluate(body, at, sink);
  for (const elements::BeamElement& beam : elements_->beams) elements::evaluate_gyroscopic(beam, at, sink);
  for (elements::ModalBody body : elements_->modal_bodies) {
    elements::ModalData undamped = *body.data;
    undamped.D = {};
    body.data = std::make_shared<const elements::ModalData>(std::move(undamped));
    elements::evaluate(body, at, sink);
  }
  return sink.matrix();
}

Eigen::VectorXd System::modal_masses(const FlexInfo& info) const {
  for (const elements::ModalBody& body : elements_->modal_bodies) {
    if (info.modes.valid() && body.modes == info.modes) return body.data->I6.diagonal();
  }
  return {};
}

std::vector<double> System::twice_kinetic(const Eigen::VectorXcd& velocity, const assembly::State& state,
                                          Workspace& work) const {
  const assembly::Evaluation at = this->at(state, work);
  std::map<int, double> of_block;
  const auto add = [&](assembly::BlockId block, const auto& body) {
    FormSink sink(layout_, velocity);
    elements::evaluate(body, at, sink);
    of_block[block.index] += sink.sum();
  };
  for (const elements::Body& body : elements_->bodies) add(body.block, body);
  for (const elements::ModalBody& body : elements_->modal_bodies) add(body.frame, body);
  for (const elements::Body& node : elements_->beam_nodes) add(node.block, node);
  std::vector<double> all;
  for (const BodyInfo& info : body_info_) {
    const auto found = of_block.find(info.block.index);
    all.push_back(info.block.valid() && found != of_block.end() ? found->second : 0.0);
  }
  return all;
}

}  // namespace trunnion::system
