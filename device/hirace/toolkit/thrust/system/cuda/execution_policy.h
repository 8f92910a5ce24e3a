// thrust::cuda::par is in the general header.
#pragma once

#include "../../execution_policy.h"
