// verdict: race
// repaired: clean
// race: lines 10 and 11, variable cells, global

struct Counters {
  int* cells;
  int plain;
  int* spare;

  __device__ void add(int i) { cells[i] += 1; }
  __device__ void clear(int i) { cells[i & 1] = 0; }
  __device__ int get(int i) const { return cells[i]; }
};
typedef void (Counters::*Update)(int);

template <int (Counters::*Get)(int) const>
__device__ int sum(const Counters* counters, int i) {
  return (counters->*Get)(i) + ((*counters).*Get)(i);
}

__global__ void update(Counters* all, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Update updates[2] = {&Counters::add, &Counters::clear};
#ifdef REPAIRED
  const int chosen = 0;
#else
  const int chosen = i == n - 1;
#endif
  int Counters::*const number = &Counters::plain;
  int* Counters::*const data = &Counters::spare;
  if (i >= n) return;
  (all->*updates[chosen])(i);
  (all[0].*updates[0])(n + i);
  Counters own = *all;
  (own.*updates[0])(2 * n + i);
  if (i == 0) (all + 1)->*number = 3;
  out[i] = sum<&Counters::get>(all, n + i) + (all->*data)[i];
}

int main() {
  constexpr int n = 96;
  int *cells, *spare, *out;
  cudaMalloc(&cells, 3 * n * sizeof(int));
  cudaMalloc(&spare, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(cells, 0, 3 * n * sizeof(int));
  cudaMemset(spare, 0, n * sizeof(int));
  Counters* all;
  cudaMalloc(&all, 2 * sizeof(Counters));
  const Counters counters = {cells, 0, spare};
  cudaMemcpy(all, &counters, sizeof(Counters), cudaMemcpyHostToDevice);
  update<<<1, 128>>>(all, out, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
