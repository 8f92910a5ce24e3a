// verdict: clean
// Two halves of a pinned buffer take turns: the host fills one while the other is copied. They share
// a page, and even a word is next to one of the other half. An event for each half says when it is free.
#include <cstring>

constexpr int n = 250, rounds = 6;

__global__ void add(const short* in, int* sums) {
  sums[threadIdx.x] += in[threadIdx.x];
}

int main() {
  short* buffer;
  short* in;
  int* sums;
  cudaMallocHost(&buffer, 2 * n * sizeof(short));
  cudaMalloc(&in, 2 * n * sizeof(short));
  cudaMallocManaged(&sums, n * sizeof(int));
  std::memset(sums, 0, n * sizeof(int));
  cudaStream_t stream;
  cudaEvent_t free[2];
  cudaStreamCreate(&stream);
  for (cudaEvent_t& event : free) cudaEventCreate(&event);
  for (int round = 0; round < rounds; ++round) {
    short* const half = buffer + round % 2 * n;
    cudaEventSynchronize(free[round % 2]);
    for (int i = 0; i < n; ++i) half[i] = static_cast<short>(round + i);
    cudaMemcpyAsync(in + round % 2 * n, half, n * sizeof(short), cudaMemcpyHostToDevice, stream);
    cudaEventRecord(free[round % 2], stream);
    add<<<1, n, 0, stream>>>(in + round % 2 * n, sums);
  }
  cudaStreamSynchronize(stream);
  return sums[10] == 10 * rounds + 15 ? 0 : 1;
}
