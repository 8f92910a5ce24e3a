// Kernels for long series of measurements. All pointers are to device memory, and all functions
// return when their work is queued.
#pragma once

namespace series {

/// Sums in place: values[i] becomes values[0] + … + values[i]. At most `longest_scan` values.
void prefix_sum(int* values, int count);
inline constexpr int longest_scan = 1024;

/// means[i] becomes the mean of values[i - radius] … values[i + radius]; what lies beyond the
/// ends counts as 0.
void moving_average(const float* values, float* means, int count);
inline constexpr int radius = 3;

/// bins[b] grows by the number of values in [b / bin_count, (b + 1) / bin_count).
void histogram(const float* values, int count, unsigned* bins);
inline constexpr int bin_count = 64;

/// *found becomes 1 if a value is above `limit`, and stays as it is otherwise.
void any_above(const float* values, int count, float limit, int* found);

}  // namespace series
