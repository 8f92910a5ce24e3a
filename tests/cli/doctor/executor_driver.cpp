// CUDA's driver on the CPU executor, as a library that programs open: what nvcc makes of the self-test for a GPU, PTX,
// runs as on a GPU, lane by lane. Modules are translated by the command that HIRACE_COMMAND names.
#include <cuda.h>
#include <dlfcn.h>

// The functions that `hirace doctor` calls, by their names in the driver's library.
#define DRIVER_FUNCTION(name, declared, passed) \
  extern "C" CUresult exported_##name declared __asm__(#name); \
  extern "C" CUresult exported_##name declared { return passed; }

DRIVER_FUNCTION(cuInit, (unsigned flags), cuInit(flags))
// It takes the PTX of any nvcc.
DRIVER_FUNCTION(cuDriverGetVersion, (int* version), (*version = 99000, CUDA_SUCCESS))
DRIVER_FUNCTION(cuGetErrorName, (CUresult error, const char** name), cuGetErrorName(error, name))
DRIVER_FUNCTION(cuGetErrorString, (CUresult error, const char** text), cuGetErrorString(error, text))
DRIVER_FUNCTION(cuDeviceGetCount, (int* count), cuDeviceGetCount(count))
DRIVER_FUNCTION(cuDeviceGet, (CUdevice * device, int ordinal), cuDeviceGet(device, ordinal))
DRIVER_FUNCTION(cuDeviceGetName, (char* name, int bytes, CUdevice device), cuDeviceGetName(name, bytes, device))
DRIVER_FUNCTION(cuDeviceTotalMem_v2, (std::size_t * bytes, CUdevice device), cuDeviceTotalMem(bytes, device))
DRIVER_FUNCTION(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device),
                cuDeviceGetAttribute(value, attribute, device))
DRIVER_FUNCTION(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), cuDevicePrimaryCtxRetain(context, device))
DRIVER_FUNCTION(cuDevicePrimaryCtxRelease_v2, (CUdevice device), cuDevicePrimaryCtxRelease(device))
DRIVER_FUNCTION(cuCtxGetCurrent, (CUcontext * context), cuCtxGetCurrent(context))
DRIVER_FUNCTION(cuCtxSetCurrent, (CUcontext context), cuCtxSetCurrent(context))
DRIVER_FUNCTION(cuStreamSynchronize, (CUstream stream), cuStreamSynchronize(stream))
DRIVER_FUNCTION(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), cuStreamWaitEvent(stream, event, flags))
DRIVER_FUNCTION(cuEventCreate, (CUevent * event, unsigned flags), cuEventCreate(event, flags))
DRIVER_FUNCTION(cuEventRecord, (CUevent event, CUstream stream), cuEventRecord(event, stream))
DRIVER_FUNCTION(cuEventSynchronize, (CUevent event), cuEventSynchronize(event))
DRIVER_FUNCTION(cuEventDestroy_v2, (CUevent event), cuEventDestroy(event))
DRIVER_FUNCTION(cuMemAlloc_v2, (CUdeviceptr * memory, std::size_t bytes), cuMemAlloc(memory, bytes))
DRIVER_FUNCTION(cuMemFree_v2, (CUdeviceptr memory), cuMemFree(memory))
DRIVER_FUNCTION(cuMemAllocAsync, (CUdeviceptr * memory, std::size_t bytes, CUstream stream), cuMemAllocAsync(memory, bytes, stream))
DRIVER_FUNCTION(cuMemFreeAsync, (CUdeviceptr memory, CUstream stream), cuMemFreeAsync(memory, stream))
DRIVER_FUNCTION(cuMemsetD8Async, (CUdeviceptr memory, unsigned char value, std::size_t bytes, CUstream stream),
                cuMemsetD8Async(memory, value, bytes, stream))
DRIVER_FUNCTION(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream),
                cuMemcpyHtoDAsync(to, from, bytes, stream))
DRIVER_FUNCTION(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, std::size_t bytes, CUstream stream),
                cuMemcpyDtoHAsync(to, from, bytes, stream))
DRIVER_FUNCTION(cuModuleLoadData, (CUmodule * module, const void* image), cuModuleLoadData(module, image))
DRIVER_FUNCTION(cuModuleUnload, (CUmodule module), cuModuleUnload(module))
DRIVER_FUNCTION(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char* name),
                cuModuleGetFunction(function, module, name))
DRIVER_FUNCTION(cuLaunchKernel,
                (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                 unsigned block_z, unsigned shared, CUstream stream, void** arguments, void** extra),
                cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, arguments, extra))

// Modules are libraries that use the executor's functions, but a program opens this library for itself only.
__attribute__((constructor)) static void offer_executor() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<void*>(&offer_executor), &own) != 0) dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}
