// nvcuda::experimental::pipeline is not here: cuda::pipeline and the primitives are.
#pragma once

#include "../../hirace.cuh"

#include "../async_copy.h"
#include "../cuda_pipeline.h"
