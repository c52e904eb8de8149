#include "results/write/store.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "results/write/hdf5.hpp"
#include "results/write/journal.hpp"

namespace trunnion::results {

namespace {

constexpr auto kFlushEvery = std::chrono::seconds(1);
constexpr std::size_t kStepColumns = 4;
constexpr std::size_t kSegmentColumns = 2;
constexpr int kFormat = 3, kOldest = 2;   // 2: no /segments, names and units that cannot grow
constexpr std::size_t kNameLetters = 64;  // for names and units that come later

// A kill may cut a long write short, and an index block of HDF5 that was cut would fail its checksum. Measured: with chunks
// of 64 rows lying anywhere 1 kill in 480 left an unreadable index; with larger chunks none in 300, with everything
// beginning on a page besides none in 432. That the cut is at a border of pages is a guess that the numbers do not prove.
constexpr hsize_t kPage = 4096;
// A chunk is a block of rows and columns. Wide enough that writing all columns takes few of them, narrow enough that
// reading one channel of a thousand does not read the others. Every chunk that is begun is in the file whole, so the rows of one
// are bounded by what all the columns of a row of chunks take: a run of few rows must not cost the room of many.
constexpr hsize_t kChunkValues = 8192, kFewestRows = 8;
constexpr hsize_t kRowOfChunks = 4 << 20;  // bytes

hsize_t chunk_rows_for(std::size_t columns) {
  hsize_t rows = StoreWriter::kHeldRows;
  while (rows > kFewestRows && rows * columns * sizeof(double) > kRowOfChunks) rows /= 2;
  return rows;
}

// An extendible dataset of rows, and the rows that are not in it yet.
class Rows {
 public:
  enum class Width { fixed, may_grow };

  // columns 0: one-dimensional.
  bool create(hid_t file, const char* name, std::size_t columns, hsize_t chunk_rows,
              Width width = Width::fixed) {
    columns_ = std::max<std::size_t>(columns, 1);
    rank_ = columns == 0 ? 1 : 2;
    const bool grows = width == Width::may_grow;
    const hsize_t none[2] = {0, columns_}, most[2] = {H5S_UNLIMITED, grows ? H5S_UNLIMITED : columns_},
                  chunk[2] = {chunk_rows, std::min<hsize_t>(columns_, kChunkValues / chunk_rows)};
    const h5::Handle space(H5Screate_simple(rank_, none, most), H5Sclose);
    const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const h5::Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk(creation, rank_, chunk);
    // Rows that are not there are never read; of columns that come later the rows before are.
    const double gap = std::nan("");
    if (grows) H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &gap);
    H5Pset_fill_time(creation, grows ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
    // Rows of a chunk lie one after the other in the file: without a cache they go straight there.
    H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
    set_ = {H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, access), H5Dclose};
    return set_.valid();
  }

  hid_t id() const { return set_; }
  void put(double value) { waiting_.push_back(value); }
  void put(std::span<const double> values) { waiting_.insert(waiting_.end(), values.begin(), values.end()); }
  std::size_t waiting() const { return waiting_.size() / columns_; }
  bool close() { return set_.reset(); }
  void abandon() { set_.abandon(); }

  // More columns, after `rows` rows that are all written.
  bool widen(std::size_t rows, std::size_t columns) {
    written_ = rows;
    columns_ = columns;
    const hsize_t size[2] = {written_, columns_};
    return H5Dset_extent(set_, size) >= 0;
  }

  bool write() {
    if (waiting_.empty()) return true;
    const hsize_t start[2] = {written_, 0}, count[2] = {waiting(), columns_},
                  size[2] = {written_ + waiting(), columns_};
    if (H5Dset_extent(set_, size) < 0) return false;
    const h5::Handle memory(H5Screate_simple(rank_, count, nullptr), H5Sclose);
    const h5::Handle file(H5Dget_space(set_), H5Sclose);
    if (H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, count, nullptr) < 0) return false;
    if (H5Dwrite(set_, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, waiting_.data()) < 0) return false;
    written_ = size[0];
    waiting_.clear();
    return true;
  }

 private:
  h5::Handle set_;
  int rank_ = 2;
  std::size_t columns_ = 1;
  hsize_t written_ = 0;
  std::vector<double> waiting_;
};

struct ChannelTexts {
  std::vector<std::string> names, units;
};
ChannelTexts texts_of(const std::vector<Channel>& channels, std::size_t first) {
  ChannelTexts out;
  for (std::size_t k = first; k < channels.size(); ++k) {
    out.names.push_back(channels[k].name);
    out.units.push_back(channels[k].unit);
  }
  return out;
}

}  // namespace

struct StoreWriter::File {
  h5::Handle file;
  h5::Handle names, units;
  Rows time, values, steps, segments;
  Journal journal;
  std::size_t rows = 0, columns = 0;  // the time among them
  bool segment_begins = true;         // with the next row

  void abandon() {
    for (h5::Handle* set : {&names, &units}) set->abandon();
    for (Rows* set : {&time, &values, &steps, &segments}) set->abandon();
    file.abandon();
  }
  bool close() {
    return names.reset() && units.reset() && values.close() && time.close() && steps.close() &&
           segments.close() && file.reset();
  }

  bool create_sets(const std::vector<Channel>& channels) {
    constexpr hsize_t kLongChunk = 1024;  // narrow sets: fewer, longer chunks
    const auto [all_names, all_units] = texts_of(channels, 1);
    columns = channels.size();
    names = h5::create_texts(file, "channels", all_names, kNameLetters);
    units = h5::create_texts(file, "units", all_units, kNameLetters);
    const std::string time_unit = channels.empty() ? "" : channels.front().unit;
    return names.valid() && units.valid() &&
           values.create(file, "values", std::max<std::size_t>(all_names.size(), 1),
                         chunk_rows_for(all_names.size()), Rows::Width::may_grow) &&
           time.create(file, "time", 0, kLongChunk) && h5::write_attribute(time.id(), "units", {time_unit}) &&
           steps.create(file, "steps", kStepColumns, kLongChunk) &&
           h5::write_attribute(steps.id(), "names", {"t", "h", "order", "iterations"}) &&
           h5::write_attribute(steps.id(), "units", {time_unit, time_unit, "1", "1"}) &&
           segments.create(file, "segments", kSegmentColumns, kFewestRows) &&
           h5::write_attribute(segments.id(), "names", {"row", "t"});
  }
};

std::string store_format() { return kStoreFormatName + std::to_string(kFormat); }

bool readable_store_format(const std::string& format) {
  for (int number = kOldest; number <= kFormat; ++number) {
    if (format == kStoreFormatName + std::to_string(number)) return true;
  }
  return false;
}

StoreWriter::StoreWriter(StoreTexts texts) : texts_(std::move(texts)) { h5::be_quiet(); }
StoreWriter::~StoreWriter() { close(); }

bool StoreWriter::fail() {
  error_ = "cannot write " + path_ + ": " + h5::last_error();
  return false;
}

bool StoreWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  close();
  path_ = path;
  flushed_ = 0;
  error_.clear();
  if (make(path, channels)) return true;
  if (error_.empty()) fail();
  file_.reset();
  return false;
}

bool StoreWriter::make(const std::string& path, const std::vector<Channel>& channels) {
  // SWMR needs the newest file format the library has.
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_alignment(access, 1, kPage);
  // Small pieces are otherwise packed into blocks of 2 kB, whatever the alignment.
  H5Pset_meta_block_size(access, 0);
  H5Pset_small_data_block_size(access, 0);
  file_ = std::make_unique<File>();
  file_->file = {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  if (!file_->file.valid()) return false;
  last_flush_ = std::chrono::steady_clock::now();
  held_rows_ = chunk_rows_for(channels.size());
  return h5::write_attribute(file_->file, "format", {store_format()}) &&
         h5::write_attribute(file_->file, "state", {kStoreOpen}) &&
         h5::write_text(file_->file, "model", texts_.model) &&
         h5::write_text(file_->file, "script", texts_.script) &&
         h5::write_text(file_->file, "settings", texts_.settings) &&
         write_shapes(file_->file, texts_.flexible) && file_->create_sets(channels) &&
         H5Fstart_swmr_write(file_->file) >= 0 && open_tail(channels.size());
}

bool StoreWriter::row(const std::vector<double>& values) {
  if (!file_) return false;
  if (!file_->journal.add(values)) {
    error_ = file_->journal.error();
    return false;
  }
  if (std::exchange(file_->segment_begins, false)) {
    file_->segments.put(static_cast<double>(file_->rows));
    file_->segments.put(values.front());
  }
  file_->time.put(values.front());
  file_->values.put(std::span(values).subspan(1));
  ++file_->rows;
  // Where rows come fast the flush falls on the borders of chunks, so that most are written once.
  const bool full = file_->rows % held_rows_ == 0;
  return (!full && std::chrono::steady_clock::now() - last_flush_ < kFlushEvery) || flush();
}

bool StoreWriter::change(const std::vector<Channel>& channels) {
  if (!file_) return false;
  file_->segment_begins = true;
  return channels.size() == file_->columns || widen(channels);
}

// The file is whole at any time: a reader that finds a name finds its column and unit, and no row of the tail is as wide
// as the rows that follow.
bool StoreWriter::widen(const std::vector<Channel>& channels) {
  if (!flush()) return false;
  const auto [names, units] = texts_of(channels, file_->columns);
  if (!file_->journal.widen(channels.size())) {
    error_ = file_->journal.error();
    return false;
  }
  if (!file_->values.widen(file_->rows, channels.size() - 1) || !h5::append_texts(file_->units, units) ||
      H5Fflush(file_->file, H5F_SCOPE_LOCAL) < 0 || !h5::append_texts(file_->names, names) ||
      H5Fflush(file_->file, H5F_SCOPE_LOCAL) < 0)
    return fail();
  file_->columns = channels.size();
  return true;
}

bool StoreWriter::step(const StepRecord& step) {
  if (!file_) return false;
  for (const double value :
       {step.t, step.h, static_cast<double>(step.order), static_cast<double>(step.iterations)})
    file_->steps.put(value);
  return file_->steps.waiting() < kHeldRows * kHeldRows || flush();
}

bool StoreWriter::flush() {
  if (!file_) return false;
  // The time goes last: as many rows as it has are there.
  if (!file_->values.write() || !file_->steps.write() || !file_->segments.write() ||
      H5Fflush(file_->file, H5F_SCOPE_LOCAL) < 0)
    return fail();
  // Flushed as a whole again: the file must know how far it reaches, or tools that open it for writing after a kill
  // (h5clear) cut off what lies beyond.
  if (!file_->time.write() || H5Fflush(file_->file, H5F_SCOPE_LOCAL) < 0) return fail();
  flushed_ = file_->rows;
  file_->journal.restart(file_->rows);
  last_flush_ = std::chrono::steady_clock::now();
  return true;
}

bool StoreWriter::close() {
  if (!file_) return true;
  bool good = flush();
  if (!good) {
    // On a full disk a store that is closed would be neither whole nor marked. Left as a kill would leave it, it keeps
    // what had reached it and the tail the rest.
    file_->abandon();
    file_.reset();
    return false;
  }
  good = file_->close() && mark_closed();
  if (!good && error_.empty()) fail();
  if (good) file_->journal.remove();
  file_.reset();
  return good;
}

// Nothing can be added to a file in the mode it is written in: it is opened once more.
bool StoreWriter::mark_closed() {
  const h5::Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  return file.valid() && h5::rewrite_attribute(file, "state", kStoreClosed);
}

bool StoreWriter::open_tail(std::size_t columns) {
  if (file_->journal.open(path_, columns)) return true;
  error_ = file_->journal.error();
  return false;
}

bool StoreWriter::add_report(const std::string& path, const std::string& report, std::string& error) {
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  if (file.valid() && h5::write_text(file, "report", report)) return true;
  error = "cannot add the report to " + path + ": " + h5::last_error();
  return false;
}

}  // namespace trunnion::results
