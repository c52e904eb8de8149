#include "api/present/help.hpp"

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"

namespace trunnion::apps {

int help(const std::string& topic, bool markdown) {
  if (markdown) {
    print(stdout, api::manual_markdown());
    return kOk;
  }
  if (topic.empty()) {
    print(stdout, api::topic_list());
    return kOk;
  }
  const std::string text = api::topic_help(topic);
  if (!text.empty()) {
    print(stdout, text);
    return kOk;
  }
  const std::string near = api::nearest_topic(topic);
  print(stderr, fmt::format("{} is no statement, command or function{}\n", topic,
                            near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  return kErrors;
}

}  // namespace trunnion::apps
