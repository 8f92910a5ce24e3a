// verdict: clean
// Every generator and most distributions of cuRAND for kernels: in private memory, in shared memory with a
// barrier between two users, and in global memory between launches; direction vectors in global memory.
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

template <class State>
__device__ float drawn(State *state) {
  float sum = curand_uniform(state) + (float)curand_uniform_double(state) + curand_normal(state);
  sum += curand_log_normal(state, 0.0f, 0.5f) + (float)curand_normal_double(state);
  return sum + (float)curand_poisson(state, 4.0) + (float)(curand(state) % 8);
}

__global__ void in_private_memory(float *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateXORWOW_t xorwow;
  curandStateMRG32k3a_t mrg;
  curandStatePhilox4_32_10_t philox;
  curand_init(1, t, 0, &xorwow);
  curand_init(2, t, 0, &mrg);
  curand_init(3, t, 0, &philox);
  const float4 four = curand_uniform4(&philox);
  const float2 two = curand_normal2(&xorwow);
  out[t] = drawn(&xorwow) + drawn(&mrg) + drawn(&philox) + four.w + two.y;
}

__global__ void in_shared_memory(float *out) {
  __shared__ curandStatePhilox4_32_10_t state;
  const int t = threadIdx.x;
  if (t == 0) curand_init(4, blockIdx.x, 0, &state);
  __syncthreads();
  if (t == blockDim.x - 1) skipahead(17, &state);
  __syncthreads();
  curandStatePhilox4_32_10_t own = state;
  skipahead(4 * t, &own);
  out[blockIdx.x * blockDim.x + t] += curand_normal(&own);
}

__global__ void begin_sequences(curandStateSobol32_t *states, curandDirectionVectors32_t *vectors) {
  curand_init(vectors[blockIdx.x], threadIdx.x * 100, &states[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void continue_sequences(curandStateSobol32_t *states, float *out, curandDiscreteDistribution_t poisson) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] += curand_uniform(&states[t]) + (float)curand_discrete(states + t, poisson);
}

int main() {
  const int blocks = 3, threads = 64, count = blocks * threads;
  float *out;
  curandStateSobol32_t *states;
  curandDirectionVectors32_t *table, *vectors;
  curandDiscreteDistribution_t poisson;
  cudaMallocManaged(&out, count * sizeof(float));
  cudaMalloc(&states, count * sizeof(curandStateSobol32_t));
  cudaMalloc(&vectors, blocks * sizeof(curandDirectionVectors32_t));
  curandGetDirectionVectors32(&table, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  cudaMemcpy(vectors, table, blocks * sizeof(curandDirectionVectors32_t), cudaMemcpyHostToDevice);
  curandCreatePoissonDistribution(6.0, &poisson);
  in_private_memory<<<blocks, threads>>>(out);
  in_shared_memory<<<blocks, threads>>>(out);
  begin_sequences<<<blocks, threads>>>(states, vectors);
  continue_sequences<<<blocks, threads>>>(states, out, poisson);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += !(out[i] > -30 && out[i] < 500);
  std::printf("%d\n", wrong);
  curandDestroyDistribution(poisson);
  cudaFree(vectors);
  cudaFree(states);
  cudaFree(out);
  return wrong != 0;
}
