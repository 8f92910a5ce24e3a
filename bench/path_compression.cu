// Path compression: links every vertex of a forest to its root, reading one array and writing
// another. A vertex's parent is its smallest neighbour, if that is smaller than the vertex, in a
// CSR graph from the command line.
#include "graph.h"
#include "timing.h"

__global__ void path_compression(const int* parent, int* root, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  int above = v;
  while (parent[above] != above) above = parent[above];
  root[v] = above;
}

void sequential(const int* parent, int* root, int vertices) {
  for (int v = 0; v < vertices; ++v) {
    int above = v;
    while (parent[above] != above) above = parent[above];
    root[v] = above;
  }
}

int main(int argc, char** argv) {
  const Graph graph = read_graph(argc, argv);
  const int n = graph.vertices;
  std::vector<int> parent(n), root(n);
  for (int v = 0; v < n; ++v) {
    parent[v] = v;
    for (int e = graph.row[v]; e < graph.row[v + 1]; ++e) parent[v] = std::min(parent[v], graph.neighbours[e]);
  }
  int* const device_parent = to_device(parent);
  int* const device_root = to_device(root);
  print_resources(path_compression, 256);
  print_median_time([&] { path_compression<<<(n + 255) / 256, 256>>>(device_parent, device_root, n); });
  print_sequential_time([&] { sequential(parent.data(), root.data(), n); });
  return compare(device_root, root);
}
