// Stationary heat in a plate by Jacobi's iteration, until the largest change is small enough.
// The plate's edges have fixed temperatures.
//
//   jacobi [WIDTH HEIGHT [TOLERANCE]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

class CudaError {
 public:
  CudaError(cudaError_t code, std::string where) : text_(std::move(where) + ": " + cudaGetErrorString(code)) {}
  const char* what() const { return text_.c_str(); }

 private:
  std::string text_;
};

#define TRY(name, ...)                                                              \
  do {                                                                              \
    if (const cudaError_t code = name(__VA_ARGS__)) throw CudaError(code, #name);   \
  } while (false)

struct DeviceFree {
  void operator()(void* p) const { cudaFree(p); }
};
struct HostFree {
  void operator()(void* p) const { cudaFreeHost(p); }
};
template <class T>
using DevicePtr = std::unique_ptr<T[], DeviceFree>;
template <class T>
using PinnedPtr = std::unique_ptr<T, HostFree>;

template <class T>
DevicePtr<T> device_array(std::size_t count) {
  T* p = nullptr;
  TRY(cudaMalloc, &p, count * sizeof(T));
  return DevicePtr<T>(p);
}

__inline__ __device__ float warp_max(float value) {
  for (int mask = warpSize / 2; mask > 0; mask >>= 1) value = fmaxf(value, __shfl_xor_sync(~0u, value, mask));
  return value;
}

// The largest value of a block; valid in thread 0.
template <int Warps>
__device__ float block_max(float value) {
  __shared__ float partial[Warps];
  const int number = threadIdx.x + blockDim.x * threadIdx.y;
  value = warp_max(value);
  if (number % 32 == 0) partial[number / 32] = value;
  __syncthreads();
  if (number < 32) value = warp_max(number < Warps ? partial[number] : 0);
  return value;
}

// Non-negative floats compare like their bits.
__device__ void atomic_max(unsigned* address, float value) { atomicMax(address, __float_as_uint(value)); }

constexpr int block_width = 32, block_height = 4;

__global__ void relax(const float* now, float* next, int width, int height, unsigned* change) {
  const int x = blockIdx.x * block_width + threadIdx.x + 1, y = blockIdx.y * block_height + threadIdx.y + 1;
  float difference = 0;
  if (x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    const float value = 0.25f * (now[i - 1] + now[i + 1] + now[i - width] + now[i + width]);
    difference = fabsf(value - now[i]);
    next[i] = value;
  }
  difference = block_max<block_width * block_height / 32>(difference);
  if (threadIdx.x == 0 && threadIdx.y == 0) atomic_max(change, difference);
}

struct Solver {
  int width, height;
  float tolerance;

  // Returns the number of iterations. The change is checked only every few iterations,
  // because a copy to the host costs more than an iteration.
  int operator()(std::vector<float>& plate) const {
    constexpr int check_every = 4;
    const std::size_t bytes = plate.size() * sizeof(float);
    auto a = device_array<float>(plate.size()), b = device_array<float>(plate.size());
    auto change = device_array<unsigned>(1);
    float* pinned;
    TRY(cudaMallocHost, &pinned, sizeof *pinned);
    const PinnedPtr<float> host_change(pinned);
    cudaStream_t stream;
    TRY(cudaStreamCreate, &stream);
    TRY(cudaMemcpyAsync, a.get(), plate.data(), bytes, cudaMemcpyHostToDevice, stream);
    TRY(cudaMemcpyAsync, b.get(), a.get(), bytes, cudaMemcpyDeviceToDevice, stream);

    const dim3 block(block_width, block_height);
    const dim3 grid((width - 2 + block.x - 1) / block.x, (height - 2 + block.y - 1) / block.y);
    int iterations = 0;
    do {
      for (int i = 0; i < check_every; ++i, ++iterations) {
        TRY(cudaMemsetAsync, change.get(), 0, sizeof(unsigned), stream);
#ifdef RACE
        relax<<<grid, block, 0, stream>>>(a.get(), a.get(), width, height, change.get());
#else
        relax<<<grid, block, 0, stream>>>(a.get(), b.get(), width, height, change.get());
        a.swap(b);
#endif
        TRY(cudaGetLastError);
      }
      TRY(cudaMemcpyAsync, host_change.get(), change.get(), sizeof(float), cudaMemcpyDeviceToHost, stream);
      TRY(cudaStreamSynchronize, stream);
    } while (*host_change > tolerance);
    TRY(cudaMemcpyAsync, plate.data(), a.get(), bytes, cudaMemcpyDeviceToHost, stream);
    TRY(cudaStreamSynchronize, stream);
    TRY(cudaStreamDestroy, stream);
    return iterations;
  }
};

static void on_host(std::vector<float>& now, int width, int height, int iterations) {
  std::vector<float> next = now;
  while (iterations-- > 0) {
    for (int y = 1; y < height - 1; ++y)
      for (int x = 1; x < width - 1; ++x) {
        const int i = y * width + x;
        next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - width] + now[i + width]);
      }
    now.swap(next);
  }
}

int main(int argc, char** argv) {
  const Solver solver{argc > 2 ? std::atoi(argv[1]) : 80, argc > 2 ? std::atoi(argv[2]) : 50,
                      argc > 3 ? std::strtof(argv[3], nullptr) : 0.05f};
  const int width = solver.width, height = solver.height;
  if (width < 3 || height < 3) return 2;

  std::vector<float> plate(width * height, 20.0f);
  for (int x = 0; x < width; ++x) plate[x] = 100;
  for (int y = 0; y < height; ++y) plate[y * width + width - 1] = 60.0f * y / height;
  std::vector<float> expected = plate;

  int iterations = 0;
  try {
    iterations = solver(plate);
  } catch (const CudaError& error) {
    std::fprintf(stderr, "jacobi: %s\n", error.what());
    return 2;
  }
  on_host(expected, width, height, iterations);
  float worst = 0;
  for (std::size_t i = 0; i < plate.size(); ++i) worst = std::fmax(worst, std::fabs(plate[i] - expected[i]));
  if (!(worst < 1e-3f)) {
    std::printf("jacobi: off by %g after %d iterations, FAILED\n", worst, iterations);
    return 1;
  }
  std::printf("jacobi: %d iterations, passed\n", iterations);
  return 0;
}
