// Edges of a grey image by the Sobel operator: one byte per pixel, rows with a pitch, a tile
// with a halo in shared memory, and the image cut into bands that run on streams of their own.
//
//   sobel [WIDTH HEIGHT [SEED]]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

using Pixel = unsigned char;

#define CUDA_OK(call)                                                                          \
  if (cudaError_t code_ = (call); code_ != cudaSuccess) {                                      \
    std::fprintf(stderr, "%s in line %d: %s\n", #call, __LINE__, cudaGetErrorString(code_));   \
    std::exit(2);                                                                              \
  }

template <int Width, int Height>
struct TileShape {
  static constexpr int width = Width, height = Height;
  static constexpr int halo_width = Width + 2, halo_height = Height + 2;
};

struct Image {
  Pixel* data;
  std::size_t pitch;
  int width, height;

  __host__ __device__ Pixel* row(int y) const { return data + y * pitch; }
  __host__ __device__ Pixel clamped(int x, int y) const {
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return row(y)[x];
  }
};

__host__ __device__ inline Pixel magnitude(int gx, int gy) {
  const int sum = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
  return sum > 255 ? 255 : sum;
}

template <class Shape>
__global__ void sobel(const Image in, const Image out, int first_row, int last_row, unsigned* __restrict__ histogram) {
  __shared__ Pixel tile[Shape::halo_height][Shape::halo_width];
  __shared__ unsigned local[256];
  const int number = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  const int left = blockIdx.x * Shape::width - 1, top = first_row + blockIdx.y * Shape::height - 1;

  for (int i = number; i < 256; i += threads) local[i] = 0;
  for (int i = number; i < Shape::halo_width * Shape::halo_height; i += threads) {
    const int x = i % Shape::halo_width, y = i / Shape::halo_width;
    tile[y][x] = in.clamped(left + x, top + y);
  }
#ifndef RACE
  __syncthreads();
#endif

  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  if (left + x < in.width && top + y < last_row) {
    const auto at = [&](int dx, int dy) { return static_cast<int>(tile[y + dy][x + dx]); };
    const int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    const int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    const Pixel result = magnitude(gx, gy);
    out.row(top + y)[left + x] = result;
    atomicAdd(local + result, 1);
  }
  __syncthreads();
  for (int i = number; i < 256; i += threads)
    if (local[i] != 0) atomicAdd(&histogram[i], local[i]);
}

static std::vector<Pixel> make_picture(int width, int height, unsigned seed) {
  std::vector<Pixel> picture(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double ring = std::sin(std::hypot(x - width / 2.0, y - height / 3.0) / 3);
      seed = seed * 1103515245 + 12345;
      picture[y * width + x] = static_cast<Pixel>(120 + 100 * ring + (seed >> 16) % 20);
    }
  return picture;
}

static Image allocate(int width, int height) {
  Image image{nullptr, 0, width, height};
  CUDA_OK(cudaMallocPitch(&image.data, &image.pitch, width, height));
  return image;
}

int main(int argc, char** argv) {
  const int width = argc > 2 ? std::atoi(argv[1]) : 150, height = argc > 2 ? std::atoi(argv[2]) : 101;
  const unsigned seed = argc > 3 ? std::atoi(argv[3]) : 1;
  if (width < 1 || height < 1) return std::fprintf(stderr, "usage: sobel [WIDTH HEIGHT [SEED]]\n"), 2;

  const std::vector<Pixel> picture = make_picture(width, height, seed);
  const Image in = allocate(width, height), out = allocate(width, height);
  unsigned* histogram;
  CUDA_OK(cudaMalloc(&histogram, 256 * sizeof *histogram));
  CUDA_OK(cudaMemset(histogram, 0, 256 * sizeof *histogram));
  CUDA_OK(cudaMemcpy2D(in.data, in.pitch, picture.data(), width, width, height, cudaMemcpyHostToDevice));
  CUDA_OK(cudaDeviceSynchronize());  // the streams below do not wait for the default stream
  using Shape = TileShape<16, 8>;
  constexpr int bands = 3;
  cudaStream_t streams[bands];
  std::vector<Pixel> edges(width * height);
  const int band_height = (height + bands - 1) / bands;
  for (int band = 0; band < bands; ++band) {
    CUDA_OK(cudaStreamCreateWithFlags(&streams[band], cudaStreamNonBlocking));
    const int first = std::min(band * band_height, height), last = std::min(first + band_height, height);
    if (first == last) continue;
    const dim3 grid((width + Shape::width - 1) / Shape::width, (last - first + Shape::height - 1) / Shape::height);
    sobel<Shape><<<grid, dim3(Shape::width, Shape::height), 0, streams[band]>>>(in, out, first, last, histogram);
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaMemcpy2DAsync(&edges[first * width], width, out.row(first), out.pitch, width, last - first,
                              cudaMemcpyDeviceToHost, streams[band]));
  }
  for (cudaStream_t stream : streams) {
    CUDA_OK(cudaStreamSynchronize(stream));
    CUDA_OK(cudaStreamDestroy(stream));
  }
  unsigned counts[256], expected_counts[256] = {};
  CUDA_OK(cudaMemcpy(counts, histogram, sizeof counts, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(histogram));
  CUDA_OK(cudaFree(in.data));
  CUDA_OK(cudaFree(out.data));

  static const int weights[3] = {1, 2, 1};
  const Image host{const_cast<Pixel*>(picture.data()), static_cast<std::size_t>(width), width, height};
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int gx = 0, gy = 0;
      for (int i = -1; i <= 1; ++i) {
        gx += weights[i + 1] * (host.clamped(x + 1, y + i) - host.clamped(x - 1, y + i));
        gy += weights[i + 1] * (host.clamped(x + i, y + 1) - host.clamped(x + i, y - 1));
      }
      const Pixel expected = magnitude(gx, gy);
      ++expected_counts[expected];
      wrong += edges[y * width + x] != expected;
    }
  wrong += !std::equal(counts, counts + 256, expected_counts);
  if (wrong != 0) {
    std::printf("sobel: %d differences, FAILED\n", wrong);
    return 1;
  }
  std::printf("sobel: %d x %d pixels, passed\n", width, height);
}
