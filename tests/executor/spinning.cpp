//! run -> 0
//! run HIRACE_JOBS=1 -> 0
//! run HIRACE_JOBS=4 -> 0
//! run HIRACE_SEED=5 -> 0
// Threads that wait for others without a barrier: locks, flags, chains of blocks.
#include "check.h"

__device__ void lock(int* mutex) {
  while (hirace::atomicCAS(0, mutex, 0, 1) != 0) {
  }
}
__device__ void unlock(int* mutex) { hirace::atomicExch(0, mutex, 0); }

__global__ void locked_increment(int* mutex, int* value) {
  lock(mutex);
  const int old = hirace::read(0, *value);
  __nanosleep(100);
  hirace::write(0, *value) = old + 1;
  unlock(mutex);
}

// Block i waits for block i - 1, in whatever order they start.
__global__ void chain(volatile int* flags, int* order) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      while (hirace::read(0, flags[blockIdx.x - 1]) == 0) {
      }
    }
    order[blockIdx.x] = static_cast<int>(blockIdx.x);
    hirace::threadfence(0);
    hirace::write(0, flags[blockIdx.x]) = 1;
  }
  hirace::syncthreads(0);
}

// One thread waits for another of its block that starts later.
__global__ void hand_over(int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (hirace::atomicAdd(0, flag, 0) == 0) {
    }
    *out = 1;
  } else if (threadIdx.x == 99) {
    hirace::atomicExch(0, flag, 1);
  }
}

// Plain reads, without a call that shows that the thread waits.
__global__ void plain_flag(int* flag) {
  if (threadIdx.x == 0) {
    while (hirace::read(0, *flag) == 0) {
    }
  } else {
    hirace::write(0, *flag) = 1;
  }
}

// Runs long without waiting.
__global__ void long_work(int* data, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) hirace::update(0, data[i]) += 1;
}

int main() {
  int* data = managed<int>(4096);
  launch("locked_increment", 200, 64, 0, [=] { locked_increment(data, data + 1); });
  CHECK(data[1] == 200 * 64);

  volatile int* flags = managed<int>(4096);
  launch("chain", 50, 32, 0, [=] { chain(flags, data); });
  for (int i = 0; i < 50; ++i) CHECK(data[i] == i);

  CHECK(cudaMemset(data, 0, 16) == cudaSuccess);
  launch("hand_over", 1, 100, 0, [=] { hand_over(data, data + 1); });
  CHECK(data[1] == 1);

  CHECK(cudaMemset(data, 0, 16) == cudaSuccess);
  launch("plain_flag", 1, 2, 0, [=] { plain_flag(data); });

  CHECK(cudaMemset(data, 0, 4096 * sizeof(int)) == cudaSuccess);
  launch("long_work", 2, 64, 0, [=] { long_work(data, 20000); });
  for (int i = 0; i < 128; ++i) CHECK(data[i] == 20000);
}
