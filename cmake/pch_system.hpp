// What nearly every file above src/system includes. Files still include what they use.
#pragma once

#include <complex>
#include <fstream>
#include <limits>
#include <numbers>

#include <Eigen/SparseCore>

#include "model/model.hpp"
#include "pch.hpp"
#include "system/system.hpp"
