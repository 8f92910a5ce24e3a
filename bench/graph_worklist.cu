// Worklist: the neighbours of the first half of the vertices, each once; an atomic exchange
// marks them, and another atomic assigns the place on the list. CSR graph from the command line.
#include "graph.h"
#include "timing.h"

// Marks are launch numbers, so they never have to be cleared.
__global__ void graph_worklist(const int* row, const int* neighbours, int frontier, int* mark, int launch, int* list, int* length) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= frontier) return;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    const int u = neighbours[e];
    if (atomicExch(&mark[u], launch) != launch) list[atomicAdd(length, 1)] = u;
  }
}

int sequential(const int* row, const int* neighbours, int frontier, int* mark, int launch, int* list) {
  int length = 0;
  for (int v = 0; v < frontier; ++v) {
    for (int e = row[v]; e < row[v + 1]; ++e) {
      const int u = neighbours[e];
      if (mark[u] == launch) continue;
      mark[u] = launch;
      list[length++] = u;
    }
  }
  return length;
}

// 0 if the list contains each marked vertex exactly once.
int compare_list(const int* device_list, std::vector<int> mark, int launch, int length) {
  if (!is_compared()) return 0;
  std::vector<int> list(length);
  cudaMemcpy(list.data(), device_list, length * sizeof(int), cudaMemcpyDeviceToHost);
  for (int u : list) {
    if (mark[u] != launch) return 1;
    mark[u] = 0;
  }
  return 0;
}

int main(int argc, char** argv) {
  const Graph graph = read_graph(argc, argv);
  const int n = graph.vertices, frontier = n / 2;
  std::vector<int> mark(n), list(n), length(1);
  int* const row = to_device(graph.row);
  int* const neighbours = to_device(graph.neighbours);
  int* const device_mark = to_device(mark);
  int* const device_list = to_device(list);
  int* const device_length = to_device(length);
  print_resources(graph_worklist, 256);
  int launch = 0;
  print_median_time([&] {
    cudaMemset(device_length, 0, sizeof(int));
    graph_worklist<<<(frontier + 255) / 256, 256>>>(row, neighbours, frontier, device_mark, ++launch, device_list, device_length);
  });
  launch = 0;
  print_sequential_time([&] {
    length[0] = sequential(graph.row.data(), graph.neighbours.data(), frontier, mark.data(), ++launch, list.data());
  });
  const bool same = compare(device_mark, mark) == 0 && compare(device_length, length) == 0;
  return same ? compare_list(device_list, mark, launch, length[0]) : 1;
}
