// Compiles a template while it runs; the arguments are NVRTC's options.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static const char* const source = R"(
#include "twice.h"
__device__ int calls = 2;
namespace numbers { __constant__ float scale; }
template <class T> __global__ void reverse(T* data, int n) {
  __shared__ T tile[256];
  const int t = threadIdx.x;
  tile[t] = twice(data[t]);
#ifdef REPAIRED
  __syncthreads();
#endif
  data[t] = tile[n - 1 - t];
  if (t == 0) atomicAdd(&calls, 1);
}
extern "C" __global__ void scaled(float* data) { data[threadIdx.x] = numbers::scale; }
)";
static const char* const header = "template <class T> __device__ T twice(T x) { return x + x; }\n";
static const char* const header_name = "twice.h";

static void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s\n", what);
  std::exit(3);
}

int main(int count, char** arguments) {
  constexpr int n = 256;
  nvrtcProgram program;
  require(nvrtcCreateProgram(&program, source, "reverse.cu", 1, &header, &header_name) == NVRTC_SUCCESS, "create");
  require(nvrtcAddNameExpression(program, "reverse<float>") == NVRTC_SUCCESS, "name");
  require(nvrtcAddNameExpression(program, "&numbers::scale") == NVRTC_SUCCESS, "name");
  if (nvrtcCompileProgram(program, count - 1, arguments + 1) != NVRTC_SUCCESS) {
    size_t bytes;
    nvrtcGetProgramLogSize(program, &bytes);
    std::vector<char> log(bytes);
    nvrtcGetProgramLog(program, log.data());
    std::printf("log: %s\n", log.data());
    return 4;
  }
  size_t bytes;
  require(nvrtcGetPTXSize(program, &bytes) == NVRTC_SUCCESS, "size");
  std::vector<char> ptx(bytes);
  require(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS, "PTX");
  const char *kernel, *variable;
  require(nvrtcGetLoweredName(program, "reverse<float>", &kernel) == NVRTC_SUCCESS, "lowered name");
  require(nvrtcGetLoweredName(program, "&numbers::scale", &variable) == NVRTC_SUCCESS, "lowered name");

  CUmodule module;
  CUfunction reverse, scaled;
  CUdeviceptr data, scale, calls;
  require(cuModuleLoadData(&module, ptx.data()) == CUDA_SUCCESS, "load");
  require(cuModuleGetFunction(&reverse, module, kernel) == CUDA_SUCCESS, "kernel");
  require(cuModuleGetFunction(&scaled, module, "scaled") == CUDA_SUCCESS, "kernel");
  require(cuModuleGetGlobal(&scale, &bytes, module, variable) == CUDA_SUCCESS && bytes == sizeof(float), "variable");
  require(cuModuleGetGlobal(&calls, &bytes, module, "calls") == CUDA_SUCCESS && bytes == sizeof(int), "variable");
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  cuMemAlloc(&data, n * sizeof(float));
  cuMemcpyHtoD(data, values.data(), n * sizeof(float));
  int length = n;
  void* given[] = {&data, &length};
  require(cuLaunchKernel(reverse, 1, 1, 1, n, 1, 1, 0, nullptr, given, nullptr) == CUDA_SUCCESS, "launch");
  cuMemcpyDtoH(values.data(), data, n * sizeof(float));
  int called;
  cuMemcpyDtoH(&called, calls, sizeof called);
  std::printf("first %g; calls %d\n", values[0], called);
  const float three = 3;
  cuMemcpyHtoD(scale, &three, sizeof three);
  require(cuLaunchKernel(scaled, 1, 1, 1, n, 1, 1, 0, nullptr, given, nullptr) == CUDA_SUCCESS, "launch");
  cuMemcpyDtoH(values.data(), data, n * sizeof(float));
  std::printf("scaled %g\n", values[9]);
  nvrtcDestroyProgram(&program);
}
