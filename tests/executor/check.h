// Shared by the programs of this directory, which are written like the instrumenter's output, check
// themselves, and report what failed.
#pragma once

#include <hirace/hirace.cuh>

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
      std::exit(1);                                                          \
    }                                                                        \
  } while (false)

// Launches with the default configuration.
template <class Body>
void launch(const char* kernel, dim3 grid, dim3 block, std::size_t shared, Body body) {
  hirace::cpu::launch(hirace::LaunchInfo{kernel, 0, true, 3, 0u, 0xffffffffu}, grid, block, shared, nullptr, body);
  CHECK(cudaGetLastError() == cudaSuccess);
}

template <class T>
T* managed(std::size_t count) {
  T* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, count * sizeof(T)) == cudaSuccess);
  CHECK(cudaMemset(memory, 0, count * sizeof(T)) == cudaSuccess);
  return memory;
}
