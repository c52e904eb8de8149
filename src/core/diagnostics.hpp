#pragma once
// Messages to the user, collected so that all of a file's errors are shown at once.

#include <cstddef>
#include <string>
#include <vector>

#include "core/source.hpp"

namespace trunnion::core {

enum class Severity { error, warning, note };

struct Diagnostic {
  Severity severity = Severity::error;
  Span span;            // where; may be unknown
  std::string subject;  // whose: "JOINT/3 'hinge'"; may be empty
  std::string message;  // what is wrong and what was expected
  std::string hint;     // what to try; may be empty
};

class Diagnostics {
 public:
  // More errors than this are counted but not kept: past fifty the first ones are what matters.
  static constexpr std::size_t kErrorLimit = 50;

  void error(Span span, std::string subject, std::string message, std::string hint = {});
  void warning(Span span, std::string subject, std::string message, std::string hint = {});

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  std::size_t warning_count() const { return warning_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  // Orders by file and position, so that several passes read as one list. Stable for equal positions.
  void sort();

 private:
  void add(Severity severity, Span span, std::string subject, std::string message, std::string hint,
           std::size_t& count);

  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
  std::size_t warning_count_ = 0;
};

struct RenderOptions {
  bool colour = false;
  std::size_t line_width = 110;  // longer source lines are cut around the caret
};

// "model.adm:12:7: error: JOINT/3 'hinge': …" with the source line, a caret and the hint below it.
std::string render(const Diagnostic& diagnostic, const SourceSet& sources, const RenderOptions& options = {});
// All of them, and a line that counts what was left off.
std::string render(const Diagnostics& diagnostics, const SourceSet& sources,
                   const RenderOptions& options = {});

}  // namespace trunnion::core
