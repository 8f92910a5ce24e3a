// The device functions that the executor recognises but does not support, with advice for each.
#pragma once

#include "unsupported_macros.h"

// Removed from CUDA for devices of compute capability 7.0 and later.
#define HIRACE_NO_MASK(name) "it has no lane mask, and CUDA has removed it; use " name " with a mask"
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __shfl, HIRACE_NO_MASK("__shfl_sync"))
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __shfl_up, HIRACE_NO_MASK("__shfl_up_sync"))
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __shfl_down, HIRACE_NO_MASK("__shfl_down_sync"))
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __shfl_xor, HIRACE_NO_MASK("__shfl_xor_sync"))
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __ballot, HIRACE_NO_MASK("__ballot_sync"))
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __any, HIRACE_NO_MASK("__any_sync"))
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __all, HIRACE_NO_MASK("__all_sync"))
#undef HIRACE_NO_MASK

#define HIRACE_GPU_ONLY "build for a GPU to check this code"
HIRACE_UNSUPPORTED_FUNCTION(void, __barrier_sync, "it has no numbered barriers; " HIRACE_GPU_ONLY)
HIRACE_UNSUPPORTED_FUNCTION(void, __barrier_sync_count, "it has no numbered barriers; " HIRACE_GPU_ONLY)

#define HIRACE_NO_MBARRIER "use cuda::barrier, or " HIRACE_GPU_ONLY
HIRACE_UNSUPPORTED_FUNCTION(void, __mbarrier_init, HIRACE_NO_MBARRIER)
HIRACE_UNSUPPORTED_FUNCTION(void, __mbarrier_inval, HIRACE_NO_MBARRIER)
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __mbarrier_arrive, HIRACE_NO_MBARRIER)
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __mbarrier_arrive_and_drop, HIRACE_NO_MBARRIER)
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __mbarrier_test_wait, HIRACE_NO_MBARRIER)
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, __mbarrier_try_wait, HIRACE_NO_MBARRIER)
HIRACE_UNSUPPORTED_FUNCTION(void, __pipeline_arrive_on, HIRACE_NO_MBARRIER)
#undef HIRACE_NO_MBARRIER
#undef HIRACE_GPU_ONLY
