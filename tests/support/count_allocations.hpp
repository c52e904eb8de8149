#pragma once
// Counts the calls of malloc, which Eigen's temporaries, KLU and operator new all end in. Not available under a sanitizer, which
// has a malloc of its own. It defines malloc: include it in one source file of a program only.

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

namespace trunnion::test::detail {
// Plain variables: malloc runs before anything is constructed. The tests are single-threaded.
inline bool counting = false;
inline long allocations = 0;
}  // namespace trunnion::test::detail

#if TRUNNION_OWN_MALLOC
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  if (trunnion::test::detail::counting) ++trunnion::test::detail::allocations;
  return __libc_malloc(size);
}
#endif

namespace trunnion::test {

inline bool can_count_allocations() { return TRUNNION_OWN_MALLOC != 0; }
inline void start_counting_allocations() {
  detail::allocations = 0;
  detail::counting = true;
}
inline long stop_counting_allocations() {
  detail::counting = false;
  return detail::allocations;
}

}  // namespace trunnion::test
