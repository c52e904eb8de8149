#pragma once
// Nastran's OUTPUT4, text form:
//   columns rows form type name format          4I8, A8, A16; rows negative: strings of the large form
//   then for each column that is not empty      column row words
//     full            row ≥ 1: numbers from that row on
//     strings         row = 0: each string begins with its place, IS = row + 65536 (words + 1), or "words + 1, row" (large form)
//   and a last column, one behind the end, with a number that means nothing
// Numbers stand in fields of the format's width (1P,3E23.16) that may touch. How many words a number counts for differs between
// programs; where the next line of whole numbers begins does not, and that is what is gone by.

#include <string>
#include <string_view>

#include "flex/fe_model.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

bool is_op4(std::string_view first_line);
// From the file's current line on; `name` empty: the first matrix.
SparseMatrix read_op4(TextLines& file, const std::string& name);

}  // namespace trunnion::flex
