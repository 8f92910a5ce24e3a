// Conditional vertex: counts the vertices whose value is above those of all neighbours, with
// one counter for all threads. CSR graph from the command line.
#include "graph.h"
#include "timing.h"

__global__ void graph_vertex_conditional(const int* row, const int* neighbours, const int* value, int* peaks, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  int best = 0;
  for (int e = row[v]; e < row[v + 1]; ++e) best = max(best, value[neighbours[e]]);
  if (value[v] > best) atomicAdd(peaks, 1);
}

void sequential(const int* row, const int* neighbours, const int* value, int* peaks, int vertices) {
  for (int v = 0; v < vertices; ++v) {
    int best = 0;
    for (int e = row[v]; e < row[v + 1]; ++e) best = std::max(best, value[neighbours[e]]);
    if (value[v] > best) ++*peaks;
  }
}

int main(int argc, char** argv) {
  const Graph graph = read_graph(argc, argv);
  const int n = graph.vertices;
  std::vector<int> value(n), peaks(1);
  for (int v = 0; v < n; ++v) value[v] = static_cast<int>(v * 37ll % 1009);
  int* const row = to_device(graph.row);
  int* const neighbours = to_device(graph.neighbours);
  int* const device_value = to_device(value);
  int* const device_peaks = to_device(peaks);
  print_resources(graph_vertex_conditional, 256);
  print_median_time([&] { graph_vertex_conditional<<<(n + 255) / 256, 256>>>(row, neighbours, device_value, device_peaks, n); });
  print_sequential_time([&] { sequential(graph.row.data(), graph.neighbours.data(), value.data(), peaks.data(), n); });
  return compare(device_peaks, peaks);
}
