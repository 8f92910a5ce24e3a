// The CPU executor as the GPU of runtime.cpp. It runs threads and owns memory; it checks nothing, because the
// program does.
#define HIRACE_LIBRARY 1
#define HIRACE_BUILDS_LIBRARY
#include <hirace/hirace.cuh>
#include <hirace/executor/loaded_module.h>

#include "executor.h"

namespace {

// The records are those of the program: the executor must not write its own to the same file.
char* hidden_records = nullptr;
__attribute__((constructor(101))) void hide_records() {
  const char* const records = getenv("HIRACE_RECORDS");
  if (records == nullptr) return;
  hidden_records = strdup(records);
  unsetenv("HIRACE_RECORDS");
}

// The runtime of the tests has limits of its own.
const bool dynamic_shared_is_free = [] {
  hirace::cpu::raise_dynamic_shared();
  return true;
}();

// Initialised after the executor's recorder.
const bool records_are_shown = [] {
  return hidden_records == nullptr || setenv("HIRACE_RECORDS", hidden_records, 1) == 0;
}();

// What the system of a GPU of compute capability 8.0 or later reserves at the start of a block's shared memory: the
// program has no shadow words for it (device/hirace/gpu/shared_shadow.h). Initialised before the program's variables.
const std::size_t system_memory = hirace::cpu::reserve_shared(1024, 1, 0, {});

const hirace::cpu::loaded::Kernel& known(const void* kernel) {
  return *static_cast<const hirace::cpu::loaded::Kernel*>(kernel);
}

}  // namespace

namespace ptx_gpu {

void* allocate(std::size_t bytes, Memory kind) {
  void* memory = nullptr;
  switch (kind) {
    case Memory::device: static_cast<void>(cudaMalloc(&memory, bytes)); break;
    case Memory::managed: static_cast<void>(cudaMallocManaged(&memory, bytes)); break;
    case Memory::host: static_cast<void>(cudaMallocHost(&memory, bytes, 0)); break;
  }
  static_cast<void>(cudaGetLastError());
  return memory;
}

bool release(void* memory) {
  const bool released = cudaFree(memory) == cudaSuccess || cudaFreeHost(memory) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return released;
}

void copy(void* to, const void* from, std::size_t bytes) {
  const hirace::cpu::DeviceAccess access;
  std::memmove(to, from, bytes);
}
void fill(void* memory, int value, std::size_t bytes) {
  const hirace::cpu::DeviceAccess access;
  std::memset(memory, value, bytes);
}

const void* find_kernel(const char* name) {
  const auto& kernels = hirace::cpu::loaded::linked().kernels;
  const auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : &found->second;
}

std::size_t parameter_bytes(const void* kernel, std::size_t number) {
  const auto& parameters = known(kernel).parameters;
  return number < parameters.size() ? parameters[number].bytes : 0;
}

std::size_t shared_bytes(const void* kernel) {
  return known(kernel).has_shared ? hirace::cpu::shared_layout().dynamic_begin() : 0;
}

int launch(const void* kernel, const Shape& shape, void* const* arguments) {
  const dim3 grid(shape.grid[0], shape.grid[1], shape.grid[2]), block(shape.block[0], shape.block[1], shape.block[2]);
  const dim3 cluster(shape.cluster[0], shape.cluster[1], shape.cluster[2]);
  const hirace::cpu::LaunchShape whole{grid, block, shape.shared, nullptr, shape.cooperative, cluster};
  const cudaError_t refused = known(kernel).launch(hirace::unknown_site, whole, arguments);
  static_cast<void>(cudaGetLastError());
  return refused != cudaSuccess ? refused : cudaDeviceSynchronize();
}

void* find_variable(const char* name) {
  const auto& variables = hirace::cpu::loaded::linked().variables;
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.address;
}

}  // namespace ptx_gpu
