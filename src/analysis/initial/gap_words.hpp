#pragma once
// How far constraints are from holding, and what an assembly moved to make them hold, in words for people.

#include <string>
#include <vector>

#include "system/system.hpp"

namespace trunnion::analysis {

// What a row of φ at positions says: "JOINT/1: z of I and z of J must be parallel; they are 90° apart".
std::string gap_words(const assembly::Layout& layout, const Eigen::VectorXd& phi, assembly::RowId id);

// "PART/2 by 20 [length] and 3.1°", the farthest first, of bodies that moved by more than a thousandth of the mechanism's size or of a
// radian: less is the rounding of printed coordinates.
std::vector<std::string> moved_words(const system::System& system, const assembly::State& before,
                                     const assembly::State& after);

// The largest violations by joint, worst first: "JOINT/2 'pin' is apart by 0.3 length".
std::vector<std::string> describe_gaps(const system::System& system, const Eigen::VectorXd& phi,
                                       double tolerance);

// The rows whose values exceed the tolerance: the worst of each owner, the worst owners first.
std::vector<assembly::RowId> worst_rows(const system::System& system, const Eigen::VectorXd& values,
                                        double tolerance);

}  // namespace trunnion::analysis
