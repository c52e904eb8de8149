#pragma once
// Statements that a model has and this version does not simulate: contacts, flexible bodies. Their absence changes results, so
// that it must be said wherever results are: by check and run, in the report, in the results store, on the page.

#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace trunnion::model {

struct LeftOut {
  std::string_view keyword;
  std::size_t count = 0;
  core::Span first;  // the first of them in the model's text
};

// By kind, in the manual's order.
std::vector<LeftOut> left_out(const Model& model);

// "CONTACT (2) and FLEX_BODY (1) are parsed but not simulated; the results do not contain them"; empty where nothing is left out.
std::string left_out_text(const std::vector<LeftOut>& all);

}  // namespace trunnion::model
