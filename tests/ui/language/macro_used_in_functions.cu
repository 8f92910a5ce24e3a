// verdict: race
// race: lines 9 and 9, variable p, global
// repaired: clean
//
// Two device functions update counters by a macro: the report names the function, the line of the use in it, and
// the calls that led there.
// Repaired: the macro is atomic.
#ifndef REPAIRED
#define BUMP(p) (*(p))++
#else
#define BUMP(p) atomicAdd(p, 1)
#endif

__device__ int seen[4];

__device__ void even(int value) {
  if (value % 2 == 0) BUMP(&seen[0]);
}

template <int width>
__device__ void late(int value) {
  if (value >= width / 2) {
    BUMP(&seen[1]);
  }
}

__global__ void classify() {
  even(2 * threadIdx.x + 1);
  late<64>(threadIdx.x);
}

int main() {
  classify<<<1, 64>>>();
  int counts[4];
  cudaMemcpyFromSymbol(counts, seen, sizeof counts);
#ifdef REPAIRED
  return counts[0] != 0 || counts[1] != 32;
#endif
}
