// cuFFT for the CPU executor: cufft.h. A transform works in the plan's stream, as kernels would: its accesses are
// compared with those of other streams, and the host does not wait.
#pragma once

#include "plan.h"

namespace hirace::cpu {

// Fills a plan; `layouts` may be null, and so may its `embed`.
inline cufftResult make_fft_plan(cufftHandle handle, int rank, const int* sizes, cufftType type, int batches, const FftLayout* layouts,
                                 std::size_t* work_size) {
  FftPlan* const plan = fft_plans.find(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || batches < 1) return CUFFT_INVALID_VALUE;
  plan->shape = {{1, 1, 1}};
  for (int i = 0; i < rank; ++i) {
    if (sizes[i] < 1) return CUFFT_INVALID_SIZE;
    plan->shape.sizes[3 - rank + i] = sizes[i];
  }
  plan->type = type;
  plan->batches = batches;
  plan->has_layouts = layouts != nullptr;
  for (int i = 0; layouts != nullptr && i < 2; ++i) plan->given[i] = layouts[i];
  if (work_size != nullptr) *work_size = 0;
  return CUFFT_SUCCESS;
}

inline FftLayout fft_layout(int rank, const int* embed, int stride, int distance) {
  FftLayout layout{{1, 1, 1}, stride, distance, 0};
  for (int i = 0; i < rank && i < 3; ++i) layout.embed[3 - rank + i] = embed[i];
  return layout;
}

inline cufftResult make_fft_plan_many(cufftHandle handle, int rank, const int* sizes, const int* in_embed, int in_stride, int in_distance,
                                      const int* out_embed, int out_stride, int out_distance, cufftType type, int batches,
                                      std::size_t* work_size) {
  if (rank < 1 || rank > 3) return CUFFT_INVALID_VALUE;
  // As in cuFFT, both are ignored if one is missing.
  if (in_embed == nullptr || out_embed == nullptr) return make_fft_plan(handle, rank, sizes, type, batches, nullptr, work_size);
  const FftLayout layouts[2] = {fft_layout(rank, in_embed, in_stride, in_distance), fft_layout(rank, out_embed, out_stride, out_distance)};
  return make_fft_plan(handle, rank, sizes, type, batches, layouts, work_size);
}

// `make(handle)` for a new handle.
template <class Make>
cufftResult new_fft_plan(cufftHandle* plan, const Make& make) {
  *plan = fft_plans.add();
  if (*plan == 0) return CUFFT_ALLOC_FAILED;
  const cufftResult result = make(*plan);
  if (result != CUFFT_SUCCESS) fft_plans.remove(*plan);
  return result;
}

}  // namespace hirace::cpu

inline cufftResult cufftCreate(cufftHandle* plan) {
  return hirace::cpu::new_fft_plan(plan, [](cufftHandle) { return CUFFT_SUCCESS; });
}
inline cufftResult cufftDestroy(cufftHandle plan) { return hirace::cpu::fft_plans.remove(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

inline cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, std::size_t* work_size) {
  return hirace::cpu::make_fft_plan(plan, 1, &nx, type, batch, nullptr, work_size);
}
inline cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t* work_size) {
  const int sizes[] = {nx, ny};
  return hirace::cpu::make_fft_plan(plan, 2, sizes, type, 1, nullptr, work_size);
}
inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, std::size_t* work_size) {
  const int sizes[] = {nx, ny, nz};
  return hirace::cpu::make_fft_plan(plan, 3, sizes, type, 1, nullptr, work_size);
}
inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* sizes, int* in_embed, int in_stride, int in_distance, int* out_embed,
                                     int out_stride, int out_distance, cufftType type, int batch, std::size_t* work_size) {
  return hirace::cpu::make_fft_plan_many(plan, rank, sizes, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type, batch,
                                         work_size);
}
inline cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return hirace::cpu::new_fft_plan(plan, [=](cufftHandle made) { return cufftMakePlan1d(made, nx, type, batch, nullptr); });
}
inline cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return hirace::cpu::new_fft_plan(plan, [=](cufftHandle made) { return cufftMakePlan2d(made, nx, ny, type, nullptr); });
}
inline cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return hirace::cpu::new_fft_plan(plan, [=](cufftHandle made) { return cufftMakePlan3d(made, nx, ny, nz, type, nullptr); });
}
inline cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* sizes, int* in_embed, int in_stride, int in_distance, int* out_embed,
                                 int out_stride, int out_distance, cufftType type, int batch) {
  return hirace::cpu::new_fft_plan(plan, [=](cufftHandle made) {
    return cufftMakePlanMany(made, rank, sizes, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type, batch, nullptr);
  });
}

// No plan needs memory of its own.
inline cufftResult cufftGetSize(cufftHandle, std::size_t* work_size) {
  *work_size = 0;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftEstimate1d(int, cufftType, int, std::size_t* work_size) { return cufftGetSize(0, work_size); }
inline cufftResult cufftEstimate2d(int, int, cufftType, std::size_t* work_size) { return cufftGetSize(0, work_size); }
inline cufftResult cufftEstimate3d(int, int, int, cufftType, std::size_t* work_size) { return cufftGetSize(0, work_size); }
inline cufftResult cufftSetWorkArea(cufftHandle, void*) { return CUFFT_SUCCESS; }
inline cufftResult cufftSetAutoAllocation(cufftHandle, int) { return CUFFT_SUCCESS; }
inline cufftResult cufftGetVersion(int* version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  hirace::cpu::FftPlan* const found = hirace::cpu::fft_plans.find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  found->stream = stream;
  return CUFFT_SUCCESS;
}

#define HIRACE_FFT_EITHER_WAY(type, number)                                                                              \
  inline cufftResult cufftExec##type(cufftHandle plan, number* in, number* out, int direction) {                         \
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;                            \
    return hirace::cpu::run_plan("cufftExec" #type, hirace::cpu::fft_plans.find(plan), CUFFT_##type, in, out, direction); \
  }
#define HIRACE_FFT(type, in_number, out_number, direction)                                                               \
  inline cufftResult cufftExec##type(cufftHandle plan, in_number* in, out_number* out) {                                 \
    return hirace::cpu::run_plan("cufftExec" #type, hirace::cpu::fft_plans.find(plan), CUFFT_##type, in, out, direction); \
  }
HIRACE_FFT_EITHER_WAY(C2C, cufftComplex)
HIRACE_FFT_EITHER_WAY(Z2Z, cufftDoubleComplex)
HIRACE_FFT(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
HIRACE_FFT(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
HIRACE_FFT(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
HIRACE_FFT(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)
#undef HIRACE_FFT
#undef HIRACE_FFT_EITHER_WAY
