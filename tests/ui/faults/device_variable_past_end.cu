// verdict: fault
// fault: HF001, line 21, thread 4
// fault: HF001, line 22, thread 4
// fault: HF001, line 23, thread 7
// repaired: clean
// Device variables that an index runs past: what lies behind them is nobody's.
// Repaired: all indices are within the arrays.
#include <cstdio>

struct Particle {
  float position[3];
  float mass;
};

__device__ Particle particles[4];
__device__ int rows[2][8];
__device__ int sum;

__global__ void fill() {
  const int i = threadIdx.x;
  particles[i].mass = 1;
  particles[i].position[0] = 0;
  rows[1][i + 1] = i;
  if (i == 0) sum = 8;
}

__global__ void fill_repaired() {
  const int i = threadIdx.x;
  if (i < 4) particles[i].mass = 1;
  rows[1][i] = i;
  if (i == 0) sum = 8;
}

int main() {
#ifdef REPAIRED
  fill_repaired<<<1, 8>>>();
#else
  fill<<<1, 8>>>();
#endif
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
