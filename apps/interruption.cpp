#include "apps/interruption.hpp"

#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "elements/user_law.hpp"

namespace trunnion::apps {

namespace {

constexpr int kPatience = 3;  // seconds that user code is given

// What a signal's handler may touch.
static_assert(std::atomic<long>::is_always_lock_free);
std::atomic<long> first_signal = 0;  // when, in seconds since the start of the machine, and never 0
std::atomic<bool> ending = false;
sem_t wake;

long seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1;
}

void on_signal(int) {
  const long now = seconds();
  long none = 0;
  if (first_signal.compare_exchange_strong(none, now)) {
    sem_post(&wake);
  } else if (now > none) {
    // Not within the same second: an impatient double press would spoil an end that is on its way.
    constexpr char kWords[] = "\nended at once; the rows so far are kept in the results store\n";
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, kWords, sizeof kWords - 1);
    _exit(kInterrupted);
  }
}

// False where the run ended in the meantime.
bool wait_for_seconds(int count) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += count;
  while (sem_timedwait(&wake, &until) != 0 && errno == EINTR) {
  }
  return !ending;
}

void watch() {
  while (sem_wait(&wake) != 0) {
  }
  for (bool told = false; !ending; told = true) {
    const unsigned long call = elements::user_call_number();
    if (!wait_for_seconds(kPatience)) return;
    if (call != 0 && elements::user_call_number() == call) {
      print(stderr, fmt::format("\n{} has not come back {} s after the interrupt; the run ends here, and the "
                                "rows so far are kept\n",
                                elements::user_call_words(), kPatience));
      _exit(kInterrupted);
    }
    if (!told)
      print(stderr,
            "\ninterrupted; the present step takes its time. Once more ends the run at once, and keeps "
            "the rows so far\n");
  }
}

}  // namespace

Interruption::Interruption() {
  first_signal = 0;
  ending = false;
  sem_init(&wake, 0, 0);
  watch_ = std::thread(watch);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, on_signal);
}

Interruption::~Interruption() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  ending = true;
  sem_post(&wake);
  watch_.join();
  sem_destroy(&wake);
}

bool Interruption::asked() const { return first_signal != 0; }

}  // namespace trunnion::apps
