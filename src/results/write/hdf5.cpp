#include "results/write/hdf5.hpp"

#include <algorithm>
#include <string_view>

namespace trunnion::results::h5 {

namespace {

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

Handle space_for(std::size_t count) {
  const hsize_t size = count;
  return {H5Screate_simple(1, &size, nullptr), H5Sclose};
}

Handle fixed_type(std::size_t width) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, width);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

std::string letters_of(const std::vector<std::string>& texts, std::size_t width) {
  std::string letters(width * texts.size(), '\0');
  for (std::size_t k = 0; k < texts.size(); ++k) texts[k].copy(&letters[k * width], width);
  return letters;
}
std::size_t longest(const std::vector<std::string>& texts, std::size_t least) {
  for (const std::string& text : texts) least = std::max(least, text.size());
  return least;
}
std::vector<std::string> texts_of(std::string_view letters, std::size_t width) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < letters.size(); at += width) {
    const std::string_view one = letters.substr(at, width);
    texts.emplace_back(one.substr(0, one.find('\0')));
  }
  return texts;
}

// Reads `space`'s strings by `read` and gives the library its memory back.
template <class Read> bool collect(hid_t space, Read read, std::vector<std::string>& texts) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) return false;
  std::vector<char*> raw(static_cast<std::size_t>(count));
  const Handle type = string_type();
  if (read(type, raw.data()) < 0) return false;
  texts.clear();
  for (const char* text : raw) texts.emplace_back(text ? text : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
  return true;
}

}  // namespace

void be_quiet() {
  // At the end of the program the library would close once more what could not be closed (a full disk), and crash.
  [[maybe_unused]] static const herr_t first_of_all = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

namespace {

// "file write failed: time = …, errno = 28, error message = 'No space left on device', buf = …" → what is between the quotes.
std::string plain(const std::string& said) {
  constexpr std::string_view kBefore = "error message = '";
  const std::size_t at = said.find(kBefore);
  if (at == std::string::npos) return said;
  const std::size_t begin = at + kBefore.size();
  return said.substr(begin, said.find('\'', begin) - begin);
}

}  // namespace

std::string last_error() {
  std::string said;
  const auto take = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    auto& text = *static_cast<std::string*>(out);
    if (text.empty() && error->desc) text = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &said);
  return said.empty() ? "HDF5 gave no reason" : plain(said);
}

bool forget_writer(const std::string& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const bool clear = true;  // what the library's own tool h5clear asks for
  if (H5Pset(access, "clear_status_flags", &clear) < 0) return false;
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose).reset();
}

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

bool write_text(hid_t file, const char* name, const std::string& text) {
  const Handle type = string_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const char* data = text.c_str();
  return set.valid() && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &data) >= 0;
}

bool write_texts(hid_t file, const char* name, const std::vector<std::string>& texts) {
  const Handle type = string_type(), space = space_for(texts.size());
  const Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return set.valid() && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers(texts).data()) >= 0;
}

// Letters in place rather than pointers to a heap, which costs a block of the file for each attribute.
bool write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
  const std::size_t width = longest(texts, 1);
  const Handle type = fixed_type(width), space = space_for(texts.size());
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute, type, letters_of(texts, width).data()) >= 0;
}

Handle create_texts(hid_t file, const char* name, const std::vector<std::string>& texts, std::size_t least) {
  constexpr hsize_t kShort = 64, kLong = 1024;  // in a chunk
  const hsize_t none = 0, most = H5S_UNLIMITED, chunk = std::clamp<hsize_t>(texts.size(), kShort, kLong);
  const Handle space(H5Screate_simple(1, &none, &most), H5Sclose), type = fixed_type(longest(texts, least));
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation, 1, &chunk);
  Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (!set.valid() || !append_texts(set, texts)) return {};
  return set;
}

bool append_texts(hid_t set, const std::vector<std::string>& texts) {
  if (texts.empty()) return true;
  const Handle type(H5Dget_type(set), H5Tclose), before(H5Dget_space(set), H5Sclose);
  const std::size_t width = H5Tget_size(type);
  hsize_t start = 0;
  if (longest(texts, 0) > width || H5Sget_simple_extent_dims(before, &start, nullptr) < 0) return false;
  const hsize_t count = texts.size(), size = start + count;
  if (H5Dset_extent(set, &size) < 0) return false;
  const Handle memory = space_for(count), space(H5Dget_space(set), H5Sclose);
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
         H5Dwrite(set, type, memory, space, H5P_DEFAULT, letters_of(texts, width).data()) >= 0;
}

bool rewrite_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute, fixed_type(text.size()), text.data()) >= 0;
}

bool read_text(hid_t file, const char* name, std::string& text) {
  std::vector<std::string> texts;
  if (!read_texts(file, name, texts) || texts.size() != 1) return false;
  text = std::move(texts.front());
  return true;
}

bool read_texts(hid_t file, const char* name, std::vector<std::string>& texts) {
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return false;
  const Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!set.valid()) return false;
  const Handle space(H5Dget_space(set), H5Sclose), kept(H5Dget_type(set), H5Tclose);
  if (H5Tget_class(kept) != H5T_STRING) return false;
  if (H5Tis_variable_str(kept) == 0) {
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t width = H5Tget_size(kept);
    if (count < 0) return false;
    std::string letters(width * static_cast<std::size_t>(count), '\0');
    if (count > 0 && H5Dread(set, kept, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()) < 0) return false;
    texts = texts_of(letters, width);
    return true;
  }
  const auto read = [&](hid_t type, void* out) {
    return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  };
  return collect(space, read, texts);
}

bool read_attribute(hid_t object, const char* name, std::vector<std::string>& texts) {
  if (H5Aexists(object, name) <= 0) return false;
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return false;
  const Handle space(H5Aget_space(attribute), H5Sclose), kept(H5Aget_type(attribute), H5Tclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0 || H5Tget_class(kept) != H5T_STRING || H5Tis_variable_str(kept) > 0) return false;
  const std::size_t width = H5Tget_size(kept);
  std::string letters(width * static_cast<std::size_t>(count), '\0');
  if (H5Aread(attribute, fixed_type(width), letters.data()) < 0) return false;
  texts = texts_of(letters, width);
  return true;
}

std::vector<hsize_t> sizes_of(hid_t group, const char* name) {
  const Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  const Handle space(set.valid() ? H5Dget_space(set) : -1, H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space) : -1;
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

}  // namespace trunnion::results::h5
