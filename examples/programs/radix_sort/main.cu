// Sorts records by the radix sort of radix_sort.cuh.
//
//   radix_sort [COUNT [SEED]]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <random>
#include <vector>

#include "radix_sort.cuh"

namespace {

struct Particle {
  float mass;
  int number;
};

bool test(const std::vector<std::uint32_t>& keys, int first_bit, int last_bit) {
  const int count = static_cast<int>(keys.size());
  std::vector<Particle> particles(count);
  for (int i = 0; i < count; ++i) particles[i] = {0.5f * i, i};

  DeviceBuffer<std::uint32_t> device_keys(keys);
  DeviceBuffer<Particle> device_particles(particles);
  radix::Sorter<Particle> sorter(count);
  cudaStream_t stream;
  throw_on_error(cudaStreamCreate(&stream));
  sorter.sort(device_keys.data(), device_particles.data(), count, first_bit, last_bit, stream);
  throw_on_error(cudaStreamSynchronize(stream));
  throw_on_error(cudaStreamDestroy(stream));
  const auto sorted = device_keys.to_host();
  const auto moved = device_particles.to_host();

  const std::uint32_t mask = (last_bit == 32 ? 0 : 1u << last_bit) - (1u << first_bit);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return (keys[a] & mask) < (keys[b] & mask); });
  for (int i = 0; i < count; ++i) {
    if (sorted[i] != keys[order[i]] || moved[i].number != order[i] || moved[i].mass != 0.5f * order[i]) {
      std::printf("radix_sort: element %d is wrong, FAILED\n", i);
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 3000;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 11);
  std::vector<std::uint32_t> keys(count);
  std::generate(keys.begin(), keys.end(), std::ref(random));
  try {
    if (!test(keys, 0, 32) || !test(keys, 4, 16)) return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "radix_sort: %s\n", error.what());
    return 2;
  }
  std::printf("radix_sort: %d particles, passed\n", count);
}
