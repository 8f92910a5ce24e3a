// Calls of runtime and library functions, with their places in the source.
//
//   cudaMemcpyAsync(…)  →  (::hirace::HostCall(SITE), cudaMemcpyAsync(…))
//
// In device code, with `in_kernel(SITE)` in place of the object.
//
// The object lives until the end of the full expression. The function takes the site when it begins, so a
// call among the arguments of another one has a site of its own.
#pragma once

#include <utility>

#include "../../hooks/site.h"
#include "../order/engine_use.h"
#include "../check/thread.h"

namespace hirace {

class HostCall {
 public:
  explicit HostCall(SiteId site) : site_(site), outer_(latest) {
    // Kernels run on fibers, which must not share a stack of calls.
    if (!cpu::monitor.in_kernel) latest = this;
  }
  ~HostCall() {
    if (latest == this) latest = outer_;
  }
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;

  // The site of the call that has just begun.
  static SiteId take() {
    if (cpu::monitor.in_kernel) return std::exchange(cpu::monitor.call_site, unknown_site);
    if (latest == nullptr) return unknown_site;
    const SiteId site = latest->site_;
    latest = latest->outer_;
    return site;
  }

 private:
  const SiteId site_;
  HostCall* const outer_;
  static inline thread_local HostCall* latest = nullptr;
};

// A copy or a fill by a kernel is work of a stream of the kernel, as a launch is.
template <class Construct = KernelLaunch>
void in_kernel(SiteId site) {
  cpu::note_use<Construct>();
  if (cpu::monitor.in_kernel) cpu::monitor.call_site = site;
}

namespace cpu {

// The call of a function, as reports name it.
struct Call {
  const char* name;
  SiteId site;
};

// While it lives, calls have this name: that of the function that the user called, and which calls another one.
class CallName {
 public:
  explicit CallName(const char* name) : outer_(current) { current = name; }
  ~CallName() { current = outer_; }
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;

  static const char* instead_of(const char* name) { return current != nullptr ? current : name; }

 private:
  const char* const outer_;
  static inline thread_local const char* current = nullptr;
};

inline Call call_of(const char* name) { return {CallName::instead_of(name), HostCall::take()}; }

}  // namespace cpu

}  // namespace hirace
