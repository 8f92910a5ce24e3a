// cub::DeviceHistogram, for one channel and for several interleaved ones.
#pragma once

#include "device_call.cuh"

namespace cub {

namespace detail {

// The bin between two of the ascending levels; negative if there is none.
template <class Sample, class Level>
int range_bin(const Sample& sample, const Level* levels, int count) {
  if (count < 1 || sample < levels[0]) return -1;
  for (int bin = 0; bin + 1 < count; ++bin) {
    if (sample < levels[bin + 1]) return bin;
  }
  return -1;
}
template <class Sample, class Level>
int even_bin(const Sample& sample, int levels, Level lower, Level upper) {
  if (static_cast<Level>(sample) < lower || !(static_cast<Level>(sample) < upper)) return -1;
  using Wide = std::conditional_t<std::is_integral_v<Level>, long long, double>;
  const Wide offset = static_cast<Wide>(static_cast<Level>(sample)) - static_cast<Wide>(lower);
  return static_cast<int>(offset * static_cast<Wide>(levels - 1) / (static_cast<Wide>(upper) - static_cast<Wide>(lower)));
}

}  // namespace detail

struct DeviceHistogram {
  template <class Samples, class Counter, class Level, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t HistogramEven(void* storage, std::size_t& bytes, Samples samples, Counter* histogram, int levels, Level lower,
                                   Level upper, Count count, cudaStream_t stream = 0) {
    return counted(storage, bytes, stream, samples, histogram, levels - 1, static_cast<std::ptrdiff_t>(count),
                   [=](const auto& sample) { return detail::even_bin(sample, levels, lower, upper); });
  }
  template <class Samples, class Counter, class Level, class Count, detail::if_number<Count> = nullptr>
  static cudaError_t HistogramRange(void* storage, std::size_t& bytes, Samples samples, Counter* histogram, int levels,
                                    const Level* limits, Count count, cudaStream_t stream = 0) {
    return counted(storage, bytes, stream, samples, histogram, levels - 1, static_cast<std::ptrdiff_t>(count),
                   [=](const auto& sample) { return detail::range_bin(sample, limits, levels); });
  }
  // Counts the first `active` of the `channels` samples of each pixel.
  template <int channels, int active, class Samples, class Counter, class Level, class Count>
  static cudaError_t MultiHistogramEven(void* storage, std::size_t& bytes, Samples samples, Counter* const (&histograms)[active],
                                        const int (&levels)[active], const Level (&lower)[active], const Level (&upper)[active],
                                        Count pixels, cudaStream_t stream = 0) {
    if (storage == nullptr) return detail::two_phases("cub::DeviceHistogram", storage, bytes, stream, true, [] {});
    for (int c = 0; c < active; ++c) {
      const auto channel = [=](std::ptrdiff_t i) { return samples[i * channels + c]; };
      const int count = levels[c];
      const Level low = lower[c], high = upper[c];
      const auto in_channel = thrust::make_transform_iterator(thrust::counting_iterator<std::ptrdiff_t>(0), channel);
      const cudaError_t error = counted(storage, bytes, stream, in_channel, histograms[c], count - 1, static_cast<std::ptrdiff_t>(pixels),
                                        [=](const auto& sample) { return detail::even_bin(sample, count, low, high); });
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }

 private:
  template <class Samples, class Counter, class Bin>
  static cudaError_t counted(void* storage, std::size_t& bytes, cudaStream_t stream, Samples samples, Counter* histogram, int bins,
                             std::ptrdiff_t count, const Bin& bin_of) {
    const bool in_range = detail::reaches(samples, count) && detail::reaches(histogram, bins);
    return detail::two_phases("cub::DeviceHistogram", storage, bytes, stream, in_range, [=] {
      const auto counters = detail::used(histogram);
      for (int bin = 0; bin < bins; ++bin) counters[bin] = Counter();
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        const int bin = bin_of(detail::at(samples, i));
        if (bin >= 0 && bin < bins) counters[bin] = static_cast<Counter>(detail::at(counters, bin) + 1);
      }
    });
  }
};

}  // namespace cub
