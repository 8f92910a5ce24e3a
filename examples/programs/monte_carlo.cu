// Monte Carlo integration over the unit cube: any function as a device lambda, a counter-based
// generator, sums by cooperative groups.
//
//   monte_carlo [SAMPLES [SEED]]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define CHECKED(call)                                                                   \
  do {                                                                                  \
    cudaError_t error = call;                                                           \
    if (error != cudaSuccess) {                                                         \
      std::printf("%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(error));       \
      std::exit(2);                                                                     \
    }                                                                                   \
  } while (0)

// The n-th number of a stream depends only on n: rounds of multiplication and mixing, like those
// of Philox.
class Generator {
 public:
  __host__ __device__ Generator(std::uint32_t seed, std::uint32_t stream) : key_(seed), state_{stream, 0} {}

  __host__ __device__ float uniform() {
    if (left_ == 0) refill();
    return (buffer_[--left_] >> 8) * (1.0f / (1 << 24));
  }

 private:
  __host__ __device__ void refill() {
    std::uint32_t a = state_[0], b = state_[1]++, key = key_;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t product = static_cast<std::uint64_t>(0xD256D193u) * a;
      a = static_cast<std::uint32_t>(product >> 32) ^ key ^ b;
      b = static_cast<std::uint32_t>(product);
      key += 0x9E3779B9u;
    }
    buffer_[0] = a;
    buffer_[1] = b;
    left_ = 2;
  }

  std::uint32_t key_;
  std::uint32_t state_[2];
  std::uint32_t buffer_[2] = {};
  int left_ = 0;
};

// Sums are kept as integers, so that they do not depend on the order of additions.
using Fixed = unsigned long long;
constexpr double one = 1 << 20;

template <class Function>
__host__ __device__ Fixed sample(Function f, std::uint32_t seed, std::uint32_t stream, int count) {
  Generator random(seed, stream);
  Fixed sum = 0;
  for (int i = 0; i < count; ++i) {
    const float x = random.uniform(), y = random.uniform(), z = random.uniform();
    sum += static_cast<Fixed>(f(x, y, z) * one);
  }
  return sum;
}

template <class Function>
__global__ void integrate(Function f, std::uint32_t seed, int per_thread, Fixed* total) {
  extern __shared__ Fixed of_warp[];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);

  Fixed sum = sample(f, seed, cg::this_grid().thread_rank(), per_thread);
  for (int offset = warp.size() / 2; offset > 0; offset /= 2) sum += warp.shfl_down(sum, offset);
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    Fixed sum_of_block = 0;
    for (unsigned i = 0; i < warp.meta_group_size(); ++i) sum_of_block += of_warp[i];
#ifdef RACE
    *total += sum_of_block;
#else
    atomicAdd(total, sum_of_block);
#endif
  }
}

constexpr std::uint32_t blocks = 16, threads = 64;

template <class Function>
bool test(const char* name, Function f, double exact, int samples, std::uint32_t seed) {
  const int per_thread = (samples + blocks * threads - 1) / (blocks * threads);
  Fixed* total;
  CHECKED(cudaMalloc(&total, sizeof *total));
  CHECKED(cudaMemset(total, 0, sizeof *total));
  integrate<<<blocks, threads, threads / 32 * sizeof(Fixed)>>>(f, seed, per_thread, total);
  CHECKED(cudaGetLastError());
  Fixed sum = 0, expected = 0;
  CHECKED(cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost));
  CHECKED(cudaFree(total));

  for (std::uint32_t stream = 0; stream < blocks * threads; ++stream) expected += sample(f, seed, stream, per_thread);
  const double count = static_cast<double>(per_thread) * blocks * threads;
  const double value = sum / one / count, distance = std::fabs(value - exact);
  // Rounding may differ between processors, sample by sample.
  const bool right = std::fabs(double(sum) - double(expected)) <= count * 4 && distance < 8 / std::sqrt(count);
  if (!right) std::printf("monte_carlo: %s is %g, not %g, FAILED\n", name, value, exact);
  return right;
}

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 50000;
  const std::uint32_t seed = argc > 2 ? std::atoi(argv[2]) : 42;
  if (samples <= 0) return 2;

  const float radius = 1;
  const auto in_ball = [=] __host__ __device__(float x, float y, float z) {
    return x * x + y * y + z * z < radius * radius ? 1.0f : 0.0f;
  };
  const auto product = [] __host__ __device__(float x, float y, float z) { return x * y * z; };
  const auto wave = [=] __host__ __device__(float x, float y, float) { return 1 + sinf(6.2831853f * (x + y)); };

  const double pi = std::acos(-1.0);
  if (!test("an eighth of a ball", in_ball, pi / 6, samples, seed) || !test("a product", product, 0.125, samples, seed) ||
      !test("a wave", wave, 1, samples, seed))
    return 1;
  std::printf("monte_carlo: %d samples, passed\n", samples);
}
