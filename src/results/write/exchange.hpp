#pragma once
// The files that the commercial tool writes, for a run of ours: which of them a model asks for, and their writers.

#include "model/model.hpp"
#include "results/write/recorder.hpp"
#include "system/system.hpp"

namespace trunnion::results {

struct ExchangeFiles {
  bool res = false, req = false, gra = false;
  bool any() const { return res || req || gra; }
};

// RESULTS/XRF, OUTPUT/REQSAVE and GRSAVE.
ExchangeFiles asked_for(const model::Model& model);

// The model and the system must outlast the opening of the writers' files. Of statements none of whose channels match a
// pattern the .res and .req do not tell; the .gra needs all that moves.
Writers exchange_writers(const model::Model& model, const system::System& system, const ExchangeFiles& files,
                         const std::string& patterns = {});

}  // namespace trunnion::results
