#include "solve/matrix_use.hpp"

#include <algorithm>

namespace trunnion::solve {

namespace {

// The most of what was seen, falling slowly: what is told by it must not be less than what comes.
void follow(double& most, double now) {
  constexpr double kFall = 0.2;
  most = now > most ? now : most + kFall * (now - most);
}

}  // namespace

void MatrixUse::made(Made how, double price, int in_vain) {
  constexpr double kNewton = 2;  // what the new one needs
  if (in_vain > 0) learn_usual(in_vain + price + kNewton);
  constexpr double kForget = 0.98;  // so that a matrix of an age that is never reached gets a chance again
  for (int k = static_cast<int>(std::min<long>(age_, kAges)); k < kAges; ++k)
    usual_[static_cast<std::size_t>(k)] *= kForget;
  how_ = how;
  price_ = spent_ = price;
  age_ = 0;
  last_ = 0;
  rate_ = 0;
  unseen_ = 0;
}

void MatrixUse::saw(double rate, double before) {
  rate_ = rate;
  unseen_ = 0;
  follow(seen_size_, before);
  if (age_ > 0) follow(drift_, rate / static_cast<double>(age_));
  else if (how_ == Made::combined) follow(mixed_, rate);
  else if (before > 0) follow(bend_, rate / before);
}

double MatrixUse::expected(double delta) const {
  constexpr double kSafe = 2, kLeast = 0.05, kLarger = 2;
  if (delta > kLarger * seen_size_) return 0;
  if (age_ == 0) {
    const double learnt = how_ == Made::combined ? mixed_ : bend_ * delta;
    return learnt > 0 ? std::max(kSafe * learnt, kLeast) : 0;
  }
  const double grown = drift_ * static_cast<double>(age_);
  if (rate_ == 0 && grown == 0) return 0;
  return std::max({kSafe * rate_, kSafe * grown, kLeast});
}

void MatrixUse::learn_usual(double iterations) {
  constexpr double kLately = 0.3;
  double& usual = usual_[age_ < kAges ? static_cast<std::size_t>(age_) : kAges - 1];
  usual = usual > 0 ? usual + kLately * (iterations - usual) : iterations;
}

void MatrixUse::served(int iterations) {
  learn_usual(iterations);
  spent_ += iterations;
  last_ = iterations;
  ++age_;
  ++unseen_;
}

bool MatrixUse::renewal_pays() const {
  if (age_ == 0) return false;
  const double next = std::max(usual(), static_cast<double>(last_));
  return next * static_cast<double>(age_) > spent_;
}

bool MatrixUse::worn_out_by(int iterations) const {
  const double stages = static_cast<double>(age_ + 1);
  return iterations * stages > spent_ + iterations;
}

}  // namespace trunnion::solve
