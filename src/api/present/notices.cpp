#include "api/present/notices.hpp"

#include "core/text.hpp"

namespace trunnion::api {

namespace {

// Takes the word out of the line, and says whether it was there: at the front, or behind a place in a file.
bool take_word(std::string& line, const std::string& word) {
  const std::size_t at = line.find(word);
  if (at == std::string::npos || (at > 0 && !line.substr(0, at).ends_with(": "))) return false;
  line.erase(at, word.size());
  return true;
}

}  // namespace

void Notices::take(const std::string& line) {
  if (line.starts_with("  ")) {
    if (last_) last_->back() += "\n" + line;
    return;
  }
  std::string text(core::trim(line));
  last_ = take_word(text, "warning: ") ? &warnings_ : take_word(text, "error: ") ? &errors_ : nullptr;
  if (last_) last_->push_back(std::move(text));
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
