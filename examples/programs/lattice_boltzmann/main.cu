// Flow in a box whose lid moves, by the lattice-Boltzmann method in two dimensions.
//
//   lattice_boltzmann [width] [height] [steps]
//
// The steps run on a stream of their own. The result is compared with the same steps on
// the host, and no mass may be lost.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lattice.h"

using lbm::Cavity;
using lbm::D2Q9;
using lbm::Field;

static void step_on_host(const std::vector<float>& now, std::vector<float>& then, int width, int height, Cavity<float> cavity,
                         float omega) {
  const int cells = width * height;
  const lbm::SingleRate<D2Q9, float> collide{omega};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float f[D2Q9::directions];
      for (int q = 0; q < D2Q9::directions; ++q) {
        const int from_x = x - D2Q9::dx(q), from_y = y - D2Q9::dy(q);
        f[q] = cavity.solid(from_x, from_y, width, height)
                   ? now[D2Q9::opposite(q) * cells + y * width + x] + cavity.push<D2Q9>(q, from_y, height)
                   : now[q * cells + from_y * width + from_x];
      }
      collide(f);
      for (int q = 0; q < D2Q9::directions; ++q) then[q * cells + y * width + x] = f[q];
    }
  }
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 48;
  const int height = argc > 2 ? std::atoi(argv[2]) : 30;
  const int steps = argc > 3 ? std::atoi(argv[3]) : 20;
  if (width < 2 || height < 2 || steps < 1) {
    std::fprintf(stderr, "usage: lattice_boltzmann [width] [height] [steps]\n");
    return 2;
  }
  const Cavity<float> cavity{0.08f};
  const float omega = 1.4f;
  auto now = Field<float, D2Q9>::allocate(width, height);
  auto then = Field<float, D2Q9>::allocate(width, height);
  lbm::initialise(now);
  std::vector<float> host(D2Q9::directions * width * height), next(host.size()), result(host.size());
  LBM_CHECK(cudaMemcpy(host.data(), now.data(), now.bytes(), cudaMemcpyDeviceToHost));
  const double mass_before = lbm::total_mass(now);

  cudaStream_t stream;
  cudaEvent_t start, stop;
  LBM_CHECK(cudaStreamCreate(&stream));
  LBM_CHECK(cudaEventCreate(&start));
  LBM_CHECK(cudaEventCreate(&stop));
  LBM_CHECK(cudaEventRecord(start, stream));
  for (int s = 0; s < steps; ++s) {
    lbm::step(now, then, cavity, omega, stream);
#ifndef RACE
    std::swap(now, then);
#endif
  }
  LBM_CHECK(cudaEventRecord(stop, stream));
  LBM_CHECK(cudaStreamSynchronize(stream));
  float milliseconds = 0;
  LBM_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  const double mass_after = lbm::total_mass(now);
  LBM_CHECK(cudaMemcpy(result.data(), now.data(), now.bytes(), cudaMemcpyDeviceToHost));
  now.free();
  then.free();
  LBM_CHECK(cudaEventDestroy(start));
  LBM_CHECK(cudaEventDestroy(stop));
  LBM_CHECK(cudaStreamDestroy(stream));
  std::printf("%d x %d cells, %d steps: %.2f ms, mass %.6f\n", width, height, steps, milliseconds, mass_after);

  for (int s = 0; s < steps; ++s) {
    step_on_host(host, next, width, height, cavity, omega);
    host.swap(next);
  }
  float largest = 0, lid = 0;
  for (std::size_t i = 0; i < host.size(); ++i) largest = std::max(largest, std::fabs(result[i] - host[i]));
  for (int q = 0; q < D2Q9::directions; ++q) lid += D2Q9::dx(q) * result[q * width * height + (height - 1) * width + width / 2];
  if (!(largest < 1e-5f) || !(std::fabs(mass_after - mass_before) < 1e-5 * mass_before) || !(lid > 0)) {
    std::printf("lattice_boltzmann: FAILED, an error of %g, mass %g, was %g, flow %g\n", largest, mass_after, mass_before, lid);
    return 1;
  }
  std::printf("lattice_boltzmann: OK\n");
  return 0;
}
