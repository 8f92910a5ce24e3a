// Graph push: every vertex adds its share to its neighbours by atomics. CSR graph
// from the .egr file named on the command line.
#include "graph.h"
#include "timing.h"

__global__ void graph_push(const int* row, const int* neighbours, const float* share, float* next, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  const float mine = share[v];
  for (int e = row[v]; e < row[v + 1]; ++e) atomicAdd(&next[neighbours[e]], mine);
}

void sequential(const int* row, const int* neighbours, const float* share, float* next, int vertices) {
  for (int v = 0; v < vertices; ++v) {
    const float mine = share[v];
    for (int e = row[v]; e < row[v + 1]; ++e) next[neighbours[e]] += mine;
  }
}

int main(int argc, char** argv) {
  const Graph graph = read_graph(argc, argv);
  const int n = graph.vertices;
  const std::vector<float> share(n, 1.0f);
  std::vector<float> next(n, 0.0f);
  int* const row = to_device(graph.row);
  int* const neighbours = to_device(graph.neighbours);
  float* const device_share = to_device(share);
  float* const device_next = to_device(next);
  print_resources(graph_push, 256);
  print_median_time([&] { graph_push<<<(n + 255) / 256, 256>>>(row, neighbours, device_share, device_next, n); });
  print_sequential_time([&] { sequential(graph.row.data(), graph.neighbours.data(), share.data(), next.data(), n); });
  return compare(device_next, next);
}
