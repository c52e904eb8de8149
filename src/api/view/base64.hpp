#pragma once

#include <string>
#include <string_view>

namespace trunnion::api {

std::string base64(std::string_view bytes);

}  // namespace trunnion::api
