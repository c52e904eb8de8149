// Speed of reading, checking and writing a model, and the memory it takes.
// Run: bench_reading; bytes_per_second is of model text, `memory_per_byte` the heap held by the read model per byte of
// text: equal at 2 and 20 MB when memory is linear in the file. `peak_per_byte` is the most that was held on the way.

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include "api/session/project.hpp"
#include "core/diagnostics.hpp"
#include "lang/logical_line.hpp"
#include "lang/reader.hpp"
#include "lang/writer.hpp"
#include "model/validate.hpp"
#include "system/check.hpp"

namespace {

std::atomic<std::size_t> held{0};
std::atomic<std::size_t> peak{0};

}  // namespace

// Every allocation of the program is counted; the counting costs a few percent of the speeds below.
void* operator new(std::size_t size) {
  void* p = std::malloc(size);
  if (!p) throw std::bad_alloc();
  const std::size_t now =
      held.fetch_add(malloc_usable_size(p), std::memory_order_relaxed) + malloc_usable_size(p);
  if (now > peak.load(std::memory_order_relaxed)) peak.store(now, std::memory_order_relaxed);
  return p;
}
void operator delete(void* p) noexcept {
  if (!p) return;
  held.fetch_sub(malloc_usable_size(p), std::memory_order_relaxed);
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace {

using namespace trunnion;

// As Adams/View exports: names in comments, one argument a line, in the proportions of the public corpus
// (eight markers a part, a joint, a force and a request for each).
std::string make_model(std::size_t bytes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> number(-1000, 1000);
  const auto n = [&] { return number(random); };
  std::string out =
      "ADAMS/View model name: bench\n!\n! adams_view_name='ground'\nPART/1\n, GROUND\nMARKER/1\n, PART = 1\n";
  for (int part = 2; out.size() < bytes; ++part) {
    const int m = part * 10;
    out += fmt::format(
        "!----------------------------------- Part {0} -----------------------------------\n"
        "!\n!                  adams_view_name='PART_{0}'\nPART/{0}\n, MASS = {1:.10g}\n, CM = {2}\n"
        ", IP = {3:.10g}, {4:.10g}, {5:.10g}\n, QG = {6:.10g}, {7:.10g}, {8:.10g}\n, REULER = 90D, {9:.6f}D, "
        "0D\n",
        part, std::abs(n()), m, std::abs(n()), std::abs(n()), std::abs(n()), n(), n(), n(), n());
    for (int k = 0; k < 8; ++k) {
      out += fmt::format(
          "!\n!                adams_view_name='MARKER_{0}'\nMARKER/{0}\n, PART = {1}\n, QP = {2:.10g}, "
          "{3:.10g}, {4:.10g}\n"
          ", REULER = {5:.8f}D, 90D, 180D\n",
          m + k, part, n(), n(), n(), n());
    }
    out += fmt::format(
        "!\n!                adams_view_name='JOINT_{0}'\nJOINT/{0}\n, REVOLUTE\n, I = {1}\n, J = {2}\n"
        "!\n!                adams_view_name='SPRING_{0}'\nSFORCE/{0}\n, TRANSLATIONAL\n, I = {3}\n, J = "
        "{2}\n"
        ", FUNCTION = -{4:.8g}*(dm({3},{2})-{5:.8g})\n, - {6:.8g}*vr({3},{2}) + STEP(TIME, 0.0, 0.0, 1.0, "
        "{7:.6g})\n"
        "REQUEST/{0}\n, F2=DX({1},{2},{2})\\F3=DY({1},{2},{2})\\F4=DZ({1},{2},{2})\\\n, F6=0\\\n, "
        "COMMENT=displacement of {0}\n",
        part, m + 1, part == 2 ? 1 : m - 10 + 2, m + 3, std::abs(n()), std::abs(n()), std::abs(n()), n());
  }
  return out + "END\n";
}

const std::string& text_of(std::int64_t megabytes) {
  static const std::string small = make_model(2'000'000);
  static const std::string large = make_model(20'000'000);
  return megabytes == 2 ? small : large;
}

void done(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void read_model(benchmark::State& state) {
  const std::string& text = text_of(state.range(0));
  core::SourceSet sources;
  const auto file = sources.add("m", text);
  double kept = 0, most = 0;
  for (auto _ : state) {
    const std::size_t before = held;
    peak = before;
    core::Diagnostics diagnostics;
    const model::Model model = lang::read_model(sources, file, diagnostics);
    if (!diagnostics.all().empty()) state.SkipWithError("the model did not read cleanly");
    kept = static_cast<double>(held - before);
    most = static_cast<double>(peak - before);
  }
  done(state, text.size());
  state.counters["memory_per_byte"] = kept / static_cast<double>(text.size());
  state.counters["peak_per_byte"] = most / static_cast<double>(text.size());
}

void read_and_check(benchmark::State& state) {
  const std::string& text = text_of(state.range(0));
  core::SourceSet sources;
  const auto file = sources.add("m", text);
  for (auto _ : state) {
    core::Diagnostics diagnostics;
    const model::Model model = lang::read_model(sources, file, diagnostics);
    model::validate(model, diagnostics);
    system::check_model(
        model,
        [&](const model::Expression& e, std::size_t offset, std::size_t length) {
          return lang::locate_in_expression(sources, e.span, offset, length);
        },
        diagnostics);
    if (!diagnostics.all().empty()) state.SkipWithError("the model did not check cleanly");
  }
  done(state, text.size());
}

void write_model(benchmark::State& state) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const model::Model model =
      lang::read_model(sources, sources.add("m", text_of(state.range(0))), diagnostics);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string text = lang::write_model(model);
    benchmark::DoNotOptimize(text.data());
    bytes = text.size();
  }
  done(state, bytes);
}

BENCHMARK(read_model)->Arg(2)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(read_and_check)->Arg(2)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(write_model)->Arg(2)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace
