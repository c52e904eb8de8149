#pragma once
// The numbers of a MATRIX statement in any of its forms: FULL, SPARSE, or in a FILE.
//
// FILE is the text form of the language:
//   ADAMSMAT title
//   number of matrices
//   their names
//   then for each    NAME FULL RORDER|CORDER rows columns numbers (format)     followed by its numbers
//                    NAME SPARSE rows columns entries (format)                 followed by row, column, value of each entry
// with a FORTRAN format such as (8F8.5), whose fields may touch: 0.000-3.440. Without a format, or with (*), numbers are
// separated by blanks or commas. The layout of SPARSE in a file is our reading: no public text shows one.
// Not read: MATRIXx FSAVE and MATSAVE files.

#include <optional>
#include <string>

#include <Eigen/Core>

#include "model/states.hpp"

namespace trunnion::system {

// `folder`: of the model, where FILE is looked for first. Nothing, with `trouble` set, where there is no such matrix.
std::optional<Eigen::MatrixXd> matrix_data(const model::Matrix& matrix, const std::string& folder,
                                           std::string& trouble);

}  // namespace trunnion::system
