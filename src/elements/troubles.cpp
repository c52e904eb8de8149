#include "elements/troubles.hpp"

#include <utility>

namespace trunnion::elements {

void Troubles::add(std::string message) {
  const std::lock_guard lock(mutex_);
  if (!messages_.empty() && messages_.back() == message) return;
  if (messages_.size() == kMost) messages_.erase(messages_.begin());
  messages_.push_back(std::move(message));
}

std::vector<std::string> Troubles::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

}  // namespace trunnion::elements
