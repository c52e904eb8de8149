#pragma once
// Small text tools shared by the reader and the messages. The language is ASCII and case-insensitive; bytes
// above 127 are carried through untouched.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trunnion::core {

inline char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_word(char c) { return is_alpha(c) || is_digit(c) || c == '_'; }

std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);
bool equals_nocase(std::string_view a, std::string_view b);
bool starts_with_nocase(std::string_view text, std::string_view prefix);
std::string_view trim(std::string_view text);

// Control bytes as '·', tabs as a blank: one column a byte (or a UTF-8 sequence kept whole).
std::string printable(std::string_view text);

// The shortest decimal text that reads back as the same double.
std::string number_text(double value);

// "a, b and c"
std::string join_and(std::span<const std::string> words, std::string_view last = "and");

// Edits of one letter between two words, case ignored; a swap of neighbours counts once.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate closest to `word` by edit_distance, if close enough to be worth offering.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace trunnion::core
