// What functions of cuBLAS work on besides vectors: matrices, and numbers that are on the host or on the device.
// A function notes the accesses that it makes to each of them.
#pragma once

#include "types.h"
#include "vector.h"

namespace hirace::cpu {

enum class BlasPart { all, lower, upper };
inline BlasPart part_of(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_LOWER ? BlasPart::lower : BlasPart::upper; }

// In column-major order.
template <class Number>
struct BlasMatrix {
  Number* data;
  long long rows, columns, pitch;

  Number& operator()(long long row, long long column) const { return data[row + column * pitch]; }
  std::size_t bytes() const {
    return rows <= 0 || columns <= 0 ? 0 : static_cast<std::size_t>((columns - 1) * pitch + rows) * sizeof(Number);
  }
  bool is_there(const char* name) const { return has_array(name, data, bytes()); }
  bool has_pitch() const { return rows >= 0 && columns >= 0 && pitch >= (rows > 1 ? rows : 1); }
  // The first row of a column that is in the part, and the one after the last.
  long long first_row(long long column, BlasPart part) const { return part == BlasPart::lower ? column : 0; }
  long long end_row(long long column, BlasPart part) const { return part == BlasPart::upper && column + 1 < rows ? column + 1 : rows; }
  void note(BlasAccess access, BlasPart part = BlasPart::all) const {
    for (long long column = 0; column < columns; ++column) {
      const long long first = first_row(column, part), end = end_row(column, part);
      if (first < end) note_blas_access(&(*this)(first, column), static_cast<std::size_t>(end - first), access);
    }
  }
};

// A matrix as an operation makes it: transposed, conjugated.
template <class Number>
struct BlasOperand {
  BlasMatrix<const Number> matrix;
  cublasOperation_t operation;

  bool is_transposed() const { return operation == CUBLAS_OP_T || operation == CUBLAS_OP_C; }
  bool is_conjugated() const { return operation == CUBLAS_OP_C || operation == CUBLAS_OP_CONJG; }
  Number operator()(long long row, long long column) const {
    return conjugate(is_transposed() ? matrix(column, row) : matrix(row, column), is_conjugated());
  }
};
// The operand with `rows` rows and `columns` columns after the operation.
template <class Number>
BlasOperand<std::remove_const_t<Number>> operand(Number* data, cublasOperation_t operation, long long rows, long long columns, long long pitch) {
  const bool transposed = operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
  return {{data, transposed ? columns : rows, transposed ? rows : columns, pitch}, operation};
}

// A factor, by the handle's pointer mode: one on the host is read by the call.
template <class Number>
class BlasScalar {
 public:
  BlasScalar(cublasHandle_t handle, const Number* place) {
    if (handle == nullptr || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
      place_ = place;
    } else {
      value_ = *place;
    }
  }
  Number get() const {
    if (place_ == nullptr) return value_;
    library_reads(place_, sizeof(Number));
    return *place_;
  }

 private:
  const Number* place_ = nullptr;
  Number value_{};
};

// Runs a function of cuBLAS in the handle's stream.
template <class Work>
cublasStatus_t run_blas(const char* name, cublasHandle_t handle, LibraryWaits waits, const Work& work) {
  const cudaError_t error = run_in_stream(name, handle->stream, waits, work);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

// The same for a function with a result; the host waits for one of its own.
template <class Number, class Compute>
cublasStatus_t run_blas_for(const char* name, cublasHandle_t handle, Number* result, const Compute& compute) {
  const bool on_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
  return run_blas(name, handle, on_host ? LibraryWaits::for_stream : LibraryWaits::for_nothing, [=] {
    const Number value = compute();
    if (!on_host) library_writes(result, sizeof(Number));
    *result = value;
  });
}

}  // namespace hirace::cpu
