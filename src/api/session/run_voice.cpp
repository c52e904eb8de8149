#include "api/session/run_voice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/present/statement_places.hpp"

namespace trunnion::api {

namespace {

constexpr const char* word_of(core::Severity severity) {
  switch (severity) {
    case core::Severity::error: return "error: ";
    case core::Severity::warning: return "warning: ";
    case core::Severity::note: break;
  }
  return "";
}

// Whose it is and what: places change where a model is read anew.
std::string identity(const core::Diagnostic& d) { return d.subject + '\n' + d.message; }

}  // namespace

RunVoice::RunVoice(const Project& project, const RunOptions& options,
                   const std::function<void(const std::string&)>& user, const Session& session)
    : project_(project), options_(options), user_(user), session_(session) {
  notices_.take(project.diagnostics, project.sources);
  for (const core::Diagnostic& d : project.diagnostics.all()) found_.insert(identity(d));
}

// In a rehearsal only warnings and errors, and the lines that go on with them, set in.
void RunVoice::say(core::Severity severity, const std::string& place, const std::string& line) {
  const bool goes_on = severity == core::Severity::note && line.starts_with("  ");
  if (!goes_on) grave_ = severity != core::Severity::note;
  if (options_.rehearse && !grave_) return;
  put(place + word_of(severity) + line);
  notices_.take(severity, place + line);
}

void RunVoice::put(const std::string& line) {
  if (options_.progress_done) options_.progress_done();
  user_(line);
  file_.line(line);
}

void RunVoice::say(const core::Diagnostics& diagnostics) {
  core::Diagnostics fresh;
  for (const core::Diagnostic& d : diagnostics.all()) {
    const bool told = !found_.insert(identity(d)).second;
    if (d.severity == core::Severity::error) fresh.error(d.span, d.subject, d.message, d.hint);
    else if (!told) fresh.warning(d.span, d.subject, d.message, d.hint);
  }
  if (fresh.all().empty()) return;
  fresh.sort();
  std::string text = core::render(fresh, project_.sources);
  if (const std::size_t rest = diagnostics.error_count() - fresh.error_count(); rest > 0)
    text += fmt::format("… and {} more error{}\n", rest, rest == 1 ? "" : "s");
  text.pop_back();  // the end of its last line
  put(text);
  notices_.take(fresh, project_.sources);
}

void RunVoice::say_all(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) say(line);
}

void RunVoice::warn_once(const std::string& line, const model::Statement& about) {
  if (std::find(warned_.begin(), warned_.end(), line) != warned_.end()) return;
  warned_.push_back(line);
  warn(line, place_of(about));
}

void RunVoice::say_places(const std::vector<core::Words>& messages) {
  say_all(statement_places(messages, session_.model(), project_.sources));
}

void RunVoice::warn_about(const core::Words& line) {
  warn(line);
  say_places({line});
}

std::string RunVoice::place_of(const model::Statement& about) const {
  if (!project_.sources.has(about.span.file)) return {};
  const core::SourceFile& file = project_.sources.file(about.span.file);
  return fmt::format("{}:{}: ", file.path(), file.position(about.span.begin).line);
}

}  // namespace trunnion::api
