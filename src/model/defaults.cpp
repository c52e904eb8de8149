#include "model/defaults.hpp"

namespace trunnion::model {

void apply_defaults(const Schema& schema, Statement& statement) {
  for (const Argument& a : schema.arguments) {
    if (a.defaults.empty() || is_given(a, statement)) continue;
    const double first = a.defaults.front();
    switch (a.kind) {
      case ValueKind::real: field<std::optional<double>>(a, statement) = first; break;
      case ValueKind::integer: field<std::optional<int>>(a, statement) = static_cast<int>(first); break;
      case ValueKind::choice:
      case ValueKind::word: field<ChoiceBase>(a, statement).index = static_cast<int>(first); break;
      case ValueKind::words:
        for (const double value : a.defaults) {
          field<ChoiceListBase>(a, statement).indices.push_back(static_cast<int>(value));
        }
        break;
      case ValueKind::reals: field<std::vector<double>>(a, statement) = a.defaults; break;
      case ValueKind::integers:
        field<std::vector<int>>(a, statement).assign(a.defaults.begin(), a.defaults.end());
        break;
      default: break;  // references, texts and expressions have no default by number
    }
  }
}

}  // namespace trunnion::model
