#pragma once
// What is wrong with a file or a request from which a flexible body was to be made. The command prints it and ends: behind the first
// wrong line of a matrix file nothing can be trusted.

#include <stdexcept>
#include <string>

namespace trunnion::flex {

class InputError : public std::runtime_error {
 public:
  // "part.sti:12: …"; `hint`: what to try, may be empty.
  explicit InputError(const std::string& what, std::string hint = {})
      : std::runtime_error(what), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

}  // namespace trunnion::flex
