// Apart from the tests, so that no compiler sees both sides of a new and delete at once and takes the
// replacement for a mismatch.

#include "allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace trunnion::expr::testing {

namespace {
thread_local bool counting = false;
thread_local int count = 0;
}  // namespace

void start_counting_allocations() {
  count = 0;
  counting = true;
}

int stop_counting_allocations() {
  counting = false;
  return count;
}

void count_allocation() {
  if (counting) ++count;
}

}  // namespace trunnion::expr::testing

void* operator new(std::size_t size) {
  trunnion::expr::testing::count_allocation();
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
// std::stable_sort asks for its buffer with this one and gives it back to the plain delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  trunnion::expr::testing::count_allocation();
  return std::malloc(size ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
