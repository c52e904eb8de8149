#pragma once
// Reads model files (.adm) and command files (.acf) into model::Model and model::Script.

#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "model/model.hpp"

namespace trunnion::lang {

// The text of a file, added to the sources; an error in diagnostics where it cannot be read.
std::optional<std::uint32_t> load_file(const std::string& path, core::SourceSet& sources,
                                       core::Diagnostics& diagnostics);

// The text itself must already be in `sources` under `file`. Syntax only: model/validate.hpp checks the rest.
model::Model read_model(const core::SourceSet& sources, std::uint32_t file, core::Diagnostics& diagnostics);
model::Script read_script(const core::SourceSet& sources, std::uint32_t file, core::Diagnostics& diagnostics);

}  // namespace trunnion::lang
