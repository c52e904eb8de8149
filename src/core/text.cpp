#include "core/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trunnion::core {

std::string to_upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), upper);
  return out;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool equals_nocase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_nocase(a, b);
}

bool starts_with_nocase(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    if (upper(text[i]) != upper(prefix[i])) return false;
  }
  return true;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

namespace {

// Letters of more than one byte that a terminal obeys instead of showing: U+0080 … U+009F, which stand for escape sequences, and
// those that turn the direction of writing, which make a line read as something else.
bool commands_terminal(std::string_view letter) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(letter[k]); };
  if (letter.size() == 2) return byte(0) == 0xc2 && byte(1) < 0xa0;
  if (letter.size() != 3 || byte(0) != 0xe2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae) ||  // U+202A … U+202E
         (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);    // U+2066 … U+2069
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '\t') {
      out += ' ';
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "·";
    } else if (byte >= 0x80) {
      // Valid two- to four-byte UTF-8 passes; anything else (latin-1) is shown as a dot.
      const std::size_t need = byte >= 0xf0 && byte < 0xf5   ? 3
                               : byte >= 0xe0 && byte < 0xf0 ? 2
                               : byte >= 0xc2 && byte < 0xe0 ? 1
                                                             : 0;
      bool whole = need > 0 && i + need < text.size();
      for (std::size_t k = 1; whole && k <= need; ++k) {
        whole = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
      }
      if (whole && commands_terminal(text.substr(i, need + 1))) {
        out += "·";
        i += need;
      } else if (whole) {
        out.append(text.substr(i, need + 1));
        i += need;
      } else {
        out += "·";
      }
    } else {
      out += static_cast<char>(byte);
    }
  }
  return out;
}

std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string join_and(std::span<const std::string> words, std::string_view last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      if (i + 1 == words.size()) {
        out += ' ';
        out += last;
        out += ' ';
      } else {
        out += ", ";
      }
    }
    out += words[i];
  }
  return out;
}

// Optimal string alignment distance: insert, delete, replace and swap each cost one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = upper(a[i - 1]) == upper(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0u : 1u)});
      const bool swapped =
          i > 1 && j > 1 && upper(a[i - 1]) == upper(b[j - 2]) && upper(a[i - 2]) == upper(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 64;  // no keyword is longer; keeps junk from costing quadratic time
  if (word.size() < 2 || word.size() > kLongest) return std::nullopt;  // a letter is near everything
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> found;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      found = std::string(candidate);
    }
  }
  return found;
}

}  // namespace trunnion::core
