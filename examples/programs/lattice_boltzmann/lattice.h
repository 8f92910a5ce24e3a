// The lattice: the directions of the particles, and the field of their distributions.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <cuda_runtime.h>

#define LBM_CHECK(call) ::lbm::check((call), #call, __FILE__, __LINE__)

namespace lbm {

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
  std::exit(2);
}

// Two dimensions, nine velocities. Opposite ones differ by four in number; number 0 is
// the one at rest.
struct D2Q9 {
  static constexpr int directions = 9;
  static __host__ __device__ constexpr int dx(int q) {
    constexpr int values[directions] = {0, 1, 0, 1, -1, -1, 0, -1, 1};
    return values[q];
  }
  static __host__ __device__ constexpr int dy(int q) {
    constexpr int values[directions] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
    return values[q];
  }
  static __host__ __device__ constexpr int opposite(int q) { return q == 0 ? 0 : (q + 3) % 8 + 1; }
  template <typename Real>
  static __host__ __device__ constexpr Real weight(int q) {
    return q == 0 ? Real(4) / 9 : dx(q) * dy(q) == 0 ? Real(1) / 9 : Real(1) / 36;
  }
};

// One number per cell and direction, direction by direction. A copy is a view of the same
// memory, to pass to kernels.
template <typename Real, typename Lattice>
class Field {
 public:
  static Field allocate(int width, int height) {
    Field field;
    field.width_ = width;
    field.height_ = height;
    LBM_CHECK(cudaMalloc(&field.data_, field.bytes()));
    return field;
  }
  void free() {
    LBM_CHECK(cudaFree(data_));
    data_ = nullptr;
  }

  __host__ __device__ int width() const { return width_; }
  __host__ __device__ int height() const { return height_; }
  __host__ __device__ int cells() const { return width_ * height_; }
  std::size_t bytes() const { return sizeof(Real) * Lattice::directions * cells(); }
  Real* data() { return data_; }

  __device__ Real& operator()(int q, int x, int y) { return data_[q * cells() + y * width_ + x]; }
  __device__ const Real& operator()(int q, int x, int y) const { return data_[q * cells() + y * width_ + x]; }

 private:
  int width_ = 0, height_ = 0;
  Real* data_ = nullptr;
};

// Density and velocity of a cell.
template <typename Real>
struct Moments {
  Real density, u, v;
};

template <typename Lattice, typename Real>
__host__ __device__ inline Moments<Real> moments(const Real* f) {
  Real density = 0, u = 0, v = 0;
  for (int q = 0; q < Lattice::directions; ++q) {
    density += f[q];
    u += f[q] * Lattice::dx(q);
    v += f[q] * Lattice::dy(q);
  }
  return {density, u / density, v / density};
}

template <typename Lattice, typename Real>
__host__ __device__ inline Real equilibrium(int q, const Moments<Real>& m) {
  const Real along = Lattice::dx(q) * m.u + Lattice::dy(q) * m.v;
  const Real square = m.u * m.u + m.v * m.v;
  return Lattice::template weight<Real>(q) * m.density * (1 + 3 * along + Real(4.5) * along * along - Real(1.5) * square);
}

// Relaxation towards the equilibrium at a single rate.
template <typename Lattice, typename Real>
struct SingleRate {
  Real omega;

  __host__ __device__ void operator()(Real* f) const {
    const Moments<Real> m = moments<Lattice>(f);
    for (int q = 0; q < Lattice::directions; ++q) f[q] += omega * (equilibrium<Lattice>(q, m) - f[q]);
  }
};

// A box whose lid, at y = height - 1, moves to the right.
template <typename Real>
struct Cavity {
  Real lid_speed;

  __host__ __device__ bool solid(int x, int y, int width, int height) const {
    return x < 0 || y < 0 || x >= width || y >= height;
  }
  // The amount added to particles that a wall reflects in direction q.
  template <typename Lattice>
  __host__ __device__ Real push(int q, int wall_y, int height) const {
    return wall_y >= height ? 6 * Lattice::template weight<Real>(q) * Lattice::dx(q) * lid_speed : Real(0);
  }
};

// steps.cu
void initialise(Field<float, D2Q9> field);
void step(const Field<float, D2Q9>& now, Field<float, D2Q9> then, Cavity<float> cavity, float omega, cudaStream_t stream);
double total_mass(const Field<float, D2Q9>& field);

}  // namespace lbm
