// The host runtime of the GPU backend: see host.h.
#pragma once

#include <cstdio>
#include <mutex>

#include "host.h"
#include "monitor.h"

namespace hirace::gpu {

HIRACE_RUNTIME void add_unit(SetDeviceState set) { program_parts().units.push_back(set); }

HIRACE_RUNTIME void map_symbol(const void* handle, std::size_t bytes, MapMemory map) {
  void* memory = nullptr;
  if (quietly([&] { return ::cudaGetSymbolAddress(&memory, handle); }) == cudaSuccess) {
    map(memory, bytes);
    return;
  }
  // On the host, the name of a managed variable is the variable itself.
  cudaPointerAttributes attributes{};
  if (quietly([&] { return ::cudaPointerGetAttributes(&attributes, handle); }) == cudaSuccess &&
      attributes.type == cudaMemoryTypeManaged) {
    map(handle, bytes);
  }
}

HIRACE_RUNTIME void add_symbol(VisitSymbol visit) { program_parts().symbols.push_back(visit); }

HIRACE_RUNTIME void note_shared_size_use() { program_parts().use_shared_size = true; }

HIRACE_RUNTIME CUkern_st* kernel_of([[maybe_unused]] const void* function) {
  CUkern_st* kernel = nullptr;
#if CUDART_VERSION >= 12010
  if (quietly([&] { return ::cudaGetKernel(&kernel, function); }) != cudaSuccess) return nullptr;
#endif
  return kernel;
}

HIRACE_RUNTIME const LaunchInfo* open_launch(const LaunchInfo& info, bool hooked) {
  Monitor& monitor = Monitor::instance();
  monitor.mutex().lock();
  const LaunchInfo* const outer = monitor.expect(&info);
  if (!hooked) monitor.begin_launch(nullptr);
  return outer;
}

HIRACE_RUNTIME void close_launch(const LaunchInfo* outer) {
  Monitor::instance().expect(outer);
  Monitor::instance().mutex().unlock();
}

HIRACE_RUNTIME cudaError_t run_launch(const KernelCall& call, Callback<cudaError_t(const KernelCall&)> run) {
  return Monitor::instance().launch(call, run);
}

HIRACE_RUNTIME cudaError_t allocate(const CallPlace& place, Callback<cudaError_t()> call, Callback<Allocated()> result) {
  Monitor& monitor = Monitor::instance();
  const std::lock_guard<std::recursive_mutex> lock(monitor.mutex());
  cudaError_t error = call();
  while (error == cudaErrorMemoryAllocation && monitor.reclaim()) {
    static_cast<void>(::cudaGetLastError());
    error = call();
  }
  if (error != cudaSuccess) return error;
  const Allocated allocated = result();
  if (allocated.memory == nullptr) return error;
  const std::size_t without = monitor.map(const_cast<const void*>(allocated.memory), allocated.bytes);
  if (without != 0) {
    std::fprintf(stderr, "hirace: %s:%u: out of device memory for shadow: %zu of these %zu bytes are not checked\n",
                 place.file, place.line, without, allocated.bytes);
  }
  return error;
}

HIRACE_RUNTIME cudaError_t release(const void* memory, Callback<cudaError_t()> call) {
  Monitor& monitor = Monitor::instance();
  const std::lock_guard<std::recursive_mutex> lock(monitor.mutex());
  const cudaError_t error = call();
  if (error == cudaSuccess && memory != nullptr) monitor.unmap(memory);
  return error;
}

HIRACE_RUNTIME cudaError_t reset_device() {
  Monitor& monitor = Monitor::instance();
  const std::lock_guard<std::recursive_mutex> lock(monitor.mutex());
  monitor.reset();
  return ::cudaDeviceReset();
}

HIRACE_RUNTIME cudaError_t waited(cudaError_t error, bool all) {
  Monitor& monitor = Monitor::instance();
  const std::lock_guard<std::recursive_mutex> lock(monitor.mutex());
  monitor.waited(error, all);
  return error;
}

}  // namespace hirace::gpu
