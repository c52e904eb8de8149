#include "system/compile/exported_symbols.hpp"

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <elf.h>

namespace trunnion::system {

namespace {

// Pieces of a file; those that would reach beyond its end are not there.
class Bytes {
 public:
  explicit Bytes(std::string text) : text_(std::move(text)) {}

  template <class T> bool get(std::uint64_t at, T& out) const {
    if (at > text_.size() || text_.size() - at < sizeof(T)) return false;
    std::memcpy(&out, text_.data() + at, sizeof(T));
    return true;
  }
  // Up to its zero; empty where it has none.
  std::string text(std::uint64_t at) const {
    if (at >= text_.size()) return {};
    const std::size_t end = text_.find('\0', at);
    return end == std::string::npos ? std::string() : text_.substr(at, end - at);
  }

 private:
  std::string text_;
};

bool is_library(const Elf64_Ehdr& head) {
  constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
         head.e_ident[EI_DATA] == kOrder && head.e_type == ET_DYN;
}

}  // namespace

std::optional<std::set<std::string>> exported_symbols(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const Bytes file(std::string{std::istreambuf_iterator<char>(stream), {}});
  Elf64_Ehdr head{};
  if (!file.get(0, head) || !is_library(head)) return std::nullopt;
  std::set<std::string> names;
  for (std::uint64_t s = 0; s < head.e_shnum; ++s) {
    Elf64_Shdr section{}, strings{};
    if (!file.get(head.e_shoff + s * sizeof section, section) || section.sh_type != SHT_DYNSYM) continue;
    if (!file.get(head.e_shoff + section.sh_link * sizeof strings, strings)) continue;
    Elf64_Sym symbol{};
    for (std::uint64_t k = 0; k < section.sh_size / sizeof symbol; ++k) {
      if (!file.get(section.sh_offset + k * sizeof symbol, symbol)) break;
      if (symbol.st_shndx != SHN_UNDEF) names.insert(file.text(strings.sh_offset + symbol.st_name));
    }
  }
  return names;
}

}  // namespace trunnion::system
