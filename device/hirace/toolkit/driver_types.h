// The executor has what this header of the CUDA toolkit declares.
#pragma once

#include "../hirace.cuh"
