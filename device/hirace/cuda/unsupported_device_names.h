// The device functions that the executor recognises but does not support, with advice for each.
#pragma once

#include "unsupported_macros.h"

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
