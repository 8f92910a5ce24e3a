//! run flag -> 1: livelock in kernel flag: 33 threads wait forever, 31 more wait at barriers
//! run flag HIRACE_SEED=3 -> 1: livelock in kernel flag
//! run lock -> 1: livelock in kernel lock
//! run lock HIRACE_SEED=4 -> 1: livelock in kernel lock
//! run added -> 1: livelock in kernel added
//! run exchanged -> 1: livelock in kernel exchanged
//! run several_places -> 1: 32 threads, first (0,0,0) of block (0,0,0), at
//! run slept -> 1: livelock in kernel slept
//! run shared -> 1: livelock in kernel shared
//! run managed -> 2: threads wait for the host or another stream in kernel managed
//! run counted -> 0
//! run timed -> 0
//! run timed_by_clock -> 0
//! run toggled -> 0
//! run counts_in_memory -> 0
//! run far_apart -> 0
//! run by_host -> 0
//! run locked_long -> 0
// Threads that poll forever are a fault; threads that only poll for long are not.
#include "check.h"

#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

using Flag = volatile int;

__global__ void flag(Flag* flags, int*) {
  if (threadIdx.x <= 32) {
    while (hirace::read(1, flags[0]) == 0) {
    }
  }
  hirace::syncthreads(2);
}

// Acquired and never released.
__global__ void lock(Flag*, int* data) {
  while (hirace::atomicCAS(1, data, 0, 1) != 0) {
  }
}

__global__ void added(Flag*, int* data) {
  while (hirace::atomicAdd(1, data, 0) == 0 && hirace::atomicOr(2, data + 1, 0) == 0) {
  }
}

__global__ void exchanged(Flag*, int* data) {
  while (hirace::atomicExch(1, data, 1) != 0) {
  }
}

__global__ void several_places(Flag* flags, int*) {
  if (threadIdx.x < 32) {
    while (hirace::read(1, flags[0]) == 0) {
    }
  } else {
    while (hirace::read(2, flags[1]) == 0 || hirace::read(3, flags[2]) == 0) {
    }
  }
}

// Sleeps for longer and longer, up to a limit.
__global__ void slept(Flag* flags, int*) {
  unsigned nanoseconds = 8;
  while (hirace::read(1, flags[0]) == 0) {
    __nanosleep(nanoseconds);
    if (nanoseconds < 256) nanoseconds *= 2;
  }
}

__global__ void shared(Flag*, int*) {
  typedef volatile int buffer[2];
  buffer& s = hirace::cpu::shared<buffer, 1>();
  if (threadIdx.x == 0) hirace::write(1, s[0]) = 0;
  hirace::syncthreads(2);
  while (hirace::read(3, s[0]) == 0) {
  }
}

// The host could change the flag while a kernel runs.
__global__ void managed_flag(Flag* flags) {
  while (hirace::read(1, flags[0]) == 0) {
  }
}

// Gives up after many polls.
__global__ void counted(Flag* flags, int* data) {
  for (int polls = 0; hirace::read(1, flags[0]) == 0; ++polls) {
    if (polls == 200000) return;
  }
  hirace::write(2, data[0]) = 1;
}

__global__ void timed(Flag* flags, int*) {
  const long long start = clock64();
  while (hirace::read(1, flags[0]) == 0 && clock64() - start < 300000000) {
  }
}

__global__ void timed_by_clock(Flag* flags, int*) {
  const clock_t start = clock();
  while (hirace::read(1, flags[0]) == 0 && clock() - start < 300000000) {
  }
}

// One thread changes the value that the others wait for and restores it, repeatedly.
__global__ void toggled(Flag* flags, int* data) {
  if (threadIdx.x == 0) {
    for (int done = 0; done < 3; done = hirace::atomicAdd(1, data, 0)) {
      hirace::write(2, flags[0]) = 0;
      hirace::write(2, flags[0]) = 1;
    }
  } else {
    int seen = 0;
    while (seen < 1000) {
      if (hirace::read(3, flags[0]) != 0) ++seen;
    }
    hirace::atomicAdd(4, data, 1);
  }
}

// Only memory changes.
__global__ void counts_in_memory(Flag* flags, int* data) {
  if (threadIdx.x == 0) {
    while (hirace::read(1, flags[0]) == 0) hirace::update(2, data[0]) += 1;
  } else {
    while (hirace::read(3, *const_cast<volatile int*>(data)) < 500000) {
    }
    hirace::write(4, flags[0]) = 1;
  }
}

// One thread computes for long, accessing only its own memory; the others wait.
__global__ void far_apart(Flag* flags, int* data) {
  if (threadIdx.x == 0) {
    unsigned value = 1;
    for (int i = 0; i < 3000000; ++i) value = value * 1664525 + 1013904223 + static_cast<unsigned>(hirace::read(1, data[0]));
    hirace::write(2, flags[0]) = value != 0 ? 1 : 2;
  } else {
    while (hirace::read(3, flags[0]) == 0) {
    }
  }
}

__global__ void locked_long(Flag*, int* data) {
  if (threadIdx.x % 32 != 0) return;
  while (hirace::atomicCAS(1, data, 0, 1) != 0) {
  }
  for (int i = 0; i < 100000; ++i) static_cast<void>(hirace::read(2, data[1]));
  hirace::atomicExch(3, data, 0);
}

int main(int, char** arguments) {
  int* device = nullptr;
  CHECK(cudaMalloc(&device, 64 * sizeof(int)) == cudaSuccess);
  CHECK(cudaMemset(device, 0, 64 * sizeof(int)) == cudaSuccess);
  Flag* const flags = device + 32;
  int* const data = device;
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
#define RUN(name, blocks, threads) \
  if (is(#name)) launch(#name, blocks, threads, 0, [=] { name(flags, data); })
  RUN(flag, 1, 64);
  RUN(lock, 3, 64);
  RUN(added, 2, 32);
  RUN(exchanged, 2, 32);
  RUN(several_places, 1, 96);
  RUN(slept, 1, 32);
  RUN(shared, 2, 32);
  RUN(counted, 1, 4);
  RUN(timed, 1, 2);
  RUN(timed_by_clock, 1, 2);
  RUN(toggled, 1, 4);
  RUN(counts_in_memory, 1, 2);
  RUN(far_apart, 1, 32);
  RUN(locked_long, 8, 64);
  if (is("managed")) {
    Flag* const flag = managed<int>(1);
    launch("managed", 1, 32, 0, [=] { managed_flag(flag); });
  }
  if (is("by_host")) {
    // Sleeps until the launch has long been doing nothing but polling.
    Flag* const flag = managed<int>(1);
    std::thread host([=] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      *flag = 1;
    });
    launch("by_host", 1, 32, 0, [=] { managed_flag(flag); });
    host.join();
  }
}
