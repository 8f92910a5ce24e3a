// The kernels of the lattice-Boltzmann solver.
#include "lattice.h"

namespace lbm {
namespace {

constexpr int block_x = 32, block_y = 4;

template <typename Real, typename Lattice>
__global__ void set_at_rest(Field<Real, Lattice> field) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= field.width() || y >= field.height()) return;
  for (int q = 0; q < Lattice::directions; ++q) field(q, x, y) = Lattice::template weight<Real>(q);
}

// Pulls the particles that move into a cell, and collides them.
template <typename Real, typename Lattice, typename Boundary, typename Collision>
__global__ void stream_and_collide(const Field<Real, Lattice> now, Field<Real, Lattice> then, Boundary boundary, Collision collide) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= now.width() || y >= now.height()) return;
  Real f[Lattice::directions];
#pragma unroll
  for (int q = 0; q < Lattice::directions; ++q) {
    const int from_x = x - Lattice::dx(q), from_y = y - Lattice::dy(q);
    if (boundary.solid(from_x, from_y, now.width(), now.height())) {
      f[q] = now(Lattice::opposite(q), x, y) + boundary.template push<Lattice>(q, from_y, now.height());
    } else {
      f[q] = now(q, from_x, from_y);
    }
  }
  collide(f);
#pragma unroll
  for (int q = 0; q < Lattice::directions; ++q) then(q, x, y) = f[q];
}

template <typename Real, typename Lattice>
__global__ void sum_mass(const Field<Real, Lattice> field, double* total) {
  __shared__ double s_sum[block_x * block_y];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  double sum = 0;
  if (x < field.width() && y < field.height()) {
    for (int q = 0; q < Lattice::directions; ++q) sum += field(q, x, y);
  }
  s_sum[t] = sum;
  __syncthreads();
  for (int half = block_x * block_y / 2; half > 0; half /= 2) {
    if (t < half) s_sum[t] += s_sum[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, s_sum[0]);
}

template <typename Real, typename Lattice>
dim3 grid_for(const Field<Real, Lattice>& field) {
  return dim3((field.width() + block_x - 1) / block_x, (field.height() + block_y - 1) / block_y);
}

}  // namespace

void initialise(Field<float, D2Q9> field) {
  set_at_rest<<<grid_for(field), dim3(block_x, block_y)>>>(field);
  LBM_CHECK(cudaGetLastError());
}

void step(const Field<float, D2Q9>& now, Field<float, D2Q9> then, Cavity<float> cavity, float omega, cudaStream_t stream) {
#ifdef RACE
  then = now;  // cells pull what their neighbours have already replaced
#endif
  const SingleRate<D2Q9, float> collision{omega};
  stream_and_collide<<<grid_for(now), dim3(block_x, block_y), 0, stream>>>(now, then, cavity, collision);
  LBM_CHECK(cudaGetLastError());
}

double total_mass(const Field<float, D2Q9>& field) {
  double *device, host = 0;
  LBM_CHECK(cudaMalloc(&device, sizeof host));
  LBM_CHECK(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
  sum_mass<<<grid_for(field), dim3(block_x, block_y)>>>(field, device);
  LBM_CHECK(cudaGetLastError());
  LBM_CHECK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  LBM_CHECK(cudaFree(device));
  return host;
}

}  // namespace lbm
