// The hook before a kernel launch:
//
//   hirace::begin_launch({...}), kernel<<<grid, block>>>(arguments);
#pragma once

#include "monitor.h"

namespace hirace::gpu {

// Lives to the end of the launch's full expression, and keeps the announced
// launch and the one that follows together.
class LaunchGuard {
 public:
  HIRACE_FUNCTION LaunchGuard() {
#ifndef __CUDA_ARCH__
    Monitor::instance().mutex().lock();
#endif
  }
  HIRACE_FUNCTION ~LaunchGuard() {
#ifndef __CUDA_ARCH__
    Monitor::instance().mutex().unlock();
#endif
  }
  LaunchGuard(const LaunchGuard&) = delete;
  LaunchGuard& operator=(const LaunchGuard&) = delete;
};

}  // namespace hirace::gpu

namespace hirace {

// `stream` serves to find out whether the launch is captured into a graph. A launch
// by a kernel is not announced, and not checked.
HIRACE_FUNCTION gpu::LaunchGuard begin_launch(const LaunchInfo& info, cudaStream_t stream = nullptr) {
#ifndef __CUDA_ARCH__
  const gpu::LaunchGuard guard;
  gpu::Monitor::instance().begin_launch(info, stream);
#else
  (void)info, (void)stream;
#endif
  return gpu::LaunchGuard();
}

}  // namespace hirace
