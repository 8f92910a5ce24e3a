// What the host waits for when it copies or fills (CUDA Runtime API, "API synchronization behavior").
//
// It depends on the memory. A synchronous copy within the device does not make the host wait, nor does one
// from pageable memory wait for its own end: it returns when the data are in a buffer of the driver. Programs
// often rely on such a copy nevertheless, so its races are only possible ones. An
// asynchronous copy to pageable memory might wait; here it does, because in doubt work counts as ordered.
// Copies in graphs make nobody wait.
#pragma once

#include <cstring>
#include <memory>

#include "../scheduler/launch_expression.h"
#include "memory.inl.h"
#include "stream_call.h"

namespace hirace::cpu {

// Whose memory it is, as far as copies distinguish it.
enum class Memory { device, managed, pinned, pageable };

inline Memory memory_at(const void* pointer) {
  Allocation allocation;
  if (arena().contains(reinterpret_cast<std::uintptr_t>(pointer))) {
    const bool known = device_heap().find(pointer, allocation);
    return !known || allocation.kind == MemoryKind::device ? Memory::device
           : allocation.kind == MemoryKind::managed        ? Memory::managed
                                                           : Memory::pinned;
  }
  if (registered_memory().is_hosts(pointer)) return Memory::pinned;
  return is_device_range(pointer, 1) ? Memory::device : Memory::pageable;
}

// Where the running thread copies or fills, if it stands for a copy by a kernel.
inline thread_local SiteId site_of_copy = unknown_site;

// Defined in scheduler/launcher.h.
cudaError_t launch_copy(const Call& call, cudaStream_t stream, void (*run)(void*), std::shared_ptr<void> body);

// What the host waits for, in ascending order.
enum class HostWaits { for_nothing, for_earlier_work, for_this };

inline HostWaits most(HostWaits a, HostWaits b) { return a > b ? a : b; }

inline bool is_hosts(Memory memory) { return memory == Memory::pinned || memory == Memory::pageable; }

inline HostWaits waits_after_copy(bool synchronous, Memory to, Memory from) {
  if (is_hosts(to) && is_hosts(from)) return HostWaits::for_this;
  const bool staged = from == Memory::pageable, waits = to == Memory::pageable;
  if (!synchronous) return waits ? HostWaits::for_this : staged ? HostWaits::for_earlier_work : HostWaits::for_nothing;
  // Unified memory: as CUDA documented it before version 12.
  if (to == Memory::managed || from == Memory::managed) return HostWaits::for_this;
  if (to == Memory::device && from == Memory::device) return HostWaits::for_nothing;
  return staged ? HostWaits::for_earlier_work : HostWaits::for_this;
}

inline HostWaits waits_after_fill(bool synchronous, Memory of) {
  return synchronous && of != Memory::device ? HostWaits::for_this : HostWaits::for_nothing;
}

// The functions with "Async" in their names are asynchronous, as far as the memory permits.
inline bool is_synchronous(const Call& call) { return std::strstr(call.name, "Async") == nullptr; }

// The call of the calling host thread that copies or fills now, and what it has to wait for so far.
struct Transfer {
  bool synchronous;
  HostWaits waits = HostWaits::for_nothing;

  void copied(const void* to, const void* from) { waits = most(waits, waits_after_copy(synchronous, memory_at(to), memory_at(from))); }
  void filled(const void* memory) { waits = most(waits, waits_after_fill(synchronous, memory_at(memory))); }
};
inline thread_local Transfer* transfer = nullptr;

// A copy or a fill by a kernel: a launch of one thread, into a stream of that kernel.
template <class Function>
struct CopyByKernel {
  Function run;
  SiteId site;

  void operator()() const {
    site_of_copy = site;
    if (run() != cudaSuccess) fail(Fault::illegal_address, site, 0);
    site_of_copy = unknown_site;
  }
};

// Copies or fills in a stream, and lets the host wait.
template <class Function>
cudaError_t submit_transfer(const Call& call, cudaStream_t stream, cudaGraphNodeType type, const Function& run) {
  if (monitor.in_kernel) {
    using Copy = CopyByKernel<Function>;
    return launch_copy(call, stream, &run_threads<Copy>, std::make_shared<Copy>(Copy{run, call.site}));
  }
  const auto work = work_of(call, stream, run);
  if (is_capturing(stream)) return submit(stream, type, work);
  const LaunchClock before = clock_in(stream);
  Transfer now{is_synchronous(call)};
  transfer = &now;
  const cudaError_t error = submit(stream, type, work);
  transfer = nullptr;
  if (now.waits == HostWaits::for_earlier_work) {
    stream_order().host_waits_for(before);
    if (now.synchronous) stream_order().host_has_staged(clock_in(stream));
  }
  if (now.waits == HostWaits::for_this) host_waits_for(stream);
  return error;
}

}  // namespace hirace::cpu
