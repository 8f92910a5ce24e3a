// PyTorch's checks of the results of the runtime. Those of its libraries are left out.
#pragma once
#pragma GCC system_header

#include "../../c10/cuda/CUDAException.h"

#define AT_CUDA_CHECK(expression) C10_CUDA_CHECK(expression)
