// verdict: race
// race: lines 29 and 13, variable noise, global
// repaired: clean
// cuRAND fills an array in one stream, and a kernel in another stream reads it without waiting.
// Repaired: the kernel's stream waits for an event after the numbers.
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>

__global__ void add_noise(float *image, const float *noise, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    image[i] += 0.1f * noise[i];
  }
}

int main() {
  const int n = 256;
  float *image, *noise;
  cudaStream_t numbers, work;
  cudaEvent_t filled;
  curandGenerator_t generator;
  cudaMalloc(&image, n * sizeof(float));
  cudaMalloc(&noise, n * sizeof(float));
  cudaMemset(image, 0, n * sizeof(float));
  cudaStreamCreate(&numbers), cudaStreamCreate(&work), cudaEventCreate(&filled);
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetStream(generator, numbers);
  curandGenerateNormal(generator, noise, n, 0.0f, 1.0f);
  cudaEventRecord(filled, numbers);
#ifdef REPAIRED
  cudaStreamWaitEvent(work, filled, 0);
#endif
  add_noise<<<2, 128, 0, work>>>(image, noise, n);
  float host[n];
  cudaDeviceSynchronize();
  cudaMemcpy(host, image, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float pixel : host) sum += pixel;
  std::printf("%f\n", sum / n);
  curandDestroyGenerator(generator);
  cudaFree(noise);
  cudaFree(image);
  return sum / n > 0.05 || sum / n < -0.05;
}
