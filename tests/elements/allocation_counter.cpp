#include "elements/allocation_counter.hpp"

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TRUNNION_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRUNNION_OWN_MALLOC 0
#endif
#endif
#ifndef TRUNNION_OWN_MALLOC
#define TRUNNION_OWN_MALLOC 1
#endif

namespace {
// Plain variables: malloc runs before anything is constructed. The tests are single-threaded.
bool counting = false;
long count = 0;
}  // namespace

#if TRUNNION_OWN_MALLOC
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  if (counting) ++count;
  return __libc_malloc(size);
}
#endif

namespace trunnion::elements::test {

bool can_count_allocations() { return TRUNNION_OWN_MALLOC != 0; }
void start_counting_allocations() {
  count = 0;
  counting = true;
}
long stop_counting_allocations() {
  counting = false;
  return count;
}

}  // namespace trunnion::elements::test
