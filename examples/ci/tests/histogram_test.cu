#include "check.h"
#include "series.h"

int main() {
  const int count = 1000;
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i % 64) / 64;
  OnDevice<float> on_device(values);

  OnDevice<unsigned> bins(std::vector<unsigned>(series::bin_count, 0u));
  series::histogram(on_device.data(), count, bins.data());
  const std::vector<unsigned> counts = bins.on_host();
  for (int b = 0; b < series::bin_count; ++b) CHECK(counts[b] == (b < count % 64 ? 16 : 15));

  OnDevice<int> found(std::vector<int>(1, 0));
  series::any_above(on_device.data(), count, 2.0f, found.data());
  CHECK(found.on_host()[0] == 0);
  series::any_above(on_device.data(), count, 0.5f, found.data());
  CHECK(found.on_host()[0] == 1);
}
