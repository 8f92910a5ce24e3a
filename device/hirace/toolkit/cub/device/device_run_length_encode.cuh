// cub::DeviceRunLengthEncode.
#pragma once

#include "device_call.cuh"

namespace cub {

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Runs, class Count>
  static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Unique unique, Lengths lengths, Runs runs, Count count,
                            cudaStream_t stream = 0) {
    return each_run(storage, bytes, stream, in, runs, count, [=](std::ptrdiff_t run, std::ptrdiff_t begin, std::ptrdiff_t length) {
      detail::used(unique)[run] = detail::at(in, begin);
      detail::used(lengths)[run] = static_cast<detail::value_of<Lengths>>(length);
      return true;
    });
  }
  // Runs of two or more.
  template <class In, class Offsets, class Lengths, class Runs, class Count>
  static cudaError_t NonTrivialRuns(void* storage, std::size_t& bytes, In in, Offsets offsets, Lengths lengths, Runs runs, Count count,
                                    cudaStream_t stream = 0) {
    return each_run(storage, bytes, stream, in, runs, count, [=](std::ptrdiff_t run, std::ptrdiff_t begin, std::ptrdiff_t length) {
      if (length < 2) return false;
      detail::used(offsets)[run] = static_cast<detail::value_of<Offsets>>(begin);
      detail::used(lengths)[run] = static_cast<detail::value_of<Lengths>>(length);
      return true;
    });
  }

 private:
  template <class In, class Runs, class Count, class Note>
  static cudaError_t each_run(void* storage, std::size_t& bytes, cudaStream_t stream, In in, Runs runs, Count count, const Note& note) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(runs, 1);
    return detail::two_phases("cub::DeviceRunLengthEncode", storage, bytes, stream, in_range, [=] {
      std::ptrdiff_t noted = 0, end = 0;
      for (std::ptrdiff_t begin = 0; begin < static_cast<std::ptrdiff_t>(count); begin = end) {
        for (end = begin + 1; end < static_cast<std::ptrdiff_t>(count) && detail::at(in, begin) == detail::at(in, end);) ++end;
        if (note(noted, begin, end - begin)) ++noted;
      }
      *detail::used(runs) = static_cast<detail::value_of<Runs>>(noted);
    });
  }
};

}  // namespace cub
