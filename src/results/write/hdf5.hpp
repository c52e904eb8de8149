#pragma once
// The few calls of HDF5's C library that the store needs, with handles that close themselves. For store files only.

#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace trunnion::results::h5 {

class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }

  bool reset() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }
  void abandon() { id_ = -1; }  // never closed
  bool valid() const { return id_ >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// The library prints every failure to standard error unless told otherwise; ours are said by the caller.
void be_quiet();
// What the library said last, innermost first: "unable to lock file".
std::string last_error();

// A file that was open for writing, other than by a run, when its program was killed stays marked and is refused. Takes
// the mark away; false where the file may not be written, or a program has it open. Not for files of killed runs,
// which may reach further than they know.
bool forget_writer(const std::string& path);

Handle string_type();
bool write_text(hid_t file, const char* name, const std::string& text);
bool write_texts(hid_t file, const char* name, const std::vector<std::string>& texts);
// Texts to which more can be added while readers look on: letters in place, as long as the longest and no less than
// `least`. append_texts is false, too, where one is longer.
Handle create_texts(hid_t file, const char* name, const std::vector<std::string>& texts, std::size_t least);
bool append_texts(hid_t set, const std::vector<std::string>& texts);
bool write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts);
// A text of the same length in the place of the old.
bool rewrite_attribute(hid_t object, const char* name, const std::string& text);
bool read_text(hid_t file, const char* name, std::string& text);
bool read_texts(hid_t file, const char* name, std::vector<std::string>& texts);
bool read_attribute(hid_t object, const char* name, std::vector<std::string>& texts);
// The whole of a dataset of any sizes; false where it is not there or has more than `most` numbers.
template <class Number>
bool read_whole(hid_t group, const char* name, hid_t type, hssize_t most, std::vector<Number>& out) {
  const Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  const Handle space(set.valid() ? H5Dget_space(set) : -1, H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space) : -1;
  if (count < 0 || count > most) return false;
  out.resize(static_cast<std::size_t>(count));
  return out.empty() || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0;
}
// The sizes of a dataset; empty where it is not there.
std::vector<hsize_t> sizes_of(hid_t group, const char* name);

}  // namespace trunnion::results::h5
