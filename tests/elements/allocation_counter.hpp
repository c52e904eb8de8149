#pragma once
// Counts the calls of malloc, which Eigen's temporaries and operator new both end in. Not available under a sanitizer, which has a
// malloc of its own.

namespace trunnion::elements::test {

bool can_count_allocations();
void start_counting_allocations();
long stop_counting_allocations();  // how many there were since the start

}  // namespace trunnion::elements::test
