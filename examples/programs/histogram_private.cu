// Histogram equalisation of a grey image: histogram, cumulative sums, mapping.
//
//   histogram_private [width] [height] [seed]
//
// Each warp counts in a histogram of its own in shared memory; a block adds them up and
// publishes the sums. The last block to finish turns the histogram into the mapping.
#include <stdint.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(ans) gpuAssert((ans), __FILE__, __LINE__)
static void gpuAssert(cudaError_t code, const char *file, int line)
{
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit(code);
  }
}

enum { BINS = 256, WARPS = 4, THREADS = WARPS * 32 };

// Blocks that have added their part to the histogram.
__device__ unsigned int finished_blocks;

__device__ __forceinline__ void count(unsigned int *bins, uint8_t value)
{
#ifdef RACE
  bins[value]++; // lanes of a warp may update the same bin
#else
  atomicAdd(&bins[value], 1u);
#endif
}

// Exclusive sums over the bins, by a block that has half as many threads.
__device__ unsigned int bins_below(unsigned int *sums, unsigned int a, unsigned int b)
{
  const int t = threadIdx.x;
  unsigned int pair = a + b, sum = pair;
  const int lane = t & 31;
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned int left = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == 31) sums[t >> 5] = sum;
  __syncthreads();
  unsigned int before = sum - pair;
  for (int w = 0; w < (t >> 5); w++) before += sums[w];
  return before;
}

__global__ void equalisation(const uchar4 *__restrict__ image, int quads, int blocks, unsigned int *histogram,
                             uint8_t *mapping)
{
  __shared__ unsigned int bins[WARPS][BINS];
  __shared__ bool last;
  for (int i = threadIdx.x; i < WARPS * BINS; i += THREADS) (&bins[0][0])[i] = 0;
  __syncthreads();

  unsigned int *const mine = bins[threadIdx.x / 32];
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < quads; i += gridDim.x * THREADS) {
    const uchar4 quad = image[i];
    count(mine, quad.x);
    count(mine, quad.y);
    count(mine, quad.z);
    count(mine, quad.w);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
    unsigned int sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) sum += bins[w][bin];
    if (sum != 0) atomicAdd(&histogram[bin], sum);
  }

  // The fence makes the sums visible before the block counts as finished.
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&finished_blocks, 1u) == blocks - 1u;
  __syncthreads();
  if (!last) return;

  // Only this block still runs. It reads the sums where the other blocks added them.
  __shared__ unsigned int sums[WARPS];
  __shared__ unsigned int lowest;
  const int t = threadIdx.x;
  const unsigned int a = atomicAdd(&histogram[2 * t], 0u);
  const unsigned int b = atomicAdd(&histogram[2 * t + 1], 0u);
  if (t == 0) lowest = ~0u;
  const unsigned int before = bins_below(sums, a, b);
  const unsigned int total = 4u * quads;
  // Sums up to and with a bin; the sum of the first bin in use maps to black.
  if (before == 0 && a + b != 0) atomicMin(&lowest, a != 0 ? a : b);
  __syncthreads();
  const float scale = total > lowest ? 255.0f / (total - lowest) : 0.0f;
  const auto level = [=](unsigned int sum) -> uint8_t {
    return sum <= lowest ? 0 : static_cast<uint8_t>(rintf((sum - lowest) * scale));
  };
  mapping[2 * t] = level(before + a);
  mapping[2 * t + 1] = level(before + a + b);
}

__constant__ uint8_t c_mapping[BINS];

__global__ void map_grey(uchar4 *image, int quads)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    uchar4 quad = image[i];
    quad = make_uchar4(c_mapping[quad.x], c_mapping[quad.y], c_mapping[quad.z], c_mapping[quad.w]);
    image[i] = quad;
  }
}

static std::vector<uint8_t> equalised(const std::vector<uint8_t> &image, std::vector<unsigned> &histogram)
{
  for (uint8_t grey : image) histogram[grey]++;
  unsigned lowest = 0, sum = 0;
  uint8_t mapping[BINS];
  for (int bin = 0; bin < BINS; bin++) {
    if (sum == 0) lowest = histogram[bin];
    sum += histogram[bin];
    const unsigned total = static_cast<unsigned>(image.size());
    const float scale = total > lowest ? 255.0f / (total - lowest) : 0.0f;
    mapping[bin] = sum <= lowest ? 0 : static_cast<uint8_t>(std::rint((sum - lowest) * scale));
  }
  std::vector<uint8_t> result(image);
  for (uint8_t &grey : result) grey = mapping[grey];
  return result;
}

int main(int argc, char **argv)
{
  const int width = argc > 1 ? atoi(argv[1]) : 240;
  const int height = argc > 2 ? atoi(argv[2]) : 200;
  srand(argc > 3 ? atoi(argv[3]) : 1);
  const int pixels = width * height;
  if (width < 1 || height < 1 || pixels % 4 != 0) {
    fprintf(stderr, "usage: histogram_private [width] [height] [seed]; the pixels must be a multiple of four\n");
    return 2;
  }
  // A dull picture: most greys lie between 60 and 150.
  std::vector<uint8_t> image(pixels);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      image[y * width + x] = 60 + 90 * ((x / 8 + y / 8) % 5) / 5 + rand() % 12 + (x * y % 97 == 0 ? 60 : 0);

  uchar4 *d_image;
  unsigned int *d_histogram;
  uint8_t *d_mapping;
  CHECK(cudaMalloc(&d_image, pixels));
  CHECK(cudaMalloc(&d_histogram, BINS * sizeof(unsigned int)));
  CHECK(cudaMalloc(&d_mapping, BINS));
  CHECK(cudaMemcpy(d_image, image.data(), pixels, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_histogram, 0, BINS * sizeof(unsigned int)));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreateWithFlags(&start, cudaEventDefault));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  CHECK(cudaEventRecord(start, 0));
  const unsigned int none = 0;
  CHECK(cudaMemcpyToSymbol(finished_blocks, &none, sizeof none));
  const int blocks = std::max(1, std::min(24, pixels / 4 / THREADS));
  equalisation<<<blocks, THREADS>>>(d_image, pixels / 4, blocks, d_histogram, d_mapping);
  CHECK(cudaPeekAtLastError());
  CHECK(cudaMemcpyToSymbol(c_mapping, d_mapping, BINS, 0, cudaMemcpyDeviceToDevice));
  map_grey<<<blocks, THREADS>>>(d_image, pixels / 4);
  CHECK(cudaPeekAtLastError());
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%d pixels: %.2f ms\n", pixels, ms);

  std::vector<unsigned> histogram(BINS), expected_histogram(BINS);
  std::vector<uint8_t> result(pixels);
  CHECK(cudaMemcpy(histogram.data(), d_histogram, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(result.data(), d_image, pixels, cudaMemcpyDeviceToHost));
  const std::vector<uint8_t> expected = equalised(image, expected_histogram);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(d_image));
  CHECK(cudaFree(d_histogram));
  CHECK(cudaFree(d_mapping));
  const bool counted = histogram == expected_histogram, mapped = result == expected;
  if (!counted || !mapped) {
    printf("histogram_private: FAILED%s%s\n", counted ? "" : ", wrong counts", mapped ? "" : ", wrong greys");
    return 1;
  }
  printf("histogram_private: OK\n");
  return 0;
}
