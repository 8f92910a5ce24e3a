// The source of tile.ptx: nvcc -ptx -arch=sm_80 -lineinfo tile.cu
__device__ int finished;

__device__ __noinline__ float scaled(float x, int by) { return x * by; }

__global__ void reverse(const float* in, float* out, int by) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  out[blockIdx.x * 64 + t] = scaled(s[63 - t], by);
}

__global__ void reverse_without_barrier(const float* in, float* out, int by) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  out[blockIdx.x * 64 + t] = scaled(s[63 - t], by);
}

__global__ void sum(const float* in, float* out, int n) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

__global__ void count(int n) {
  if (threadIdx.x == 0) finished += n;
}
