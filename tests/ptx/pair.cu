// The source of pair.ptx: nvcc -ptx -arch=sm_90 -lineinfo pair.cu
#include <cooperative_groups.h>

// Each block hands its values to the other one of its cluster.
__device__ void exchange(const float* a, float* b, bool waits) {
  auto cluster = cooperative_groups::this_cluster();
  __shared__ float given[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cluster.sync();
  cluster.map_shared_rank(given, cluster.block_rank() ^ 1)[threadIdx.x] = a[i];
  if (waits) cluster.sync();
  b[i] = given[threadIdx.x] + 100.0f * cluster.num_blocks();
  cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) required(const float* a, float* b) { exchange(a, b, true); }
__global__ void __cluster_dims__(2, 1, 1) without_barrier(const float* a, float* b) { exchange(a, b, false); }
__global__ void given_at_launch(const float* a, float* b) { exchange(a, b, true); }
