#pragma once
// The numbers of a MATRIX statement in any of its forms: FULL, SPARSE, or in a FILE.
//
// FILE is the text form of the language:
//   ADAMSMAT title
//   number of matrices
//   their names
//   then for each    NAME FULL RORDER|CORDER rows columns numbers (format)     followed by its numbers
//                    NAME SPARSE rows columns entries (format)                 followed by row, column, value of each entry
// with a FORTRAN format such as (8F8.5) or (1I8, 3E14.6), whose fields may touch: 0.000-3.440. Without a format, or with (*), numbers
// are separated by blanks or commas. The layout of SPARSE in a file is our reading: no public text shows one. Where the numbers
// cannot be entries one after another, they are taken as all rows, then all columns, then all values, as the statement has them.
// Not read: MATRIXx FSAVE and MATSAVE files.

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "model/states.hpp"

namespace trunnion::system {

// `folder`: of the model, where FILE is looked for first. Nothing, with `trouble` set, where there is no such matrix.
std::optional<Eigen::MatrixXd> matrix_data(const model::Matrix& matrix, const std::string& folder,
                                           std::string& trouble);

// One matrix of a file, and the line it begins on.
struct NamedMatrix {
  std::string name;
  int line = 0;
  Eigen::MatrixXd values;
};
// All of them. Nothing, with `trouble` set, where the file cannot be read to its end.
std::optional<std::vector<NamedMatrix>> matrix_file(const std::string& path, std::string& trouble);
// The same of a file's text; `name` is what messages call it.
std::optional<std::vector<NamedMatrix>> matrix_text(const std::string& text, const std::string& name,
                                                    std::string& trouble);
// Where a FILE is: in the model's folder, or as it is written.
std::string matrix_path(const std::string& file, const std::string& folder);

}  // namespace trunnion::system
