#include "api/view/base64.hpp"

namespace trunnion::api {

std::string base64(std::string_view bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned word = 0;
    for (std::size_t b = 0; b < 3; ++b)
      word = word << 8 | (k + b < bytes.size() ? static_cast<unsigned char>(bytes[k + b]) : 0u);
    for (int c = 0; c < 4; ++c) {
      const bool past = k + static_cast<std::size_t>(c) > bytes.size();
      out += past ? '=' : kLetters[word >> (18 - 6 * c) & 63];
    }
  }
  return out;
}

}  // namespace trunnion::api
