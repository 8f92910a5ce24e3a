// Graph push: every vertex adds its share to its neighbours by atomics, CSR graph
// from the .egr file named on the command line.
#include "timing.h"

__global__ void graph_push(const int* row, const int* neighbours, const float* share, float* next, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  const float mine = share[v];
  for (int e = row[v]; e < row[v + 1]; ++e) atomicAdd(&next[neighbours[e]], mine);
}

int main(int argc, char** argv) {
  std::FILE* file = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
  int header[2];
  if (file == nullptr || std::fread(header, sizeof(int), 2, file) != 2) {
    std::fprintf(stderr, "usage: graph_push GRAPH.egr\n");
    return 3;
  }
  std::vector<int> row(header[0] + 1), neighbours(header[1]);
  if (std::fread(row.data(), sizeof(int), row.size(), file) != row.size() ||
      std::fread(neighbours.data(), sizeof(int), neighbours.size(), file) != neighbours.size()) {
    return 3;
  }
  std::fclose(file);
  const int vertices = header[0];
  const std::vector<float> ones(vertices, 1.0f);
  int *device_row, *device_neighbours;
  float *share, *next;
  cudaMalloc(&device_row, row.size() * sizeof(int));
  cudaMalloc(&device_neighbours, neighbours.size() * sizeof(int));
  cudaMalloc(&share, vertices * sizeof(float));
  cudaMalloc(&next, vertices * sizeof(float));
  cudaMemcpy(device_row, row.data(), row.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_neighbours, neighbours.data(), neighbours.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(share, ones.data(), vertices * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(next, 0, vertices * sizeof(float));
  print_median_time(5, [&] { graph_push<<<(vertices + 255) / 256, 256>>>(device_row, device_neighbours, share, next, vertices); });
  return 0;
}
