// With barriers, reuse and arithmetic: forces between all pairs of bodies, tiles of 256 of
// them in shared memory.
#include "timing.h"

constexpr int tile = 256;

extern "C" __global__ void n_body(const float4* body, float4* force, int n) {
  __shared__ float4 s_body[tile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 mine = body[i];
  float x = 0, y = 0, z = 0;
  for (int begin = 0; begin < n; begin += tile) {
    s_body[threadIdx.x] = body[begin + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
      const float4 other = s_body[k];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float d = dx * dx + dy * dy + dz * dz + 0.01f;
      const float f = other.w / (d * sqrtf(d));
      x += dx * f;
      y += dy * f;
      z += dz * f;
    }
    __syncthreads();
  }
  force[i] = make_float4(x, y, z, 0);
}

void sequential(const float4* body, float4* force, int n) {
  for (int i = 0; i < n; ++i) {
    const float4 mine = body[i];
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < n; ++k) {
      const float4 other = body[k];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float d = dx * dx + dy * dy + dz * dz + 0.01f;
      const float f = other.w / (d * sqrtf(d));
      x += dx * f;
      y += dy * f;
      z += dz * f;
    }
    force[i] = make_float4(x, y, z, 0);
  }
}

int main(int argc, char** argv) {
  const int n = requested_size(argc, argv, 2048);
  std::vector<float4> body(n), force(n);
  for (int i = 0; i < n; ++i) body[i] = make_float4(i % 13, i % 29, i % 31, 1.0f);
  float4* const device_body = to_device(body);
  float4* const device_force = to_device(force);
  print_resources(n_body, tile);
  print_median_time([&] {
#ifdef BENCH_PTX
    launch_from_file("n_body", n / tile, tile, device_body, device_force, n);
#else
    n_body<<<n / tile, tile>>>(device_body, device_force, n);
#endif
  });
  print_sequential_time([&] { sequential(body.data(), force.data(), n); });
  std::vector<float> expected;
  for (const float4& f : force) expected.insert(expected.end(), {f.x, f.y, f.z, f.w});
  return compare(reinterpret_cast<const float*>(device_force), expected);
}
