#include "api/present/notices.hpp"

#include "core/text.hpp"

namespace trunnion::api {

void Notices::take(core::Severity severity, const std::string& line) {
  if (severity == core::Severity::note) {
    if (!line.starts_with("  ")) last_ = nullptr;
    else if (last_) last_->back() += "\n" + line;
    return;
  }
  last_ = severity == core::Severity::warning ? &warnings_ : &errors_;
  last_->emplace_back(core::trim(line));
}

void Notices::take(const core::Diagnostics& diagnostics, const core::SourceSet& sources) {
  for (const core::Diagnostic& d : diagnostics.all()) {
    if (d.severity == core::Severity::note) continue;
    std::string text = d.subject.empty() ? d.message : d.subject + ": " + d.message;
    if (sources.has(d.span.file)) {
      const core::SourceFile& file = sources.file(d.span.file);
      text = file.path() + ":" + std::to_string(file.position(d.span.begin).line) + ": " + text;
    }
    (d.severity == core::Severity::warning ? warnings_ : errors_).push_back(std::move(text));
  }
}

}  // namespace trunnion::api
