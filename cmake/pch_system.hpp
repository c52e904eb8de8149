// What nearly every file above src/system includes. Files still include what they use.
#pragma once

#include "pch.hpp"

#include <complex>
#include <fstream>
#include <limits>
#include <numbers>

#include <Eigen/SparseCore>

#include "model/model.hpp"
#include "system/system.hpp"
