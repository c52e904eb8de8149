#include "api/present/messages.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "results/write/ours.hpp"

namespace trunnion::api {

namespace {

constexpr int kWidth = 77;  // inside the frame

// "7.31", "1:14", "2:03:59": seconds, minutes and hours of processor time.
std::string processor_time() {
  const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const long whole = std::lround(seconds), hour = 3600, minute = 60;
  if (whole >= hour)
    return fmt::format("{}:{:02}:{:02}", whole / hour, whole / minute % minute, whole % minute);
  if (whole >= minute) return fmt::format("{}:{:02}", whole / minute, whole % minute);
  return fmt::format("{:.2f}", seconds);
}

}  // namespace

void MessageFile::open(const std::string& path, const std::string& title) {
  file_.open(path);
  file_ << results::kOurMark << " messages\n";  // ours: the next run may write over it
  const std::string rule(kWidth + 2, '-');
  file_ << fmt::format("{0}\n|{1:^{2}}|\n|{3:=<{2}}|\n|{4:{2}}|\n|{5:^{2}}|\n|{4:{2}}|\n{0}\n\n", rule,
                       "Model Title", kWidth, "", "", core::printable(title));
}

void MessageFile::line(const std::string& text) {
  file_ << core::printable_lines(text) << (text.ends_with('\n') ? "" : "\n") << std::flush;
}

void MessageFile::command(const std::string& text) {
  std::string shown = core::printable_lines(text);
  while (shown.ends_with('\n')) shown.pop_back();
  file_ << " command: " << shown << "\n" << std::flush;
}

void MessageFile::begin_table(double begin, double end) {
  file_ << "\n   Simulation      Step        Function    Cumulative   Integration     CPU\n"
           "      Time         Size       Evaluations  Steps Taken    Order        time\n"
           "   ___________  ___________   ___________  ___________   _________    ________\n";
  constexpr double kTenth = 0.1;
  every_ = kTenth * (end - begin);
  begin_ = begin;
  due_ = begin + every_;
  begun_ = false;
}

void MessageFile::step(double t, double h, long iterations, long steps, int order) {
  if (!begun_) row(begin_, h, 0, 0, order);
  begun_ = true;
  if (every_ <= 0 || t < due_ * (1 - 1e-12)) return;
  row(t, h, iterations, steps, order);
  due_ += every_ * std::max(1.0, std::floor((t - due_) / every_ + 1));
}

void MessageFile::row(double t, double h, long iterations, long steps, int order) {
  file_ << fmt::format("{:14.5E}{:13.5E}{:13}{:13}{:8}{:>16} \n", t, h, iterations, steps, order,
                       processor_time())
        << std::flush;
}

}  // namespace trunnion::api
