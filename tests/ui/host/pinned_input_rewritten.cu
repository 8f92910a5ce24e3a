// verdict: race
// race: lines 25 and 31, variable , global
// repaired: clean
// A loop fills a pinned buffer, copies it to the device and launches a kernel. The copy is
// asynchronous, and the next round fills the buffer while it may still be read.
// Repaired: an event after the copy says when the buffer is free.
constexpr int n = 256, rounds = 3;

__global__ void add(const int* in, int* sums) {
  sums[threadIdx.x] += in[threadIdx.x];
}

int main() {
  int *buffer, *in, *sums;
  cudaMallocHost(&buffer, n * sizeof(int));
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(sums, 0, n * sizeof(int));
  cudaStream_t stream;
  cudaEvent_t copied;
  cudaStreamCreate(&stream);
  cudaEventCreate(&copied);
  for (int i = 0; i < n; ++i) buffer[i] = 0;
  for (int round = 0; round < rounds; ++round) {
    cudaMemcpyAsync(in, buffer, n * sizeof(int), cudaMemcpyHostToDevice, stream);
#ifdef REPAIRED
    cudaEventRecord(copied, stream);
    cudaEventSynchronize(copied);
#endif
    add<<<1, n, 0, stream>>>(in, sums);
    for (int i = 0; i < n; ++i) buffer[i] = round + i;
  }
  cudaMemcpy(buffer, sums, n * sizeof(int), cudaMemcpyDeviceToHost);
  return buffer[5] == 5 + 6 ? 0 : 1;
}
