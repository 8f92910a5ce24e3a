// Counts the triangles of an undirected graph: one warp for each edge.
//
//   triangle_count [scale] [edges per vertex] [seed]
//
// Each edge is stored once, from its end of smaller degree to the other, so that every
// triangle has one edge whose two ends both point to the third vertex. The lanes of a
// warp look up the neighbours of one end among those of the other.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// Device memory that is freed at the end of a scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc"); }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  ~DeviceArray() { cudaFree(data_); }

  T* get() { return data_; }
  const T* get() const { return data_; }
  std::size_t size() const { return size_; }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy to the host");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

class Timer {
 public:
  Timer() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
    check(cudaEventRecord(start_), "cudaEventRecord");
  }
  ~Timer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  float milliseconds() {
    float result = 0.0f;
    check(cudaEventRecord(stop_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&result, start_, stop_), "cudaEventElapsedTime");
    return result;
  }

 private:
  cudaEvent_t start_, stop_;
};

// Directed edges, sorted by their source and then by their target.
struct Csr {
  std::vector<int> offsets;
  std::vector<int> targets;
  std::vector<int2> edges;
  int vertices() const { return static_cast<int>(offsets.size()) - 1; }
};

struct GraphView {
  const int* __restrict__ offsets;
  const int* __restrict__ targets;

  __device__ int begin(int v) const { return offsets[v]; }
  __device__ int end(int v) const { return offsets[v + 1]; }
  __device__ int degree(int v) const { return offsets[v + 1] - offsets[v]; }

  // Whether v has an edge to `wanted`, by binary search.
  __device__ bool has_edge(int v, int wanted) const {
    int low = begin(v), high = end(v);
    while (low < high) {
      const int middle = low + (high - low) / 2;
      const int seen = __ldg(&targets[middle]);
      if (seen == wanted) return true;
      if (seen < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return false;
  }
};

constexpr int kWarp = 32;

template <int WARPS>
__global__ void __launch_bounds__(WARPS* kWarp)
    count_triangles(GraphView graph, const int2* __restrict__ edges, int edge_count, unsigned long long* total,
                    int* per_vertex) {
  __shared__ int s_found[WARPS];
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  int in_block = 0;
  for (int first = blockIdx.x * WARPS; first < edge_count; first += gridDim.x * WARPS) {
    const int e = first + warp;
    int mine = 0;
    if (e < edge_count) {
      int2 edge = edges[e];
      // Walk the shorter list, search the longer one.
      if (graph.degree(edge.x) > graph.degree(edge.y)) {
        const int swapped = edge.x;
        edge.x = edge.y;
        edge.y = swapped;
      }
      for (int k = graph.begin(edge.x) + lane; k < graph.end(edge.x); k += kWarp) {
        const int third = graph.targets[k];
        if (graph.has_edge(edge.y, third)) {
          ++mine;
          atomicAdd(&per_vertex[third], 1);
        }
      }
      for (int delta = kWarp / 2; delta > 0; delta /= 2) mine += __shfl_xor_sync(~0u, mine, delta);
      if (lane == 0 && mine > 0) {
        atomicAdd(&per_vertex[edge.x], mine);
        atomicAdd(&per_vertex[edge.y], mine);
      }
    }
    if (lane == 0) s_found[warp] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 0; w < WARPS; ++w) in_block += s_found[w];
    }
#ifndef RACE
    __syncthreads();  // the next edges' numbers overwrite these
#endif
  }
  if (threadIdx.x == 0 && in_block > 0) atomicAdd(total, static_cast<unsigned long long>(in_block));
}

// A graph with a few vertices of large degree, by the recursive-matrix method.
std::vector<std::pair<int, int>> random_edges(int scale, int per_vertex, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15ull + 1;
  auto uniform = [&state] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
  };
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < per_vertex << scale; ++i) {
    int u = 0, v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double r = uniform();
      u = 2 * u + (r >= 0.76 ? 1 : 0);
      v = 2 * v + ((r >= 0.57 && r < 0.76) || r >= 0.95 ? 1 : 0);
    }
    if (u != v) edges.emplace_back(std::min(u, v), std::max(u, v));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

Csr directed(const std::vector<std::pair<int, int>>& edges, int vertices) {
  std::vector<int> degree(vertices, 0);
  for (const auto& [u, v] : edges) {
    ++degree[u];
    ++degree[v];
  }
  auto before = [&degree](int u, int v) { return std::make_pair(degree[u], u) < std::make_pair(degree[v], v); };
  std::vector<std::pair<int, int>> kept;
  for (const auto& [u, v] : edges) kept.push_back(before(u, v) ? std::make_pair(u, v) : std::make_pair(v, u));
  std::sort(kept.begin(), kept.end());
  Csr graph;
  graph.offsets.assign(vertices + 1, 0);
  for (const auto& [u, v] : kept) {
    ++graph.offsets[u + 1];
    graph.targets.push_back(v);
    graph.edges.push_back(make_int2(u, v));
  }
  for (int v = 0; v < vertices; ++v) graph.offsets[v + 1] += graph.offsets[v];
  return graph;
}

// The same count by merging sorted lists.
std::uint64_t on_host(const Csr& graph, std::vector<int>& per_vertex) {
  std::uint64_t total = 0;
  for (const int2& edge : graph.edges) {
    int a = graph.offsets[edge.x], b = graph.offsets[edge.y];
    while (a < graph.offsets[edge.x + 1] && b < graph.offsets[edge.y + 1]) {
      const int x = graph.targets[a], y = graph.targets[b];
      if (x == y) {
        ++total;
        for (const int v : {edge.x, edge.y, x}) ++per_vertex[v];
      }
      a += x <= y;
      b += y <= x;
    }
  }
  return total;
}

int run(int scale, int per_vertex, std::uint64_t seed) {
  const Csr graph = directed(random_edges(scale, per_vertex, seed), 1 << scale);
  const int edge_count = static_cast<int>(graph.edges.size());
  const DeviceArray<int> offsets(graph.offsets), targets(graph.targets);
  const DeviceArray<int2> edges(graph.edges);
  DeviceArray<unsigned long long> total(std::vector<unsigned long long>{0});
  DeviceArray<int> triangles_at(std::vector<int>(graph.vertices(), 0));

  Timer timer;
  constexpr int warps = 4;
  const int blocks = std::min(64, (edge_count + warps - 1) / warps);
  count_triangles<warps><<<blocks, warps * kWarp>>>(GraphView{offsets.get(), targets.get()}, edges.get(), edge_count,
                                                    total.get(), triangles_at.get());
  check(cudaGetLastError(), "count_triangles");
  const float milliseconds = timer.milliseconds();

  std::vector<int> expected_at(graph.vertices(), 0);
  const std::uint64_t expected = on_host(graph, expected_at);
  const std::uint64_t found = total.to_host().front();
  std::printf("%d edges, %llu triangles, %.2f ms\n", edge_count, static_cast<unsigned long long>(found), milliseconds);
  if (found != expected) {
    std::printf("triangle_count: FAILED, expected %llu\n", static_cast<unsigned long long>(expected));
    return 1;
  }
  if (triangles_at.to_host() != expected_at) {
    std::printf("triangle_count: FAILED, the triangles of single vertices differ\n");
    return 1;
  }
  std::printf("triangle_count: OK\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 9;
  const int per_vertex = argc > 2 ? std::atoi(argv[2]) : 8;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (scale < 2 || scale > 20 || per_vertex < 1) {
    std::fprintf(stderr, "usage: triangle_count [scale 2..20] [edges per vertex] [seed]\n");
    return 2;
  }
  return run(scale, per_vertex, seed);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
