//! run -> 0
//! run HIRACE_SEED=0 unknown -> 3: the parameters of the kernel at
// Pitched and three-dimensional memory, arrays, pools, and launches by address.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "check.h"

#define ERROR_IS(call, error) CHECK((call) == error && cudaGetLastError() == error)

void test_box_copies() {
  const cudaExtent extent = make_cudaExtent(20, 5, 3);  // bytes, rows, slices
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent) == cudaSuccess && box.pitch >= 20 && box.xsize == 20 && box.ysize == 5);
  CHECK(cudaMemset3D(box, 7, extent) == cudaSuccess);
  std::vector<char> host(20 * 5 * 3, 0), back(20 * 5 * 3, 0);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i % 100);
  cudaMemcpy3DParms p{};
  p.srcPtr = box;
  p.dstPtr = make_cudaPitchedPtr(back.data(), 20, 20, 5);
  p.extent = extent;
  p.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess && back == std::vector<char>(back.size(), 7));
  // A box inside: from (4, 1, 1), 8 bytes wide, 2 rows, 2 slices.
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(host.data(), 20, 20, 5);
  in.srcPos = make_cudaPos(4, 1, 1);
  in.dstPtr = box;
  in.dstPos = make_cudaPos(4, 1, 1);
  in.extent = make_cudaExtent(8, 2, 2);
  in.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&in) == cudaSuccess && cudaMemcpy3D(&p) == cudaSuccess);
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 20; ++x) {
        const bool inside = x >= 4 && x < 12 && y >= 1 && y < 3 && z >= 1;
        const auto i = static_cast<std::size_t>((z * 5 + y) * 20 + x);
        CHECK(back[i] == (inside ? host[i] : 7));
      }
    }
  }
  p.srcArray = nullptr;
  p.srcPtr.ptr = nullptr;
  ERROR_IS(cudaMemcpy3D(&p), cudaErrorInvalidValue);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
}

void test_arrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  CHECK(format.x == 32 && format.y == 32 && format.z == 0 && format.f == cudaChannelFormatKindFloat);
  CHECK(cudaCreateChannelDesc<uchar4>().w == 8 && cudaCreateChannelDesc<uchar4>().f == cudaChannelFormatKindUnsigned);
  CHECK(cudaCreateChannelDesc<short>().f == cudaChannelFormatKindSigned);
  cudaArray_t array = nullptr, other = nullptr;
  CHECK(cudaMallocArray(&array, &format, 6, 4) == cudaSuccess && cudaMallocArray(&other, &format, 6, 4) == cudaSuccess);
  cudaChannelFormatDesc got;
  cudaExtent extent;
  unsigned flags = 9;
  CHECK(cudaArrayGetInfo(&got, &extent, &flags, array) == cudaSuccess && extent.width == 6 && extent.height == 4 && extent.depth == 0);
  float2 in[4][6], out[4][6];
  for (int i = 0; i < 24; ++i) in[i / 6][i % 6] = make_float2(static_cast<float>(i), static_cast<float>(-i));
  std::memset(out, 0, sizeof out);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, sizeof in[0], 4) == cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(out, sizeof out[0], other, 0, 0, sizeof in[0], 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::memcmp(in, out, sizeof in) == 0);
  ERROR_IS(cudaMemcpy2DToArray(array, 8, 0, in, sizeof in[0], sizeof in[0], 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  std::memset(out, 0, sizeof out);
  CHECK(cudaMemcpyFromArray(out, array, 0, 0, sizeof in, cudaMemcpyDeviceToHost) == cudaSuccess && std::memcmp(in, out, sizeof in) == 0);
  const cudaChannelFormatDesc three{32, 32, 32, 0, cudaChannelFormatKindFloat};
  ERROR_IS(cudaMallocArray(&other, &three, 6, 4), cudaErrorInvalidChannelDescriptor);
  CHECK(cudaFreeArray(array) == cudaSuccess && cudaFreeArray(nullptr) == cudaSuccess);
}

void test_pools() {
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  std::uint64_t threshold = ~std::uint64_t{0}, used = 0, high = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  int *a = nullptr, *b = nullptr;
  CHECK(cudaMallocAsync(&a, 1000, stream) == cudaSuccess && cudaMallocAsync(&b, 3000, stream) == cudaSuccess && a != b);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess && used == 4000);
  CHECK(cudaFreeAsync(b, stream) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess && used == 1000);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high) == cudaSuccess && high == 4000);
  CHECK(cudaFreeAsync(a, stream) == cudaSuccess);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = 5000;
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&a, 4000, pool, stream) == cudaSuccess);
  ERROR_IS(cudaMallocFromPoolAsync(&b, 4000, pool, stream), cudaErrorMemoryAllocation);
  CHECK(cudaFreeAsync(a, stream) == cudaSuccess && cudaMemPoolDestroy(pool) == cudaSuccess);
  int* everywhere = managed<int>(10);
  CHECK(cudaMemPrefetchAsync(everywhere, 40, 0, stream) == cudaSuccess);
  CHECK(cudaMemAdvise(everywhere, 40, cudaMemAdviseSetReadMostly, cudaCpuDeviceId) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }

constexpr hirace::LaunchInfo fill_info{"fill", 0, true, 3, 0u, ~0u};

void test_launches(bool unknown) {
  int* data = managed<int>(32);
  int value = 4;
  void* arguments[] = {&data, &value};
  if (unknown) {
    ERROR_IS(cudaLaunchKernel(reinterpret_cast<const void*>(fill), 1, 32, arguments), cudaErrorInvalidDeviceFunction);
    std::exit(3);
  }
  // The instrumenter's output for `(void*)fill`.
  const void* const address = hirace::cpu::kernel_address(fill_info, fill);
  CHECK(cudaLaunchKernel(address, dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess && data[31] == 4);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  CHECK(cudaLaunchKernelEx(&config, fill, data, short{5}) == cudaSuccess && data[31] == 5);
  value = 6;
  CHECK(cudaLaunchKernelExC(&config, address, arguments) == cudaSuccess && data[31] == 6);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  ERROR_IS(cudaLaunchKernelEx(&config, fill, data, 5), cudaErrorInvalidClusterSize);
  config.gridDim = dim3(4);
  CHECK(cudaLaunchKernelEx(&config, fill, data, short{7}) == cudaSuccess && data[31] == 7);
  int clusters = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, fill, &config) == cudaSuccess && clusters > 0);
  int blocks = 0, size = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, fill, 0, 0) == cudaSuccess && size == 1024);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &size, fill, [](int block) { return block * 4; }) == cudaSuccess);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, fill) == cudaSuccess && attributes.maxThreadsPerBlock == 1024);
}

// Errors stay until cudaGetLastError(); peeking does not clear them; "not ready" is not an error.
void test_error_slots() {
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 1) == cudaErrorInvalidValue && cudaMemGetInfo(nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue && cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidPitchValue), "invalid pitch argument") == 0);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorStreamCaptureImplicit), "cudaErrorStreamCaptureImplicit") == 0);
  CHECK(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code") == 0);
  std::size_t bytes = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess && bytes == 1 << 26);
  char bus[16];
  int device = 5;
  CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess && cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess && device == 0);
}

int main(int count, char**) {
  test_error_slots();
  test_box_copies();
  test_arrays();
  test_pools();
  test_launches(count > 1);
}
