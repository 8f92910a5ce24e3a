#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void sum(const float* x, float* result) {
#ifdef REPAIRED
  atomicAdd(&result[blockIdx.x], x[blockIdx.x * blockDim.x + threadIdx.x]);
#else
  result[blockIdx.x] += x[blockIdx.x * blockDim.x + threadIdx.x];
#endif
}

torch::Tensor sums_of_blocks(torch::Tensor x) {
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor result = torch::zeros(4, torch::kCUDA);
  at::cuda::CUDAStream stream = at::cuda::getStreamFromPool();
  {
    const at::cuda::CUDAStreamGuard current(stream);
    sum<<<4, x.numel() / 4, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), result.data_ptr<float>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  TORCH_CHECK(at::cuda::getCurrentDeviceProperties()->warpSize == at::cuda::warp_size());
  at::cuda::CUDAEvent end;
  end.record(stream);
  end.block(at::cuda::getDefaultCUDAStream());
  end.synchronize();
  AT_CUDA_CHECK(cudaGetLastError());
  return result;
}
