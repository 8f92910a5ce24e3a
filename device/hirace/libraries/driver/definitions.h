// What programs define themselves of modules and NVRTC if they are not linked with a compiled executor.
#pragma once

#include "../../hirace.cuh"

#if !HIRACE_LIBRARY
#include "../../executor/loaded_module.inl.h"
#include "../nvrtc/nvrtc.inl.h"
#include "launches.inl.h"
#endif
