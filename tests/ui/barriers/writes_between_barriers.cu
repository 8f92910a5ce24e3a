// verdict: race
// race: lines 27 and 29, variable s, shared
// race: lines 39 and 41, variable s, shared
// race: lines 55 and 57, variable s, shared
// race: lines 70 and 72, variable s, shared
// race: lines 82 and 85, variable s, shared
// race: lines 93 and 95, variable s, shared
// race: lines 108 and 110, variable s, shared
// race: lines 121 and 122, variable left, shared
// race: lines 132 and 133, variable all, shared
// race: lines 136 and 143, variable s, shared
// race: lines 150 and 153, variable s, shared
// race: lines 157 and 164, variable by_name, shared
// race: lines 173 and 174, variable s, shared
// race: lines 182 and 184, variable s, shared
// race: lines 193 and 194, variable first, shared
// Stores between two barriers, reached on various paths, where another thread reads.
#include <cstdio>

constexpr int threads = 64;

__global__ void next_round(float* out, int rounds) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  float x = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = i;
    __syncthreads();
    x += s[threads - 1 - t];
  }
  out[t] = x;
}

__global__ void past_the_barrier(float* out, int rounds) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  float x = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = i;
    __syncthreads();
    x += s[threads - 1 - t];
    if (i == 0) continue;
    __syncthreads();
  }
  out[t] = x;
}

#define SKIP_FIRST(i) if ((i) == 0) continue

__global__ void past_the_barrier_by_macro(float* out, int rounds) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  float x = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = i;
    __syncthreads();
    x += s[threads - 1 - t];
    SKIP_FIRST(i);
    __syncthreads();
  }
  out[t] = x;
}

__global__ void other_branch(float* out) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t < threads / 2) {
    out[t] = s[t + threads / 2];
  } else {
    s[t] = 0;
  }
}

__global__ void before_returning(float* out) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t >= threads / 2) {
    s[t] = 0;
    return;
  }
  out[t] = s[t + threads / 2];
}

__global__ void barrier_in_one_branch(float* out, bool wait) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[threads - 1 - t];
  if (wait) __syncthreads();
  s[t] = 0;
}

__global__ void falling_through(float* out, int way) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  switch (way) {
    case 0:
      out[t] = s[threads - 1 - t];
      break;
    case 1:
      out[t] = s[threads - 1 - t];
    default:
      s[t] = 0;
  }
}

__global__ void in_the_condition(float* out) {
  __shared__ int left[threads];
  const int t = threadIdx.x;
  left[t] = 1;
  __syncthreads();
  do {
    __syncthreads();
    left[t] = 0;
  } while (left[threads - 1 - t] > 1);
  out[t] = t;
}

__global__ void by_pointer(float* out) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  float* const all = s;
  s[t] = t;
  __syncthreads();
  out[t] = s[threads - 1 - t];
  all[t] = 0;
}

__device__ void clear(float& x) { x = 0; }

__global__ void by_reference(float* out) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[threads - 1 - t];
  clear(s[t]);
}

__global__ void by_lambda(float* out) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  auto clear_one = [&](int i) { s[i] = 0; };
  s[t] = t;
  __syncthreads();
  out[t] = s[threads - 1 - t];
  clear_one(t);
}

#define CLEAR(i) by_name[i] = 0

__global__ void by_macro(float* out) {
  __shared__ float by_name[threads];
  const int t = threadIdx.x;
  by_name[t] = t;
  __syncthreads();
  out[t] = by_name[threads - 1 - t];
  CLEAR(t);
}

__global__ void by_atomic(float* out) {
  __shared__ float s[threads];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[threads - 1 - t];
  atomicAdd(&s[t], 1.0f);
}

__global__ void to_a_member(float* out) {
  __shared__ float4 s[threads];
  const int t = threadIdx.x;
  s[t] = make_float4(1, 2, 3, 4);
  __syncthreads();
  const float4 other = s[threads - 1 - t];
  out[t] = other.x;
  s[t].x = 0;
}

// Some bytes behind the end of one array the other one begins.
__global__ void from_the_neighbour(float* out, int beyond) {
  __shared__ float first[threads], second[threads];
  const int t = threadIdx.x;
  first[t] = second[t] = t;
  __syncthreads();
  out[t] = second[threads - 1 - t];
  first[t + beyond] = 0;
}

int main() {
  float* out;
  cudaMalloc(&out, threads * sizeof(float));
  next_round<<<1, threads>>>(out, 3);
  past_the_barrier<<<1, threads>>>(out, 3);
  past_the_barrier_by_macro<<<1, threads>>>(out, 3);
  other_branch<<<1, threads>>>(out);
  before_returning<<<1, threads>>>(out);
  barrier_in_one_branch<<<1, threads>>>(out, false);
  falling_through<<<1, threads>>>(out, 1);
  in_the_condition<<<1, threads>>>(out);
  by_pointer<<<1, threads>>>(out);
  by_reference<<<1, threads>>>(out);
  by_lambda<<<1, threads>>>(out);
  by_macro<<<1, threads>>>(out);
  by_atomic<<<1, threads>>>(out);
  to_a_member<<<1, threads>>>(out);
  from_the_neighbour<<<1, threads>>>(out, threads + 8);
  cudaDeviceSynchronize();
  cudaFree(out);
}
