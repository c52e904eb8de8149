#pragma once
// The REQUESTs of a model, with those that MREQUESTs stand for.

#include <string>
#include <vector>

#include "core/source.hpp"
#include "model/model.hpp"

namespace trunnion::results {

struct NamedRequest {
  std::string channel;  // REQUEST/3; MREQUEST/7.12 for element 12 of an MREQUEST
  core::Words owner;    // of messages
  core::Span span;
  model::Request request;
  std::string trouble;  // why there is none, or empty
};
std::vector<NamedRequest> all_requests(const model::Model& model);

}  // namespace trunnion::results
