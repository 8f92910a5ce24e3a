#include "check.h"
#include "series.h"

int main() {
  const int count = 500;
  OnDevice<float> values(std::vector<float>(count, 7.0f));
  OnDevice<float> means(std::vector<float>(count, -1.0f));
  series::moving_average(values.data(), means.data(), count);
  const std::vector<float> result = means.on_host();
  for (int i = series::radius; i < count - series::radius; ++i) CHECK(result[i] == 7.0f);
  CHECK(result[0] == 4.0f);
}
