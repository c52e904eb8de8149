#include "metamorphic/expressions.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "expr/functions.hpp"

namespace trunnion::metamorphic {

namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// "1.5E-3", "30D", "2": exponents and the D of degrees are no names.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  while (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.')) ++at;
  if (at < text.size() && std::strchr("eEdD", text[at])) {
    std::size_t after = at + 1;
    if (after < text.size() && (text[after] == '+' || text[after] == '-')) ++after;
    const bool digits = after < text.size() && std::isdigit(static_cast<unsigned char>(text[after]));
    at = digits ? after : at + 1;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
  }
  return at;
}

std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth == 0) return k;
  }
  return text.size();
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') out.emplace_back();
    else out.back() += c;
  }
  return out;
}

}  // namespace

std::string text_of(const Call& call) {
  std::string out = call.name + "(";
  for (std::size_t k = 0; k < call.arguments.size(); ++k) out += (k ? "," : "") + call.arguments[k];
  return out + ")";
}

bool reads_mechanism(std::string_view name) {
  const expr::FunctionInfo* f = expr::find_function(name);
  if (!f) return false;
  using C = expr::Category;
  return f->category == C::measure || f->category == C::force || f->category == C::element ||
         f->category == C::vector || f->category == C::state;
}

Dimension dimension_of(const Call& call) {
  const std::string& n = call.name;
  const auto starts = [&](std::string_view with) { return n.starts_with(with); };
  const expr::FunctionInfo* f = expr::find_function(n);
  if (f && f->category == expr::Category::element) {
    // comp 1 to 4 are forces, 5 to 8 torques; FRICTION(id, comp) alike
    const std::size_t at = n == "FRICTION" ? 1 : 2;
    const int component = at < call.arguments.size() ? std::atoi(call.arguments[at].c_str()) : 1;
    return component <= 4 ? Dimension{0, 0, 1} : Dimension{1, 0, 1};
  }
  if (f && f->category == expr::Category::state) return n == "DIF1" ? Dimension{0, -1, 0} : Dimension{};
  if (starts("ACC")) return {1, -2, 0};
  if (starts("WDT")) return {0, -2, 0};
  if (starts("D")) return {1, 0, 0};
  if (starts("V")) return {1, -1, 0};
  if (starts("W")) return {0, -1, 0};
  if (starts("F")) return {0, 0, 1};
  if (n == "TM" || n == "TX" || n == "TY" || n == "TZ" || n == "TXYZ") return {1, 0, 1};
  return {};  // angles
}

Call anchored(Call call, int marker) {
  const expr::FunctionInfo* f = expr::find_function(call.name);
  if (!f) return call;
  // FX(i) sums all that acts at i: there a missing second marker is not the ground.
  const bool sums = f->category == expr::Category::force ||
                    (f->category == expr::Category::vector && (call.name == "FXYZ" || call.name == "TXYZ"));
  for (int k = 0; k < f->max_arguments; ++k) {
    const expr::Argument a = f->argument(k);
    if (a.kind != expr::ArgumentKind::marker || !a.ground_allowed) continue;
    const auto at = static_cast<std::size_t>(k);
    while (call.arguments.size() <= at) call.arguments.emplace_back("0");
    if (call.arguments[at] == "0" && !(sums && k == 1)) call.arguments[at] = std::to_string(marker);
  }
  return call;
}

std::string rewritten(std::string_view text, const Rewriting& how) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.') {
      const std::size_t end = end_of_number(text, at);
      out += text.substr(at, end - at);
      at = end;
      continue;
    }
    if (!starts_name(text[at])) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    const std::string name = upper(text.substr(at, end - at));
    const bool call = end < text.size() && text[end] == '(';
    if (name == "TIME" && how.time) {
      out += how.time();
    } else if (call && reads_mechanism(name) && how.reads) {
      const std::size_t close = closing(text, end);
      out += how.reads({name, split(text.substr(end + 1, close - end - 1))});
      end = std::min(close + 1, text.size());
    } else {
      out += text.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

}  // namespace trunnion::metamorphic
