#include "flex/calculix.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.hpp"
#include "flex/input_error.hpp"
#include "flex/matrix_files.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

namespace {

namespace fs = std::filesystem;

// The folder that it works in: gone with this, unless it is to be kept.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& keep) : kept_(!keep.empty()) {
    std::error_code code;
    if (kept_) {
      path_ = keep;
      fs::create_directories(path_, code);
    } else {
      std::string name = (fs::temp_directory_path(code) / "trunnion-flex-XXXXXX").string();
      if (mkdtemp(name.data())) path_ = name;
    }
    if (code || !fs::is_directory(path_, code))
      throw InputError(fmt::format("cannot make a folder for CalculiX in {}",
                                   (kept_ ? keep : fs::temp_directory_path(code)).string()));
  }
  ~WorkFolder() {
    std::error_code code;
    if (!kept_) fs::remove_all(path_, code);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool kept_;
};

// Spawned in its folder, its words into `log`. The exit code; −1: it could not be started.
int run_in(const fs::path& folder, const std::string& program, const std::string& job, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::string words[] = {program, job};
  std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  const bool started =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (!started || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// What it complained of: its lines from the first *ERROR on.
std::string complaints_in(const fs::path& log) {
  std::ifstream in(log);
  std::string line, out;
  int lines = 0;
  while (std::getline(in, line)) {
    const bool begins = line.find("*ERROR") != std::string::npos;
    if (!begins && lines == 0) continue;
    if (core::trim(line).empty()) continue;
    out += "\n  ccx: " + std::string(core::trim(core::printable(line)));
    if (++lines == 6) break;
  }
  return out;
}

void run_calculix(const WorkFolder& folder, const std::string& job, const std::string& deck,
                  const CalculixOptions& options) {
  if (!(std::ofstream(folder / (job + ".inp"), std::ios::binary) << deck).flush())
    throw InputError("cannot write " + (folder / (job + ".inp")).string());
  const fs::path log = folder / (job + ".log");
  const int code = run_in(fs::absolute(folder.path()), options.program, job, fs::absolute(log));
  if (code == -1 || code == 127)
    throw InputError(
        fmt::format("CalculiX ('{}') cannot be started", options.program),
        "install it (on Debian: apt-get install calculix-ccx), name it with --ccx PROGRAM, or give --mass, "
        "--stiffness and --nodes");
  const std::string wrong = complaints_in(log);
  if (code != 0 || !wrong.empty())
    throw InputError(fmt::format("CalculiX did not accept the deck (exit code {}){}", code, wrong),
                     "--keep FOLDER leaves its files there");
}

SparseMatrix matrix_in(const WorkFolder& folder, const std::string& name, int size) {
  std::error_code code;
  if (!fs::exists(folder / name, code))
    throw InputError(fmt::format("CalculiX wrote no {}", name), "--keep FOLDER leaves its files there");
  return read_coordinates(folder / name, size);
}

// One step: every degree of freedom where the motion puts it. A direction that the deck's constraints took away follows by them.
void prescribe(std::string& text, const FeModel& model, const Eigen::VectorXd& motion, bool strains) {
  text += "*STEP\n*STATIC\n*BOUNDARY, OP=NEW\n";
  for (int k = 0; k < model.size(); ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    fmt::format_to(std::back_inserter(text), "{}, {}, {}, {:.12E}\n",
                   model.nodes[static_cast<std::size_t>(dof.node)].id, dof.direction + 1, dof.direction + 1,
                   motion[k]);
  }
  text += strains ? "*NODE FILE\nU\n*EL FILE\nS, E\n*END STEP\n" : "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
}

// Blocks " -4  STRESS" or " -4  TOSTRAIN" of a .frd: lines " -1", node in ten columns, six numbers in twelve each; " -3" ends a block.
class TensorBlocks {
 public:
  TensorBlocks(const fs::path& path, std::string name) : file_(path), begin_(" -4  " + std::move(name)) {}

  bool next(std::map<int, Eigen::Matrix<double, 6, 1>>& out) {
    while (file_.next()) {
      if (!file_.line().starts_with(begin_)) continue;
      out.clear();
      while (file_.next() && !file_.line().starts_with(" -3")) {
        if (file_.line().starts_with(" -1")) take(out);
      }
      return true;
    }
    return false;
  }

 private:
  void take(std::map<int, Eigen::Matrix<double, 6, 1>>& out) {
    const std::string_view line = file_.line();
    constexpr std::size_t kNode = 10, kNumber = 12, kBegin = 3;
    if (line.size() < kBegin + kNode + 6 * kNumber) file_.fail("a line of stresses is too short");
    Eigen::Matrix<double, 6, 1>& s = out[file_.whole(line.substr(kBegin, kNode))];
    for (std::size_t k = 0; k < 6; ++k)
      s[static_cast<Eigen::Index>(k)] = file_.real(line.substr(kBegin + kNode + k * kNumber, kNumber));
  }

  TextLines file_;
  std::string begin_;
};

// The blocks of one name, a column for each motion; how many there were.
Eigen::Index take_tensors(const fs::path& file, const std::string& name, Eigen::Index motions,
                          std::vector<int>& nodes, Eigen::MatrixXd& values) {
  TensorBlocks blocks(file, name);
  std::map<int, Eigen::Matrix<double, 6, 1>> block;
  Eigen::Index motion = 0;
  for (; motion < motions && blocks.next(block); ++motion) {
    if (motion == 0) {
      nodes.clear();
      for (const auto& [node, tensor] : block) nodes.push_back(node);
      values = Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(block.size()), motions);
    }
    Eigen::Index row = 0;
    for (const auto& [node, tensor] : block) {
      if (6 * row >= values.rows()) break;
      values.block<6, 1>(6 * row++, motion) = tensor;
    }
  }
  return motion;
}

}  // namespace

FeModel with_matrices(const Deck& deck, const CalculixOptions& options) {
  WorkFolder folder(options.keep);
  run_calculix(folder, "matrices", deck.text + "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n*END STEP\n",
               options);
  FeModel model = deck.model;
  const auto labels = read_dofs(folder / "matrices.dof");
  for (const auto& [node, direction] : labels) {
    if (model.find(node) < 0)
      throw InputError(
          fmt::format("CalculiX made nodes of its own (node {}): beams, shells, plane elements or C3D8I",
                      node),
          "solid elements without inner freedoms: C3D4, C3D6, C3D8, C3D8R, C3D10, C3D15, C3D20, C3D20R");
  }
  model.dofs = dofs_of(labels, model, "matrices.dof");
  model.K = matrix_in(folder, "matrices.sti", model.size());
  model.M = matrix_in(folder, "matrices.mas", model.size());
  return model;
}

NodalStresses stresses_of(const Deck& deck, const FeModel& model, const Eigen::MatrixXd& motions,
                          bool strains, const CalculixOptions& options) {
  WorkFolder folder(options.keep);
  std::string text = deck.text;
  for (Eigen::Index k = 0; k < motions.cols(); ++k) prescribe(text, model, motions.col(k), strains);
  run_calculix(folder, "stresses", text, options);
  NodalStresses out;
  const auto take = [&](const char* name, const char* what, Eigen::MatrixXd& values) {
    const Eigen::Index found = take_tensors(folder / "stresses.frd", name, motions.cols(), out.nodes, values);
    if (found != motions.cols() || out.nodes.empty())
      throw InputError(fmt::format("CalculiX gave {} of {} of {} modes", what, found, motions.cols()),
                       "--keep FOLDER leaves its files there; without --stress it is not asked for them");
  };
  take("STRESS", "stresses", out.values);
  if (strains) take("TOSTRAIN", "strains", out.strains);
  return out;
}

}  // namespace trunnion::flex
