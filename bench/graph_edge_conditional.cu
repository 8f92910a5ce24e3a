// Conditional edge: counts, for each part of a partition, the edges that leave it, by
// atomics on a few counters. CSR graph from the command line.
#include "graph.h"
#include "timing.h"

constexpr int parts = 1024;

__global__ void graph_edge_conditional(const int* row, const int* neighbours, const int* part, int* leaving, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    if (part[v] < part[neighbours[e]]) atomicAdd(&leaving[part[v]], 1);
  }
}

void sequential(const int* row, const int* neighbours, const int* part, int* leaving, int vertices) {
  for (int v = 0; v < vertices; ++v) {
    for (int e = row[v]; e < row[v + 1]; ++e) {
      if (part[v] < part[neighbours[e]]) ++leaving[part[v]];
    }
  }
}

int main(int argc, char** argv) {
  const Graph graph = read_graph(argc, argv);
  const int n = graph.vertices;
  std::vector<int> part(n), leaving(parts);
  for (int v = 0; v < n; ++v) part[v] = static_cast<int>(v * 7ll % parts);
  int* const row = to_device(graph.row);
  int* const neighbours = to_device(graph.neighbours);
  int* const device_part = to_device(part);
  int* const device_leaving = to_device(leaving);
  print_resources(graph_edge_conditional, 256);
  print_median_time([&] { graph_edge_conditional<<<(n + 255) / 256, 256>>>(row, neighbours, device_part, device_leaving, n); });
  print_sequential_time([&] { sequential(graph.row.data(), graph.neighbours.data(), part.data(), leaving.data(), n); });
  return compare(device_leaving, leaving);
}
