//! run -> 0
// The driver API: devices, contexts, memory, streams, events and tensor maps, mixed with the runtime's.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstring>
#include <string>
#include <type_traits>

#include "check.h"

void test_devices() {
  CHECK(cuInit(0) == CUDA_SUCCESS && cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  int count = 0, version = 0, value = 0, major = 0, minor = 0;
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 1);
  CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= 12000);
  CUdevice device = -1;
  CHECK(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device) == CUDA_SUCCESS && value == properties.warpSize);
  CHECK(cuDeviceComputeCapability(&major, &minor, device) == CUDA_SUCCESS && major == properties.major && minor == properties.minor);
  char name[256], short_name[4];
  CHECK(cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS && std::string(name) == properties.name);
  CHECK(cuDeviceGetName(short_name, sizeof short_name, device) == CUDA_SUCCESS && std::strlen(short_name) == 3);
  std::size_t bytes = 0;
  CHECK(cuDeviceTotalMem(&bytes, device) == CUDA_SUCCESS && bytes == properties.totalGlobalMem);
  const char* text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && std::string(text) == "CUDA_ERROR_OUT_OF_MEMORY");
  CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && std::string(text) == "out of memory");
  CHECK(cuGetErrorString(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE && text == nullptr);
}

void test_contexts() {
  CUcontext made = nullptr, current = nullptr;
  CHECK(cuCtxCreate(&made, 0, 0) == CUDA_SUCCESS && made != nullptr);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == made);
  CHECK(cuDevicePrimaryCtxRetain(&current, 0) == CUDA_SUCCESS && cuCtxSetCurrent(current) == CUDA_SUCCESS);
  CHECK(cuDevicePrimaryCtxRetain(&current, 3) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuCtxSetCurrent(reinterpret_cast<CUcontext>(&made)) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, std::size_t{1} << 24) == CUDA_SUCCESS);
  std::size_t limit = 0;
  CHECK(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE) == CUDA_SUCCESS && limit == std::size_t{1} << 24);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS && cuCtxDestroy(made) == CUDA_SUCCESS);
}

void test_memory() {
  CUdeviceptr array = 0, other = 0;
  CHECK(cuMemAlloc(&array, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&array, 64 * sizeof(int)) == CUDA_SUCCESS && cuMemAlloc(&other, 64 * sizeof(int)) == CUDA_SUCCESS);
  int numbers[64] = {}, back[64] = {};
  for (int i = 0; i < 64; ++i) numbers[i] = i * i;
  CHECK(cuMemcpyHtoD(array, numbers, sizeof numbers) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoD(other, array, sizeof numbers) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(back, other, sizeof back) == CUDA_SUCCESS && std::memcmp(numbers, back, sizeof back) == 0);
  CHECK(cuMemsetD32(other + 4 * sizeof(int), 0x01020304, 3) == CUDA_SUCCESS);
  CHECK(cuMemsetD16(other + 32, 0x0506, 1) == CUDA_SUCCESS && cuMemsetD8(other + 63, 9, 1) == CUDA_SUCCESS);
  CHECK(cuMemsetD32(other + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE && cuMemsetD32(other, 0, 65) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpy(reinterpret_cast<std::uintptr_t>(back), other, sizeof back) == CUDA_SUCCESS);
  CHECK(back[3] == 9 && back[4] == 0x01020304 && back[6] == 0x01020304 && back[7] == 49);
  CHECK(back[8] == 0x0506 && back[15] == (9 << 24 | 225));
  // Rows 1 and 2 of 16 numbers, from column 2 on, become a dense 2 by 3 matrix.
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = array;
  copy.srcXInBytes = 2 * sizeof(int);
  copy.srcY = 1;
  copy.srcPitch = 16 * sizeof(int);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back;
  copy.dstPitch = copy.WidthInBytes = 3 * sizeof(int);
  copy.Height = 2;
  CHECK(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  CHECK(back[0] == 18 * 18 && back[2] == 20 * 20 && back[3] == 34 * 34 && back[5] == 36 * 36);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  CHECK(cuMemcpy2D(&copy) == CUDA_ERROR_NOT_SUPPORTED);
  CUmemorytype type{};
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, array) == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<std::uintptr_t>(back)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(array) == CUDA_SUCCESS && cuMemFree(other) == CUDA_SUCCESS);
  std::size_t pitch = 0;
  CHECK(cuMemAllocPitch(&array, &pitch, 10, 4, 4) == CUDA_SUCCESS && pitch >= 10);
  CHECK(cuMemsetD2D8(array, pitch, 7, 10, 4) == CUDA_SUCCESS && cuMemFree(array) == CUDA_SUCCESS);
  void* pinned = nullptr;
  CHECK(cuMemHostAlloc(&pinned, 16, CU_MEMHOSTALLOC_DEVICEMAP) == CUDA_SUCCESS);
  CHECK(cuMemHostGetDevicePointer(&array, pinned, 0) == CUDA_SUCCESS && array != 0 && cuMemFreeHost(pinned) == CUDA_SUCCESS);
}

void test_streams() {
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT) == CUDA_SUCCESS && cuEventCreate(&end, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  CHECK(cuEventRecord(begin, stream) == CUDA_SUCCESS);
  CUdeviceptr array = 0;
  CHECK(cuMemAllocAsync(&array, 16, stream) == CUDA_SUCCESS && cuMemsetD32Async(array, 5, 4, stream) == CUDA_SUCCESS);
  int called = 0, number = 0;
  CHECK(cuStreamAddCallback(stream, [](CUstream, CUresult status, void* data) { *static_cast<int*>(data) = status == CUDA_SUCCESS; }, &called, 0) ==
        CUDA_SUCCESS);
  CHECK(cuMemcpyDtoHAsync(&number, array + 4, sizeof number, stream) == CUDA_SUCCESS && cuMemFreeAsync(array, stream) == CUDA_SUCCESS);
  CHECK(cuEventRecord(end, stream) == CUDA_SUCCESS && cuStreamWaitEvent(nullptr, end, 0) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS && cuStreamQuery(stream) == CUDA_SUCCESS);
  CHECK(called == 1 && number == 5);
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS && milliseconds >= 0);
  CHECK(cuEventDestroy(begin) == CUDA_SUCCESS && cuEventDestroy(end) == CUDA_SUCCESS && cuStreamDestroy(stream) == CUDA_SUCCESS);
}

void test_tensor_maps() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found) == cudaSuccess);
  CHECK(found == cudaDriverEntryPointSuccess && function == reinterpret_cast<void*>(&cuTensorMapEncodeTiled));
  CHECK(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &found) == cudaSuccess);
  CHECK(found == cudaDriverEntryPointSymbolNotFound && function == nullptr);
  CUdriverProcAddressQueryResult status{};
  CHECK(cuGetProcAddress("cuInit", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status) == CUDA_SUCCESS);
  CHECK(reinterpret_cast<PFN_cuInit>(function)(0) == CUDA_SUCCESS && status == CU_GET_PROC_ADDRESS_SUCCESS);
  CHECK(cuGetProcAddress("cuNothing", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) == CUDA_ERROR_NOT_FOUND);

  CUdeviceptr tensor = 0;
  CHECK(cuMemAlloc(&tensor, 64 * 64 * 4) == CUDA_SUCCESS);
  CUtensorMap map;
  cuuint64_t sizes[] = {60, 64}, strides[] = {256};
  cuuint32_t box[] = {32, 5}, steps[] = {1, 2};
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  const auto encoded = [&](cuuint32_t rank = 2, std::uint64_t offset = 0) {
    return cuTensorMapEncodeTiled(&map, type, rank, reinterpret_cast<void*>(tensor + offset), sizes, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  };
  CHECK(encoded() == CUDA_SUCCESS);
  hirace::cpu::ptx::TensorMap inside;
  std::memcpy(&inside, &map, sizeof inside);
  CHECK(inside.address == tensor && inside.sizes[0] == 60 && inside.strides[0] == 256 && inside.element_bytes() == 4);
  // Of five rows, every second one.
  CHECK(inside.extent(0) == 32 && inside.extent(1) == 3 && inside.swizzle == 3 && inside.fills_with_nan);
  CHECK(encoded(0) == CUDA_ERROR_INVALID_VALUE && encoded(6) == CUDA_ERROR_INVALID_VALUE && encoded(2, 4) == CUDA_ERROR_INVALID_VALUE);
  const auto refuses = [&](auto& setting, auto value, CUresult error = CUDA_ERROR_INVALID_VALUE) {
    const auto before = setting;
    setting = static_cast<std::decay_t<decltype(setting)>>(value);
    const bool refused = encoded() == error;
    setting = before;
    return refused && encoded() == CUDA_SUCCESS;
  };
  CHECK(refuses(box[0], 0) && refuses(box[1], 257) && refuses(steps[1], 9) && refuses(sizes[1], 0) && refuses(strides[0], 248));
  // A row of 12 bytes, and one that is longer than the span of the swizzle.
  CHECK(refuses(box[0], 3) && refuses(swizzle, CU_TENSOR_MAP_SWIZZLE_64B));
  CHECK(refuses(swizzle, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B, CUDA_ERROR_NOT_SUPPORTED));
  CHECK(refuses(type, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, CUDA_ERROR_NOT_SUPPORTED) && refuses(type, CU_TENSOR_MAP_DATA_TYPE_INT32));
  CHECK(cuMemFree(tensor) == CUDA_SUCCESS);
}

int main() {
  test_devices();
  test_contexts();
  test_memory();
  test_streams();
  test_tensor_maps();
}
