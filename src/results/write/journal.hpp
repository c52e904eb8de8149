#pragma once
// PREFIX.h5.tail: the rows of a running simulation that are not in the store yet, so that a kill takes none. Each is
// written at once as its number, from 0, its values and its number again: a kill may cut a record short, over what was
// there before, and then the two differ. When the store has them the file begins again; it goes when the
// store is closed. What the operating system has taken survives the program, not a loss of power.

#include <cstdint>
#include <string>
#include <vector>

namespace trunnion::results {

class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  bool open(const std::string& store, std::size_t columns);
  bool add(const std::vector<double>& values);
  bool widen(std::size_t columns);  // of the records that follow; those there are dropped, the store has them
  void restart(std::size_t rows);   // that many are in the store
  void remove();
  const std::string& error() const { return error_; }

 private:
  int file_ = -1;
  std::string path_, error_;
  std::uint64_t next_ = 0;  // number of the next row
  std::uint64_t at_ = 0;    // where in the file it goes, in bytes
  std::vector<char> record_;
};

std::string journal_path(const std::string& store);

// The rows after the first `rows` of a store, of `columns` numbers each, one after the other.
std::vector<double> read_journal(const std::string& store, std::size_t rows, std::size_t columns);

}  // namespace trunnion::results
