#pragma once
// A page with drawings and tables in the viewer's colours, light or dark; no script.

#include <string>
#include <string_view>

namespace trunnion::api {

// `body` is HTML; title and introduction are text.
std::string plain_page(std::string_view title, std::string_view introduction, std::string_view body);
std::string escaped(std::string_view text);

}  // namespace trunnion::api
