// The hook before a kernel launch:
//
//   hirace::begin_launch({...}), kernel<<<grid, block>>>(arguments);
#pragma once

#include "launch_hook.h"

namespace hirace::gpu {

// Lives until the end of a launch's full expression, and connects the launch with its description.
// Launches by a kernel are not announced and not checked.
class LaunchGuard {
 public:
  HIRACE_FUNCTION explicit LaunchGuard(const LaunchInfo& info) : info_(info) {
#ifndef __CUDA_ARCH__
    outer_ = open_launch(info_, launches_are_hooked());
#endif
  }
  HIRACE_FUNCTION ~LaunchGuard() {
#ifndef __CUDA_ARCH__
    close_launch(outer_);
#endif
  }
  LaunchGuard(const LaunchGuard&) = delete;
  LaunchGuard& operator=(const LaunchGuard&) = delete;

 private:
  const LaunchInfo info_;
  const LaunchInfo* outer_ = nullptr;  // of the launch whose arguments contain this one
};

}  // namespace hirace::gpu

namespace hirace {

HIRACE_FUNCTION gpu::LaunchGuard begin_launch(const LaunchInfo& info) { return gpu::LaunchGuard(info); }

}  // namespace hirace
