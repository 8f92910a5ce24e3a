// One aligned read of four bytes, plain and checked, in global and in shared memory: what
// `cargo xtask resources` counts the instructions of.
#include "hirace/hirace.cuh"

extern "C" __global__ void plain_global(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
extern "C" __global__ void checked_global(const int* in, int* out) { out[threadIdx.x] = hirace::read(1, in[threadIdx.x]); }

// What a read of an array that nobody writes takes until the check is known to be none.
extern "C" __global__ void plain_skipped(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
extern "C" __global__ void checked_skipped(const int* in, int* out) {
  if (!hirace::gpu::cannot_be_written<sizeof(int)>(0, &in[threadIdx.x])) __trap();
  out[threadIdx.x] = in[threadIdx.x];
}

// Written by a kernel that does not read it, as far as a compiler can tell.
extern __shared__ int tile[];

extern "C" __global__ void plain_shared(int* out) { out[threadIdx.x] = tile[threadIdx.x]; }
extern "C" __global__ void checked_shared(int* out) { out[threadIdx.x] = hirace::read(1, tile[threadIdx.x]); }
