#pragma once
// A drawing as pixels, by librsvg's rsvg-convert (Debian: librsvg2-bin).

#include <string>

namespace trunnion::apps {

// Empty, or why it could not be written.
std::string write_png(const std::string& svg, const std::string& path);

}  // namespace trunnion::apps
