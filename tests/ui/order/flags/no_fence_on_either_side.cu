// verdict: race
// repaired: clean
// race: lines 14 and 26, variable message, global
//
// A block hands an array to another one by a volatile flag. Both sides have their barriers, and neither has a fence:
// the finding is about the flag, although the block that set it has ended.
// Repaired: there is a fence before the flag is set, and one after it was seen.
__device__ int message[96];
__device__ volatile int is_there;

__global__ void hand_over(int* received) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    message[t] = 2 * t;
    __syncthreads();
#ifdef REPAIRED
    if (t == 0) __threadfence();
#endif
    if (t == 0) is_there = 1;
  } else {
    if (t == 0) while (is_there == 0) {}
#ifdef REPAIRED
    if (t == 0) __threadfence();
#endif
    __syncthreads();
    received[t] = message[95 - t];
  }
}

int main() {
  int* received;
  cudaMalloc(&received, 96 * sizeof(int));
  hand_over<<<2, 96>>>(received);
  cudaDeviceSynchronize();
}
