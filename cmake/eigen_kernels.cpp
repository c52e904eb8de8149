#define TRUNNION_KERNEL template
#include "eigen_kernels.hpp"
