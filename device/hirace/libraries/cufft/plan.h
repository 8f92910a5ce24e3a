// Plans of cuFFT: what is transformed, where it is in memory, and the work of a call.
#pragma once

#include "../cublas/vector.h"
#include "transform.h"
#include "types.h"

namespace hirace::cpu {

// Where the elements of a batch are; `used` is the number of them in the last dimension.
struct FftLayout {
  long long embed[3];
  long long stride, distance, used;

  long long at(long long batch, long long i, long long j, long long k) const {
    return batch * distance + ((i * embed[1] + j) * embed[2] + k) * stride;
  }
};

struct FftPlan {
  FftShape shape;
  cufftType type;
  long long batches;
  // Of programs that say where elements are; otherwise arrays are dense.
  bool has_layouts = false;
  FftLayout given[2];
  cudaStream_t stream = nullptr;

  bool reads_half() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  bool writes_half() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }

  // A real array that is transformed in place has room for the complex one in each line.
  FftLayout layout(bool output, bool in_place) const {
    const long long length = shape.sizes[2], half = length / 2 + 1;
    const bool is_half = output ? writes_half() : reads_half(), is_real = output ? reads_half() : writes_half();
    FftLayout layout = given[output ? 1 : 0];
    if (!has_layouts) {
      const long long line = is_half ? half : is_real && in_place ? 2 * half : length;
      layout = {{shape.sizes[0], shape.sizes[1], line}, 1, shape.sizes[0] * shape.sizes[1] * line, 0};
    }
    layout.used = is_half ? half : length;
    return layout;
  }
};

// An array of a call, with its elements as cuFFT counts them.
template <class T>
struct FftArray {
  T* data;
  FftLayout layout;
  FftShape shape;
  long long batches;

  std::size_t bytes() const {
    return static_cast<std::size_t>(layout.at(batches - 1, shape.sizes[0] - 1, shape.sizes[1] - 1, layout.used - 1) + 1) * sizeof(T);
  }
  template <class Body>
  void each_line(long long batch, const Body& body) const {
    for (long long i = 0; i < shape.sizes[0]; ++i) {
      for (long long j = 0; j < shape.sizes[1]; ++j) body(i, j, BlasVector<T>{data + layout.at(batch, i, j, 0), layout.used, layout.stride});
    }
  }
  void note(BlasAccess access) const {
    for (long long batch = 0; batch < batches; ++batch) {
      each_line(batch, [&](long long, long long, const BlasVector<T>& line) { line.note(access); });
    }
  }
};

// The half that is stored determines the other one, because the transformed numbers are real.
inline void complete_by_symmetry(FftNumber* array, const FftShape& shape) {
  const long long* const sizes = shape.sizes;
  const auto element = [&](long long i, long long j, long long k) -> FftNumber& { return array[(i * sizes[1] + j) * sizes[2] + k]; };
  for (long long i = 0; i < sizes[0]; ++i) {
    for (long long j = 0; j < sizes[1]; ++j) {
      for (long long k = sizes[2] / 2 + 1; k < sizes[2]; ++k) {
        element(i, j, k) = conjugate(element((sizes[0] - i) % sizes[0], (sizes[1] - j) % sizes[1], sizes[2] - k));
      }
    }
  }
}

template <class Number>
FftNumber fft_number(const Number& number) {
  if constexpr (is_blas_complex<Number>) {
    return FftNumber(number.x, number.y);
  } else {
    return FftNumber(number);
  }
}
template <class Number>
Number fft_result(const FftNumber& number) {
  if constexpr (is_blas_complex<Number>) {
    return Number(number);
  } else {
    return static_cast<Number>(number.x);
  }
}

template <class In, class Out>
void run_transforms(const FftPlan& plan, const FftArray<In>& in, const FftArray<Out>& out, int sign) {
  auto* const array = new FftNumber[static_cast<std::size_t>(plan.shape.elements())];
  const auto line_of = [&](long long i, long long j) { return array + (i * plan.shape.sizes[1] + j) * plan.shape.sizes[2]; };
  for (long long batch = 0; batch < plan.batches; ++batch) {
    in.each_line(batch, [&](long long i, long long j, const BlasVector<In>& line) {
      for (long long k = 0; k < line.count; ++k) line_of(i, j)[k] = fft_number(line[k]);
    });
    if (plan.reads_half()) complete_by_symmetry(array, plan.shape);
    transform_array(array, plan.shape, sign);
    out.each_line(batch, [&](long long i, long long j, const BlasVector<Out>& line) {
      for (long long k = 0; k < line.count; ++k) line[k] = fft_result<Out>(line_of(i, j)[k]);
    });
  }
  delete[] array;
}

// Runs a plan in its stream.
template <class In, class Out>
cufftResult run_plan(const char* name, const FftPlan* plan, cufftType type, In* from, Out* to, int sign) {
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  const bool in_place = static_cast<const void*>(from) == static_cast<const void*>(to);
  const FftArray<BlasNumber<In>> in{numbers(from), plan->layout(false, in_place), plan->shape, plan->batches};
  const FftArray<BlasNumber<Out>> out{numbers(to), plan->layout(true, in_place), plan->shape, plan->batches};
  if (!has_array(name, from, in.bytes()) || !has_array(name, to, out.bytes())) return CUFFT_EXEC_FAILED;
  const FftPlan planned = *plan;
  const cudaError_t error = run_in_stream(name, plan->stream, LibraryWaits::for_nothing, [=] {
    in.note(BlasAccess::reads);
    out.note(BlasAccess::writes);
    run_transforms(planned, in, out, sign);
  });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

// The plans of the program, by handle.
class FftPlans {
 public:
  static constexpr int most = 4096;

  // The number of a free place; none if there is no more.
  int add() {
    for (int handle = 1; handle < most; ++handle) {
      if (plans_[handle] != nullptr) continue;
      plans_[handle] = new FftPlan{};
      return handle;
    }
    return 0;
  }
  FftPlan* find(cufftHandle handle) const { return handle > 0 && handle < most ? plans_[handle] : nullptr; }
  bool remove(cufftHandle handle) {
    if (find(handle) == nullptr) return false;
    delete plans_[handle];
    plans_[handle] = nullptr;
    return true;
  }

 private:
  FftPlan* plans_[most] = {};
};
inline FftPlans fft_plans;

}  // namespace hirace::cpu
