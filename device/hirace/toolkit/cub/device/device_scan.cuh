// cub::DeviceScan.
#pragma once

#include "../../thrust/detail/reductions.h"
#include "device_call.cuh"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream = 0) {
    return ExclusiveScan(storage, bytes, in, out, cub::Sum(), detail::value_of<In>(), count, stream);
  }
  template <class In, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In data, Count count, cudaStream_t stream = 0) {
    return ExclusiveSum(storage, bytes, data, data, count, stream);
  }
  template <class In, class Out, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream = 0) {
    return InclusiveScan(storage, bytes, in, out, cub::Sum(), count, stream);
  }
  template <class In, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In data, Count count, cudaStream_t stream = 0) {
    return InclusiveSum(storage, bytes, data, data, count, stream);
  }

  template <class In, class Out, class Op, class T, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Op op, T init, Count count,
                                   cudaStream_t stream = 0) {
    return run(storage, bytes, in, out, count, stream,
               [=](auto first, auto last) { thrust::detail::bodies::exclusive_scan(first, last, detail::used(out), init, op); });
  }
  template <class In, class Op, class T, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In data, Op op, T init, Count count, cudaStream_t stream = 0) {
    return ExclusiveScan(storage, bytes, data, data, op, init, count, stream);
  }
  template <class In, class Out, class Op, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Op op, Count count, cudaStream_t stream = 0) {
    return run(storage, bytes, in, out, count, stream,
               [=](auto first, auto last) { thrust::detail::bodies::inclusive_scan(first, last, detail::used(out), op); });
  }
  template <class In, class Op, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In data, Op op, Count count, cudaStream_t stream = 0) {
    return InclusiveScan(storage, bytes, data, data, op, count, stream);
  }
  template <class In, class Out, class Op, class T, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t InclusiveScanInit(void* storage, std::size_t& bytes, In in, Out out, Op op, T init, Count count,
                                       cudaStream_t stream = 0) {
    return run(storage, bytes, in, out, count, stream,
               [=](auto first, auto last) { thrust::detail::bodies::inclusive_scan(first, last, detail::used(out), init, op); });
  }

  // Scans within runs of equal keys.
  template <class Keys, class In, class Out, class Count, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Count count, Equal equal = Equal(),
                                       cudaStream_t stream = 0) {
    return ExclusiveScanByKey(storage, bytes, keys, in, out, cub::Sum(), detail::value_of<In>(), count, equal, stream);
  }
  template <class Keys, class In, class Out, class Count, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Count count, Equal equal = Equal(),
                                       cudaStream_t stream = 0) {
    return InclusiveScanByKey(storage, bytes, keys, in, out, cub::Sum(), count, equal, stream);
  }
  template <class Keys, class In, class Out, class Op, class T, class Count, class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Op op, T init, Count count,
                                        Equal equal = Equal(), cudaStream_t stream = 0) {
    return run(storage, bytes, keys, out, count, stream, [=](auto first, auto last) {
      thrust::detail::bodies::exclusive_scan_by_key(first, last, detail::used(in), detail::used(out), init, equal, op);
    });
  }
  template <class Keys, class In, class Out, class Op, class Count, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Op op, Count count,
                                        Equal equal = Equal(), cudaStream_t stream = 0) {
    return run(storage, bytes, keys, out, count, stream, [=](auto first, auto last) {
      thrust::detail::bodies::inclusive_scan_by_key(first, last, detail::used(in), detail::used(out), equal, op);
    });
  }

 private:
  template <class In, class Out, class Count, class Scan>
  static cudaError_t run(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream, const Scan& scan) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(out, count);
    return detail::two_phases("cub::DeviceScan", storage, bytes, stream, in_range,
                              [=] { scan(detail::used(in), detail::used(in) + static_cast<std::ptrdiff_t>(count)); });
  }
};

}  // namespace cub
