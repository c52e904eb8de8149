#include "core/words.hpp"

#include <algorithm>

namespace trunnion::core {

void Words::mention(const Words& other) {
  for (const Subject s : other.about_) {
    if (std::find(about_.begin(), about_.end(), s) == about_.end()) about_.push_back(s);
  }
}

}  // namespace trunnion::core
