#pragma once
// What the entries of the registry are built from.

#include "elements/example.hpp"

namespace trunnion::elements::test {

// An expression, bound to the example's splines.
const expr::Program& add_program(Example& e, const std::string& text);
// What stands behind its inputs. Markers 1, 2, 3 … are those in `ids`; VARVAL(n), DIF(n) and DIF1(n) read entry n of `states`, from 1.
std::vector<Signal> inputs_of(Example& e, const expr::Program& program, const std::vector<MarkerId>& ids,
                              BlockId states);
// Up to six expressions as components of a load, which is closed and added.
void fill(Example& e, Load& load, const std::vector<std::string>& texts, const std::vector<MarkerId>& ids,
          BlockId states);
// Expressions that change sign where the element has a kink or a jump.
void add_kinks_of(Example& e, const std::vector<std::string>& texts, const std::vector<MarkerId>& ids,
                  BlockId states);
BlockId add_states(Example& e, Dynamics dynamics = Dynamics::first_order);
Eigen::MatrixXd random_matrix(Example& e, int rows, int cols);

}  // namespace trunnion::elements::test
