#pragma once
// The times at which an expression changes its course: where STEP, STEP5 and HAVSIN begin and end, where an IF, ABS, MAX, MIN, SIGN
// or DIM of the time decides otherwise, where MOD, FLOOR and their like of the time begin anew. Between two of them a short
// pulse may lie that a long step would pass over. Points of SPLINEs are not among them.

#include <vector>

#include "expr/program.hpp"

namespace trunnion::expr {

// Those between begin and end, sorted, each once; at most `most` of them.
std::vector<double> time_knots(const Program& program, double begin, double end, std::size_t most);

// Whether nothing short can lie between them: the expression is made of sums, products, sines and low powers, and decides by the time alone.
// What it reads besides the time is taken as held. False where that is not plain to see.
bool knots_tell_all(const Program& program);

}  // namespace trunnion::expr
