#include "api/session/linear_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace trunnion::api {

namespace fs = std::filesystem;

namespace {

// How our files are told from the user's: by what they begin with. A table has no place for a comment, its head is the mark.
constexpr std::string_view kMark = "% Trunnion: LINEAR";
constexpr std::string_view kMarketOpening = "%%MatrixMarket matrix array real general\n% Trunnion: LINEAR";
constexpr std::string_view kEigenvalueHead = "number,undamped_frequency_hz,damping_ratio,real,imaginary";

struct Kind {
  LinearFamily family;
  std::string_view what, ending, opening;
};
constexpr Kind kKinds[] = {
    {LinearFamily::modes, "eig", "csv", kEigenvalueHead},
    {LinearFamily::modes, "modes", "csv", "coordinate,mode_"},
    {LinearFamily::modes, "kinetic", "csv", "mode,\"PART/"},
    {LinearFamily::modes, "kinetic", "csv", "mode,\"POINT_MASS/"},
    {LinearFamily::matrices, "A", "mtx", kMarketOpening},
    {LinearFamily::matrices, "B", "mtx", kMarketOpening},
    {LinearFamily::matrices, "C", "mtx", kMarketOpening},
    {LinearFamily::matrices, "D", "mtx", kMarketOpening},
    {LinearFamily::matrices, "M", "mtx", kMarketOpening},
    {LinearFamily::matrices, "K", "mtx", kMarketOpening},
    {LinearFamily::matrices, "A", "txt", kMark},
    {LinearFamily::matrices, "B", "txt", kMark},
    {LinearFamily::matrices, "C", "txt", kMark},
    {LinearFamily::matrices, "D", "txt", kMark},
    {LinearFamily::matrices, "M", "txt", kMark},
    {LinearFamily::matrices, "K", "txt", kMark},
};

// "eig-12" → "eig"; as it is where no number follows.
std::string_view without_number(std::string_view text) {
  const std::size_t at = text.find_last_not_of("0123456789");
  const bool numbered = at != std::string_view::npos && at + 1 < text.size() && text[at] == '-';
  return numbered ? text.substr(0, at) : text;
}

bool begins_with(const fs::path& path, std::string_view opening) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;  // a pipe would have us wait
  std::ifstream file(path, std::ios::binary);
  std::string text(opening.size(), '\0');
  return file.read(text.data(), std::ssize(text)) && text == opening;
}

// Whether a file beside `stem` is one of a family, numbered or not, and written by us.
bool belongs(const fs::path& path, std::string_view stem, LinearFamily family) {
  const std::string name = path.filename().string();
  if (!name.starts_with(stem)) return false;
  const std::string_view rest = std::string_view(name).substr(stem.size());
  const std::size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view ending = rest.substr(dot + 1), middle = rest.substr(0, dot);
  if (ending == "m") {
    const bool numbered = middle.size() > 1 && middle[0] == '_' &&
                          middle.find_first_not_of("0123456789", 1) == std::string_view::npos;
    return family == LinearFamily::matrices && (middle.empty() || numbered) && begins_with(path, kMark);
  }
  if (middle.empty() || middle[0] != '.') return false;
  const std::string_view what = without_number(middle.substr(1));
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) {
    return k.family == family && k.what == what && k.ending == ending && begins_with(path, k.opening);
  });
}

// One spelling for each file: FILE may name a folder in several ways.
std::string whole(const fs::path& path) {
  std::error_code code;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, code), code);
  return (code ? path : found).string();
}

// All that an analysis of a family may write under a name.
std::vector<std::string> paths_of(LinearFamily family, const LinearName& name) {
  std::vector<std::string> paths;
  for (const Kind& k : kKinds) {
    if (k.family == family)
      paths.push_back(whole(name.path(std::string(k.what), std::string(k.ending).c_str())));
  }
  if (family == LinearFamily::matrices) paths.push_back(whole(name.script()));
  return paths;
}

void remove_old(const std::string& base, LinearFamily family, const std::set<std::string>& keep) {
  const fs::path path(base);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code code;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    if (belongs(it->path(), path.filename().string(), family) && !keep.contains(whole(it->path())))
      old.push_back(it->path());
  }
  for (const fs::path& one : old) fs::remove(one, code);
}

std::string quoted(std::string text) {
  for (std::size_t k = text.find('"'); k != std::string::npos; k = text.find('"', k + 2))
    text.insert(k, 1, '"');
  return '"' + text + '"';
}

// Without the sign that a zero may have; on the stack, there are many.
void put(std::ostream& out, double value) {
  std::array<char, 32> text;
  out.write(text.data(), fmt::format_to(text.data(), "{:.17g}", value + 0.0) - text.data());
}

}  // namespace

std::string LinearName::path(const std::string& what, const char* ending) const {
  return fmt::format("{}.{}{}.{}", base, what, number > 1 ? fmt::format("-{}", number) : "", ending);
}

std::string LinearName::script() const {
  return base + (number > 1 ? fmt::format("_{}", number) : "") + ".m";
}

void LinearNames::begin() {
  used_[{LinearFamily::modes, prefix_}] = 0;
  remove_old(prefix_, LinearFamily::modes, taken_);
}

std::string LinearNames::base(const std::optional<std::string>& file) const {
  return file ? (fs::path(prefix_).parent_path() / *file).lexically_normal().string() : prefix_;
}

LinearName LinearNames::next(LinearFamily family, const std::optional<std::string>& file) {
  const std::string under = base(file);
  const auto [it, fresh] = used_.try_emplace({family, under}, 0);
  if (fresh) remove_old(under, family, taken_);
  LinearName name{under, ++it->second};
  while (is_taken(family, name)) name.number = ++it->second;
  for (std::string& path : paths_of(family, name)) taken_.insert(std::move(path));
  return name;
}

bool LinearNames::is_taken(LinearFamily family, const LinearName& name) const {
  const std::vector<std::string> paths = paths_of(family, name);
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    std::error_code code;
    // What is there after our own files went is not ours to write over; nor is it where a link leads.
    return taken_.contains(path) || fs::exists(fs::symlink_status(path, code));
  });
}

bool write_rows(const std::string& path, const TextRows& rows) {
  std::ofstream file(path);
  for (const std::string& row : rows) file << row << '\n';
  return static_cast<bool>(file.flush());
}

TextRows eigenvalue_rows(const std::vector<analysis::Mode>& modes, double per_second) {
  TextRows rows{std::string(kEigenvalueHead)};
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const analysis::Mode& m = modes[k];
    rows.push_back(fmt::format("{},{:.15g},{:.15g},{:.15g},{:.15g}", k + 1, m.frequency() * per_second,
                               m.damping(), m.value.real(), m.value.imag()));
  }
  return rows;
}

TextRows shape_rows(const system::System& system, const std::vector<analysis::Mode>& modes, std::size_t first,
                    std::size_t last) {
  std::string head = "coordinate";
  for (std::size_t k = first; k < last; ++k) head += fmt::format(",mode_{0}_real,mode_{0}_imaginary", k + 1);
  TextRows rows{head};
  const assembly::Layout& layout = system.layout();
  for (int i = 0; i < layout.size(); ++i) {
    std::string row = quoted(layout.column_name(i));
    for (std::size_t k = first; k < last; ++k)
      row += fmt::format(",{:.9g},{:.9g}", modes[k].shape[i].real() + 0.0, modes[k].shape[i].imag() + 0.0);
    rows.push_back(std::move(row));
  }
  return rows;
}

TextRows kinetic_rows(const system::System& system, const assembly::State& state,
                      const std::vector<analysis::Mode>& modes, std::size_t first, std::size_t last) {
  std::string head = "mode";
  for (const auto& body : system.bodies()) {
    if (body.block.valid()) head += "," + quoted(body.label);
  }
  TextRows rows{head};
  for (std::size_t k = first; k < last; ++k) {
    const std::vector<double> shares = analysis::kinetic_shares(system, state, modes[k]);
    std::string row = fmt::format("{}", k + 1);
    for (std::size_t b = 0; b < shares.size(); ++b) {
      if (system.bodies()[b].block.valid()) row += fmt::format(",{:.6g}", shares[b]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool write_matrix_market(const std::string& path, const Eigen::MatrixXd& m) {
  std::ofstream file(path);
  file << fmt::format("{}\n{} {}\n", kMarketOpening, m.rows(), m.cols());
  for (Eigen::Index j = 0; j < m.cols() && file; ++j) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      put(file, m(i, j));
      file << '\n';
    }
  }
  return static_cast<bool>(file.flush());
}

bool write_plain(const std::string& path, const Eigen::MatrixXd& m) {
  std::ofstream file(path);
  file << kMark << '\n';
  for (Eigen::Index i = 0; i < m.rows() && file; ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      if (j > 0) file << ' ';
      put(file, m(i, j));
    }
    file << '\n';
  }
  return static_cast<bool>(file.flush());
}

bool write_matlab(const std::string& path, const TextRows& names, const std::vector<NamedMatrix>& matrices) {
  std::ofstream file(path);
  file << kMark << '\n';
  for (std::size_t k = 0; k < names.size(); ++k) file << fmt::format("% {} {}\n", k + 1, names[k]);
  for (const auto& [name, m] : matrices) {
    file << fmt::format("{} = zeros({}, {});\n", name, m.rows(), m.cols());
    for (Eigen::Index i = 0; i < m.rows() && m.cols() > 0 && file; ++i) {
      file << fmt::format("{}({}, :) = [", name, i + 1);
      for (Eigen::Index j = 0; j < m.cols(); ++j) {
        file << ' ';
        put(file, m(i, j));
      }
      file << " ];\n";
    }
  }
  return static_cast<bool>(file.flush());
}

}  // namespace trunnion::api
