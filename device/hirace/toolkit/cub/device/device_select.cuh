// cub::DeviceSelect and DevicePartition.
#pragma once

#include "../../thrust/detail/reorder.h"
#include "device_call.cuh"

namespace cub {

struct DeviceSelect {
  template <class In, class Out, class Chosen, class Count, class Op>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Chosen chosen, Count count, Op op, cudaStream_t stream = 0) {
    return FlaggedIf(storage, bytes, in, in, out, chosen, count, op, stream);
  }
  template <class In, class Chosen, class Count, class Op, detail::if_number<Count> = nullptr>
  static cudaError_t If(void* storage, std::size_t& bytes, In data, Chosen chosen, Count count, Op op, cudaStream_t stream = 0) {
    return If(storage, bytes, data, data, chosen, count, op, stream);
  }
  template <class In, class Flags, class Out, class Chosen, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Chosen chosen, Count count,
                             cudaStream_t stream = 0) {
    return FlaggedIf(storage, bytes, in, flags, out, chosen, count, thrust::identity<>(), stream);
  }
  template <class In, class Flags, class Chosen, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In data, Flags flags, Chosen chosen, Count count,
                             cudaStream_t stream = 0) {
    return Flagged(storage, bytes, data, flags, data, chosen, count, stream);
  }
  template <class In, class Flags, class Out, class Chosen, class Count, class Op>
  static cudaError_t FlaggedIf(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Chosen chosen, Count count, Op op,
                               cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(flags, count) && detail::reaches(chosen, 1);
    return detail::two_phases("cub::DeviceSelect", storage, bytes, stream, in_range, [=] {
      const auto first = detail::used(in);
      const auto begin = detail::used(out);
      const auto end = thrust::detail::bodies::copy_if(first, first + static_cast<std::ptrdiff_t>(count), detail::used(flags), begin,
                                                       [&](const auto& flag) { return static_cast<bool>(op(flag)); });
      *detail::used(chosen) = static_cast<detail::value_of<Chosen>>(end - begin);
    });
  }
  template <class In, class Out, class Chosen, class Count, class Equal = thrust::equal_to<>>
  static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Chosen chosen, Count count, Equal equal = Equal(),
                            cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(chosen, 1);
    return detail::two_phases("cub::DeviceSelect", storage, bytes, stream, in_range, [=] {
      const auto first = detail::used(in);
      const auto begin = detail::used(out);
      const auto end = thrust::detail::bodies::unique_copy(first, first + static_cast<std::ptrdiff_t>(count), begin, equal);
      *detail::used(chosen) = static_cast<detail::value_of<Chosen>>(end - begin);
    });
  }
  template <class In, class Out, class Chosen, class Count>
  static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Chosen chosen, Count count, cudaStream_t stream) {
    return Unique(storage, bytes, in, out, chosen, count, thrust::equal_to<>(), stream);
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Chosen, class Count, class Equal = thrust::equal_to<>>
  static cudaError_t UniqueByKey(void* storage, std::size_t& bytes, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out,
                                 Chosen chosen, Count count, Equal equal = Equal(), cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(keys, count) && detail::reaches(values, count) && detail::reaches(chosen, 1);
    return detail::two_phases("cub::DeviceSelect", storage, bytes, stream, in_range, [=] {
      const auto first = detail::used(keys);
      const auto begin = detail::used(keys_out);
      const auto ends = thrust::detail::bodies::unique_by_key_copy(first, first + static_cast<std::ptrdiff_t>(count), detail::used(values),
                                                                   begin, detail::used(values_out), equal);
      *detail::used(chosen) = static_cast<detail::value_of<Chosen>>(ends.first - begin);
    });
  }
};

// Selected items come first; the others follow in reverse order.
struct DevicePartition {
  template <class In, class Flags, class Out, class Chosen, class Count>
  static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Chosen chosen, Count count,
                             cudaStream_t stream = 0) {
    return split(storage, bytes, in, flags, out, chosen, count, thrust::identity<>(), stream);
  }
  template <class In, class Out, class Chosen, class Count, class Op>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Chosen chosen, Count count, Op op, cudaStream_t stream = 0) {
    return split(storage, bytes, in, in, out, chosen, count, op, stream);
  }
  // Three-way; the rest keeps its order.
  template <class In, class First, class Second, class Rest, class Chosen, class Count, class Op, class Op2>
  static cudaError_t If(void* storage, std::size_t& bytes, In in, First first, Second second, Rest rest, Chosen chosen, Count count, Op op,
                        Op2 op2, cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(chosen, 2);
    return detail::two_phases("cub::DevicePartition", storage, bytes, stream, in_range, [=] {
      auto to_first = detail::used(first);
      auto to_second = detail::used(second);
      auto to_rest = detail::used(rest);
      const auto begin = to_first;
      const auto second_begin = to_second;
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) {
        const detail::value_of<In> item = detail::at(in, i);
        if (op(item)) {
          *to_first++ = item;
        } else if (op2(item)) {
          *to_second++ = item;
        } else {
          *to_rest++ = item;
        }
      }
      detail::used(chosen)[0] = static_cast<detail::value_of<Chosen>>(to_first - begin);
      detail::used(chosen)[1] = static_cast<detail::value_of<Chosen>>(to_second - second_begin);
    });
  }

 private:
  template <class In, class Flags, class Out, class Chosen, class Count, class Op>
  static cudaError_t split(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Chosen chosen, Count count, Op op,
                           cudaStream_t stream) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(flags, count) && detail::reaches(out, count);
    return detail::two_phases("cub::DevicePartition", storage, bytes, stream, in_range, [=] {
      std::ptrdiff_t yes = 0, no = static_cast<std::ptrdiff_t>(count);
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) {
        detail::used(out)[op(detail::at(flags, i)) ? yes++ : --no] = detail::at(in, i);
      }
      *detail::used(chosen) = static_cast<detail::value_of<Chosen>>(yes);
    });
  }
};

}  // namespace cub
