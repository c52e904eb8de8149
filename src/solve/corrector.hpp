#pragma once
#include "solve/stage_solver.hpp"

namespace trunnion::solve {
using Corrector = StageSolver;
}
