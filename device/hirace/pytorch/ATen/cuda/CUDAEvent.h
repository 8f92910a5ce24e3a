// The name under which extensions include PyTorch's events.
#pragma once
#pragma GCC system_header

#include "../../c10/cuda/CUDAEvent.h"
#include "CUDAContextLight.h"
