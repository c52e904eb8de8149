#include "expr/functions.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/text.hpp"

namespace trunnion::expr {

namespace {

constexpr FunctionInfo kFunctions[] = {
#define F(name, signature, category, codes, low, high, statement, help) \
  {Function::k##name, #name, signature, Category::category, codes, low, high, statement, help},
#include "expr/functions.def"
#undef F
};

constexpr std::string_view kCategoryNames[] = {"mathematics", "constant",      "measure", "vector",
                                               "force",       "element force", "state",   "table",
                                               "general",     "control",       "user"};

// Names in order, for the look-up; the table itself stays in the manual's order.
const std::vector<const FunctionInfo*>& by_name() {
  static const std::vector<const FunctionInfo*> sorted = [] {
    std::vector<const FunctionInfo*> rows;
    for (const FunctionInfo& row : kFunctions) rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->name < b->name; });
    return rows;
  }();
  return sorted;
}

constexpr std::size_t kLongestName = 16;

}  // namespace

std::string_view category_name(Category category) {
  return kCategoryNames[static_cast<std::size_t>(category)];
}

Argument FunctionInfo::argument(int index) const {
  if (codes.empty()) return {};
  const char code = codes[std::min(static_cast<std::size_t>(index), codes.size() - 1)];
  switch (code) {
    case 'm': return {ArgumentKind::marker, false, 0, 0};
    case 'M': return {ArgumentKind::marker, true, 0, 0};
    case '#': return {ArgumentKind::element, false, 0, 0};
    case 'n': return {ArgumentKind::constant, false, 0, 0};
    case 'j': return {ArgumentKind::integer, false, 0, 1};
    case 'c': return {ArgumentKind::integer, false, 1, 8};
    case 'o': return {ArgumentKind::integer, false, 0, 2};
    case 'k':
    case 't':  // 2 is sorted out by the compiler
      return {ArgumentKind::integer, false, 1, 3};
    case 'i': return {ArgumentKind::integer, false, 1, std::numeric_limits<int>::max()};
    default: return {};
  }
}

std::span<const FunctionInfo> functions() { return kFunctions; }

const FunctionInfo& info(Function id) { return kFunctions[static_cast<std::size_t>(id)]; }

const FunctionInfo* find_function(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return nullptr;
  char upper[kLongestName];
  std::transform(name.begin(), name.end(), upper, core::upper);
  const std::string_view key(upper, name.size());
  const auto& rows = by_name();
  const auto it =
      std::lower_bound(rows.begin(), rows.end(), key, [](auto* row, auto k) { return row->name < k; });
  return it != rows.end() && (*it)->name == key ? *it : nullptr;
}

std::optional<std::string_view> nearest_function(std::string_view name) {
  if (name.size() > kLongestName) return std::nullopt;
  std::vector<std::string_view> names;
  for (const FunctionInfo& row : kFunctions) names.push_back(row.name);
  const std::optional<std::string> found = core::nearest(core::to_upper(name), names);
  if (!found) return std::nullopt;
  const FunctionInfo* row = find_function(*found);
  return row ? std::optional(row->name) : std::nullopt;
}

}  // namespace trunnion::expr
