#pragma once
// Counts this thread's calls of operator new in the test program.

namespace trunnion::expr::testing {

void start_counting_allocations();
int stop_counting_allocations();  // how many there were since the start

}  // namespace trunnion::expr::testing
