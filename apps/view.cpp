#include "apps/commands.hpp"

namespace trunnion::apps {
int view(const ViewOptions&) { return kErrors; }
}  // namespace trunnion::apps
