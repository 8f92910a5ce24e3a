// Without barriers: sparse matrix times vector, one thread per row, with the pattern of the
// .egr graph named on the command line.
#include "graph.h"
#include "timing.h"

__global__ void sparse_product(const int* row, const int* column, const float* value, const float* x, float* y, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int e = row[r]; e < row[r + 1]; ++e) sum += value[e] * x[column[e]];
  y[r] = sum;
}

void sequential(const int* row, const int* column, const float* value, const float* x, float* y, int rows) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int e = row[r]; e < row[r + 1]; ++e) sum += value[e] * x[column[e]];
    y[r] = sum;
  }
}

int main(int argc, char** argv) {
  const Graph graph = read_graph(argc, argv);
  const int n = graph.vertices;
  const std::vector<float> value(graph.neighbours.size(), 0.5f), x(n, 2.0f);
  std::vector<float> y(n);
  int* const row = to_device(graph.row);
  int* const column = to_device(graph.neighbours);
  float* const device_value = to_device(value);
  float* const device_x = to_device(x);
  float* const device_y = to_device(y);
  print_resources(sparse_product, 256);
  print_median_time([&] { sparse_product<<<(n + 255) / 256, 256>>>(row, column, device_value, device_x, device_y, n); });
  print_sequential_time([&] { sequential(graph.row.data(), graph.neighbours.data(), value.data(), x.data(), y.data(), n); });
  return compare(device_y, y);
}
