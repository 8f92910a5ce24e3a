// Loads the PTX file that its first argument names, by each way that the driver API has for it.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                              \
  do {                                                           \
    const CUresult result = call;                                \
    if (result != CUDA_SUCCESS) {                                \
      const char* name = nullptr;                                \
      cuGetErrorName(result, &name);                             \
      std::printf("%s: %s\n", #call, name);                      \
      std::exit(3);                                              \
    }                                                            \
  } while (0)

static std::string text_of(const char* name) {
  std::string text;
  std::FILE* file = std::fopen(name, "rb");
  for (int next; (next = std::fgetc(file)) != EOF;) text.push_back(static_cast<char>(next));
  std::fclose(file);
  return text;
}

int main(int, char** arguments) {
  constexpr int n = 256;
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));

  CUmodule module, same;
  CHECK(cuModuleLoad(&module, arguments[1]));
  CHECK(cuModuleLoadData(&same, text_of(arguments[1]).c_str()));
  CUfunction function, function_of_same, none;
  CHECK(cuModuleGetFunction(&function, module, "reverse"));
  CHECK(cuModuleGetFunction(&function_of_same, same, "reverse"));
  if (cuModuleGetFunction(&none, module, "reversed") != CUDA_ERROR_NOT_FOUND) std::exit(4);

  CUdeviceptr in, out, calls, calls_of_same;
  size_t bytes;
  CHECK(cuModuleGetGlobal(&calls, &bytes, module, "calls"));
  CHECK(cuModuleGetGlobal(&calls_of_same, nullptr, same, "calls"));
  const int start = 10;
  CHECK(cuMemcpyHtoD(calls, &start, bytes));
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i;
  CHECK(cuMemAlloc(&in, n * sizeof(int)));
  CHECK(cuMemAlloc(&out, n * sizeof(int)));
  CHECK(cuMemcpyHtoD(in, values.data(), n * sizeof(int)));

  void* addresses[] = {&in, &out};
  CHECK(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, n * sizeof(int), nullptr, addresses, nullptr));
  struct {
    CUdeviceptr in, out;
  } packed{out, in};
  size_t size = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(function_of_same, 1, 1, 1, n, 1, 1, n * sizeof(int), nullptr, nullptr, extra));
  CHECK(cuCtxSynchronize());

  CHECK(cuMemcpyDtoH(values.data(), in, n * sizeof(int)));
  bool same_again = true;
  for (int i = 0; i < n; ++i) same_again = same_again && values[i] == i;
  int count, count_of_same;
  CHECK(cuMemcpyDtoH(&count, calls, sizeof count));
  CHECK(cuMemcpyDtoH(&count_of_same, calls_of_same, sizeof count));
  std::printf("twice reversed: %s; calls: %d and %d\n", same_again ? "as before" : "other values", count, count_of_same);
  CHECK(cuModuleUnload(module));
}
