// nvcuda::experimental::pipeline is not here: cuda::pipeline and the primitives are.
#pragma once

#include "../hirace.cuh"

#include "../libraries/async_copy.h"
#include "../libraries/cuda_pipeline.h"
