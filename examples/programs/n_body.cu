// Gravitational n-body simulation with the leapfrog integrator. Each block walks over all
// bodies in tiles that it stages in shared memory.
//
//   n_body [BODIES [STEPS [SEED]]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t status = (call);                                                       \
    if (status != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
      std::exit(2);                                                                          \
    }                                                                                        \
  } while (0)

namespace {

constexpr int block_size = 128;
constexpr float time_step = 0.01f;
constexpr float softening = 0.01f;

// Structure of arrays on the device; `w` of a position is the mass.
struct Bodies {
  float4* position;
  float4* velocity;
};

__host__ __device__ inline float3 attraction(float4 self, float4 other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float square = dx * dx + dy * dy + dz * dz + softening;
  const float inverse = 1.0f / sqrtf(square);
  const float factor = other.w * inverse * inverse * inverse;
  return make_float3(factor * dx, factor * dy, factor * dz);
}

__host__ __device__ inline void advance(float4& position, float4& velocity, float3 acceleration) {
  velocity.x += time_step * acceleration.x;
  velocity.y += time_step * acceleration.y;
  velocity.z += time_step * acceleration.z;
  position.x += time_step * velocity.x;
  position.y += time_step * velocity.y;
  position.z += time_step * velocity.z;
}

__global__ void step(Bodies in, Bodies out, int count) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 self = i < count ? in.position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int begin = 0; begin < count; begin += blockDim.x) {
    const int load = begin + threadIdx.x;
    tile[threadIdx.x] = in.position[load < count ? load : 0];
    __syncthreads();
    const int filled = min(static_cast<int>(blockDim.x), count - begin);
#pragma unroll 4
    for (int j = 0; j < filled; ++j) {
      const float3 a = attraction(self, tile[j]);
      sum.x += a.x;
      sum.y += a.y;
      sum.z += a.z;
    }
#ifndef RACE
    __syncthreads();
#endif
  }
  if (i < count) {
    float4 velocity = in.velocity[i];
    advance(self, velocity, sum);
    out.position[i] = self;
    out.velocity[i] = velocity;
  }
}

Bodies make_bodies(int count) {
  Bodies bodies;
  CHECK(cudaMalloc(&bodies.position, count * sizeof(float4)));
  CHECK(cudaMalloc(&bodies.velocity, count * sizeof(float4)));
  return bodies;
}

void free_bodies(const Bodies& bodies) {
  CHECK(cudaFree(bodies.position));
  CHECK(cudaFree(bodies.velocity));
}

void step_on_host(std::vector<float4>& positions, std::vector<float4>& velocities) {
  const std::vector<float4> before = positions;
  for (std::size_t i = 0; i < before.size(); ++i) {
    float3 sum = make_float3(0, 0, 0);
    for (const float4& other : before) {
      const float3 a = attraction(before[i], other);
      sum.x += a.x;
      sum.y += a.y;
      sum.z += a.z;
    }
    advance(positions[i], velocities[i], sum);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 512;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 4;
  const unsigned seed = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1;
  if (count <= 0 || steps < 0) {
    std::fprintf(stderr, "usage: %s [BODIES [STEPS [SEED]]]\n", argv[0]);
    return 2;
  }

  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float4> positions(count), velocities(count);
  for (int i = 0; i < count; ++i) {
    positions[i] = make_float4(uniform(random), uniform(random), uniform(random), 1.0f / count);
    velocities[i] = make_float4(0.1f * uniform(random), 0.1f * uniform(random), 0.1f * uniform(random), 0);
  }

  Bodies current = make_bodies(count), next = make_bodies(count);
  CHECK(cudaMemcpy(current.position, positions.data(), count * sizeof(float4), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(current.velocity, velocities.data(), count * sizeof(float4), cudaMemcpyHostToDevice));

  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  for (int s = 0; s < steps; ++s) {
    step<<<(count + block_size - 1) / block_size, block_size, block_size * sizeof(float4)>>>(current, next, count);
    CHECK(cudaGetLastError());
    std::swap(current, next);
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));

  std::vector<float4> result(count);
  CHECK(cudaMemcpy(result.data(), current.position, count * sizeof(float4), cudaMemcpyDeviceToHost));
  for (int s = 0; s < steps; ++s) step_on_host(positions, velocities);
  float worst = 0;
  for (int i = 0; i < count; ++i) {
    worst = std::fmax(worst, std::fabs(result[i].x - positions[i].x));
    worst = std::fmax(worst, std::fabs(result[i].y - positions[i].y));
    worst = std::fmax(worst, std::fabs(result[i].z - positions[i].z));
  }
  free_bodies(current);
  free_bodies(next);
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));

  std::fprintf(stderr, "%.3f ms\n", milliseconds);
  if (!(worst < 1e-4f)) {
    std::printf("n_body: positions differ by %g, FAILED\n", worst);
    return 1;
  }
  std::printf("n_body: %d bodies, %d steps, passed\n", count, steps);
  return 0;
}
