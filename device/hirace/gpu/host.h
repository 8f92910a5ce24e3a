// What the host runtime of the GPU backend offers to the files of a program.
//
// These functions are all that instrumented host code calls. host.inl.h defines them: in every file, or once
// (HIRACE_LIBRARY). nvcc spends most of its time for a small file on that code, so the device's compilation does not
// get it either. No type of the C++ library is in these declarations: the two sides may be compiled with other options.
#pragma once

#include <cuda_runtime.h>

#include "../hooks/launch.h"
#include "callback.h"
#include "state.h"

struct CUkern_st;  // CUDA's, from version 12 on

namespace hirace::gpu {

// Sets the pointers in a unit's device code.
using SetDeviceState = cudaError_t (*)(DeviceState*, const WindowView&);
void add_unit(SetDeviceState set);

using MapMemory = void (*)(const void* memory, std::size_t bytes);
// Passes the memory of a __device__ or __managed__ variable, which `handle` names, to `map`.
void map_symbol(const void* handle, std::size_t bytes, MapMemory map);
class SymbolMonitor;
using VisitSymbol = void (*)(SymbolMonitor);
void add_symbol(VisitSymbol visit);

// Device code may query how much shared memory its block has.
void note_shared_size_use();

// A kernel launch as passed to the CUDA runtime.
struct KernelCall {
  CUkern_st* kernel;  // null: unknown
  dim3 grid, block;
  void** arguments;    // a pointer to each argument's bytes
  std::size_t shared;  // bytes of dynamic shared memory
  cudaStream_t stream;
};

// Null for a function that is not a kernel, or before kernels had handles.
CUkern_st* kernel_of(const void* function);

// Describes the calling thread's next launch, and keeps other threads from launching until `close_launch`. `hooked`:
// the launch will come by `run_launch`. Returns the description of the launch around it, for `close_launch`.
const LaunchInfo* open_launch(const LaunchInfo& info, bool hooked);
void close_launch(const LaunchInfo* outer);

// Performs a launch by `run`; it is announced if it is the expected one.
cudaError_t run_launch(const KernelCall& call, Callback<cudaError_t(const KernelCall&)> run);

// The site of a call, as a default argument of the called function.
struct CallPlace {
  const char* file;
  unsigned line;

  static constexpr CallPlace here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { return {file, line}; }
};

struct Allocated {
  const volatile void* memory;
  std::size_t bytes;
};

// Allocates by `call`, retrying while shadow can be released for it, and gives the result shadow.
cudaError_t allocate(const CallPlace& place, Callback<cudaError_t()> call, Callback<Allocated()> result);
cudaError_t release(const void* memory, Callback<cudaError_t()> call);
cudaError_t reset_device();

// The program has waited for something, with this result. `all`: for all kernels.
cudaError_t waited(cudaError_t error, bool all);

}  // namespace hirace::gpu
