#pragma once
// When CONTACTs touched and were released in one simulation, across the restarts of its formula.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "integrate/step_loop.hpp"

namespace trunnion::api {

struct ContactHistory {
  core::Words contact;
  bool touching = false;
  long touches = 0;                       // how often it began to
  std::vector<double> touched, released;  // the first of them; see ContactLog::kKept
};

class ContactLog {
 public:
  static constexpr std::size_t kKept = 1000;  // times of each CONTACT
  // What to say of it: the first touch of each, of so many CONTACTs that a reader still reads them.
  std::optional<std::string> take(const integrate::Incident& incident);
  const std::vector<ContactHistory>& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<ContactHistory> all_;  // in the order of their first touches
  int said_ = 0;
};

}  // namespace trunnion::api
