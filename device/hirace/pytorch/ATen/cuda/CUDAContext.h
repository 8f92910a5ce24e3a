// As PyTorch's header, without the handles of cuBLAS, cuSPARSE and cuSOLVER.
#pragma once
#pragma GCC system_header

#include "../../c10/cuda/CUDAGuard.h"
#include "CUDAContextLight.h"
