// verdict: fault
// fault: HF001, line 16, thread 3
// repaired: clean
//
// A table of the device that nothing writes has bounds, too. The kernel is launched with nested template arguments.
// Repaired: the index wraps around.
template <typename T>
struct Step {
  T width;
};

__device__ const int primes[2][3] = {{2, 3, 5}, {7, 11, 13}};

template <typename T>
__global__ void widen(T* steps, int count) {
  steps[threadIdx.x].width.width = primes[1][threadIdx.x % count];
}

int main() {
  Step<Step<int>>* steps;
  cudaMalloc(&steps, 4 * sizeof(Step<Step<int>>));
#ifdef REPAIRED
  widen<Step<Step<int>>><<<1, 4>>>(steps, 3);
#else
  widen<Step<Step<int>>><<<1, 4>>>(steps, 4);
#endif
  cudaDeviceSynchronize();
}
