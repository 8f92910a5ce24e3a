#include "check.h"
#include "series.h"

int main() {
  // Small inputs are enough for a race check; 200 is deliberately not a multiple of the warp size.
  const int count = 200;
  OnDevice<int> values(std::vector<int>(count, 1));
  series::prefix_sum(values.data(), count);
  const std::vector<int> sums = values.on_host();
  for (int i = 0; i < count; ++i) CHECK(sums[i] == i + 1);
}
