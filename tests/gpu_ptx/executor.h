// What runtime.cpp needs of the CPU executor. NVIDIA's headers and the executor's cannot be included together.
#pragma once

#include <cstddef>

namespace ptx_gpu {

struct Shape {
  unsigned grid[3], block[3], cluster[3];
  std::size_t shared;  // bytes of dynamic shared memory
  bool cooperative;
};

enum class Memory { device, managed, host };

// Null if there is none.
void* allocate(std::size_t bytes, Memory kind);
bool release(void* memory);
void copy(void* to, const void* from, std::size_t bytes);
void fill(void* memory, int value, std::size_t bytes);

// A kernel of the translated PTX; null if there is none of that name.
const void* find_kernel(const char* name);
// Bytes of a parameter; 0 if there are fewer.
std::size_t parameter_bytes(const void* kernel, std::size_t number);
// Bytes of the static variables in shared memory.
std::size_t shared_bytes(const void* kernel);
// Runs a kernel to its end. Returns the number of a CUDA error, which is 0 for success.
int launch(const void* kernel, const Shape& shape, void* const* arguments);

// The address of a variable; null if the PTX has none of that name.
void* find_variable(const char* name);

}  // namespace ptx_gpu
