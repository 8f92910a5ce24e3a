// A CUDA driver without a GPU, for tests of the code that talks to one: memory of the device
// is memory of the process, and the kernels of the self-test run as C++.
//
//   FAKE_CUDA         the version that it supports, as 13000 [default: 12080]
//   FAKE_GPUS         how many GPUs there are [default: 1]
//   FAKE_CAPABILITY   their compute capability, as 90, the default
//   FAKE_INIT         what cuInit returns
//   FAKE_WRONG        the kernels make one mistake

#include "fake_kernels.h"

#include <cstdio>

fake::Kernel small_words_kernel(const char* name);

namespace {

enum Result : int { success = 0, invalid_value = 1, no_device = 100, invalid_image = 200, not_found = 500 };

int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

int context, module, small_words_module;

}  // namespace

extern "C" {

int cuInit(unsigned) {
  const int result = setting("FAKE_INIT", success);
  return result == success && setting("FAKE_GPUS", 1) == 0 ? no_device : result;
}
int cuDriverGetVersion(int* version) { return *version = setting("FAKE_CUDA", 12080), success; }
int cuGetErrorName(int error, const char** name) {
  static char text[32];
  std::snprintf(text, sizeof text, "FAKE_ERROR_%d", error);
  return *name = text, success;
}
int cuGetErrorString(int, const char** text) { return *text = "no luck", success; }

int cuDeviceGetCount(int* count) { return *count = setting("FAKE_GPUS", 1), success; }
int cuDeviceGet(int* device, int ordinal) { return *device = ordinal, success; }
int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU %d", device);
  return success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{3} << 29, success; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  const int capability = setting("FAKE_CAPABILITY", 90);
  switch (attribute) {
    case 16: return *value = 7, success;                 // MULTIPROCESSOR_COUNT
    case 75: return *value = capability / 10, success;   // COMPUTE_CAPABILITY_MAJOR
    case 76: return *value = capability % 10, success;   // COMPUTE_CAPABILITY_MINOR
    case 115: return *value = 0, success;                // MEMORY_POOLS_SUPPORTED
  }
  return invalid_value;
}

int cuDevicePrimaryCtxRetain(void** made, int) { return *made = &context, success; }
int cuDevicePrimaryCtxRelease_v2(int) { return success; }
int cuCtxGetCurrent(void** current) { return *current = &context, success; }
int cuCtxSetCurrent(void*) { return success; }
int cuStreamSynchronize(void*) { return success; }

// Events order streams, of which there is one.
int cuEventCreate(void** event, unsigned) { return *event = &context, success; }
int cuEventRecord(void*, void*) { return success; }
int cuEventSynchronize(void*) { return success; }
int cuEventDestroy_v2(void*) { return success; }
int cuStreamWaitEvent(void*, void*, unsigned) { return success; }

int cuMemAlloc_v2(void** memory, std::size_t bytes) { return (*memory = std::malloc(bytes)) ? success : 2; }
int cuMemFree_v2(void* memory) { return std::free(memory), success; }
int cuMemsetD8Async(void* memory, unsigned char value, std::size_t bytes, void*) {
  return std::memset(memory, value, bytes), success;
}
int cuMemcpyHtoDAsync_v2(void* to, const void* from, std::size_t bytes, void*) {
  return std::memcpy(to, from, bytes), success;
}
int cuMemcpyDtoHAsync_v2(void* to, const void* from, std::size_t bytes, void*) {
  return std::memcpy(to, from, bytes), success;
}

int cuModuleLoadData(void** loaded, const void* image) {
  const auto* text = static_cast<const char*>(image);
  if (std::strcmp(text, "fake cubin for sm_90\n") == 0) return *loaded = &module, success;
  if (std::strcmp(text, "fake cubin for sm_90 -DHIRACE_WORD_BYTES=4\n") == 0) return *loaded = &small_words_module, success;
  return invalid_image;
}
int cuModuleUnload(void*) { return success; }
int cuModuleGetFunction(void** function, void* of, const char* name) {
  const fake::Kernel kernel = of == &module ? kernel_named(name) : small_words_kernel(name);
  return *function = reinterpret_cast<void*>(kernel), kernel ? success : not_found;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                   void** arguments, void**) {
  return reinterpret_cast<fake::Kernel>(function)(arguments), success;
}

}  // extern "C"
