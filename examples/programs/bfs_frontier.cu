// Breadth-first search level by level. The vertices found in a level are gathered in a queue in
// shared memory, and from there moved to the next frontier in global memory.
//
//   bfs_frontier [VERTICES [DEGREE [SEED]]]
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

inline void expect(cudaError_t status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
  std::exit(2);
}

constexpr int block_size = 64;
constexpr int queue_capacity = 256;
constexpr int not_reached = -1;

struct Graph {
  std::vector<int> offset, target;
  int vertices() const { return static_cast<int>(offset.size()) - 1; }
};

// The kernels' view of the graph and the search.
struct Search {
  const int* offset;
  const int* target;
  int* level;
  int* parent;
};

struct Frontier {
  int* vertex;
  int* size;
};

// Vertices on their way to the frontier; those that do not fit go there directly.
class BlockQueue {
 public:
  __device__ void clear() {
    if (threadIdx.x == 0) size_ = 0;
  }
  __device__ void push(int vertex, Frontier next) {
    const int place = atomicAdd(&size_, 1);
    if (place < queue_capacity)
      entry_[place] = vertex;
    else
      next.vertex[atomicAdd(next.size, 1)] = vertex;
  }
  // To be called by all threads of the block, after a barrier.
  __device__ void flush(Frontier next) {
    const int filled = min(size_, queue_capacity);
    if (threadIdx.x == 0) begin_ = atomicAdd(next.size, filled);
    __syncthreads();
    for (int i = threadIdx.x; i < filled; i += blockDim.x) next.vertex[begin_ + i] = entry_[i];
  }

 private:
  int size_, begin_;
  int entry_[queue_capacity];
};

__global__ void expand(Search search, Frontier now, Frontier next, int depth) {
  __shared__ BlockQueue queue;
  queue.clear();
  __syncthreads();
  const int count = *now.size;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const int vertex = now.vertex[i];
    for (int edge = search.offset[vertex]; edge < search.offset[vertex + 1]; ++edge) {
      const int neighbour = search.target[edge];
#ifdef RACE
      const bool first = search.level[neighbour] == not_reached;
      if (first) search.level[neighbour] = depth;
#else
      const bool first = atomicCAS(&search.level[neighbour], not_reached, depth) == not_reached;
#endif
      if (first) {
        search.parent[neighbour] = vertex;
        queue.push(neighbour, next);
      }
    }
  }
  __syncthreads();
  queue.flush(next);
}

__global__ void fill(int* values, int count, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) values[i] = value;
}

// Device memory for a copy of `values`.
static int* upload(const std::vector<int>& values) {
  int* device = nullptr;
  expect(cudaMalloc(&device, values.size() * sizeof(int)));
  expect(cudaMemcpy(device, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  return device;
}

static Graph make_graph(int vertices, int degree, unsigned seed) {
  std::mt19937 random(seed);
  std::geometric_distribution<int> edges(1.0 / (degree + 1));
  Graph graph;
  graph.offset.push_back(0);
  for (int v = 0; v < vertices; ++v) {
    const int count = edges(random);
    // Most edges lead to nearby vertices, a few anywhere, so that there are many levels.
    for (int e = 0; e < count; ++e) {
      const int near = (v + static_cast<int>(random() % 41) - 10 + vertices) % vertices;
      graph.target.push_back(random() % 50 == 0 ? random() % vertices : near);
    }
    graph.offset.push_back(static_cast<int>(graph.target.size()));
  }
  graph.target.push_back(0);  // never empty
  return graph;
}

static std::vector<int> levels_on_host(const Graph& graph, int source) {
  std::vector<int> level(graph.vertices(), not_reached);
  std::queue<int> open;
  level[source] = 0;
  for (open.push(source); !open.empty(); open.pop()) {
    const int v = open.front();
    for (int e = graph.offset[v]; e < graph.offset[v + 1]; ++e) {
      if (level[graph.target[e]] != not_reached) continue;
      level[graph.target[e]] = level[v] + 1;
      open.push(graph.target[e]);
    }
  }
  return level;
}

int main(int argc, char** argv) {
  const int vertices = argc > 1 ? std::atoi(argv[1]) : 4000, degree = argc > 2 ? std::atoi(argv[2]) : 6;
  if (vertices < 50 || degree < 0) {
    std::fprintf(stderr, "usage: %s [VERTICES [DEGREE [SEED]]], at least 50 vertices\n", argv[0]);
    return 2;
  }
  const Graph graph = make_graph(vertices, degree, argc > 3 ? std::atoi(argv[3]) : 2);
  constexpr int source = 0;

  int *const offset = upload(graph.offset), *const target = upload(graph.target);
  Search search{offset, target, nullptr, nullptr};
  expect(cudaMalloc(&search.level, vertices * sizeof(int)));
  expect(cudaMalloc(&search.parent, vertices * sizeof(int)));
  fill<<<8, block_size>>>(search.level, vertices, not_reached);
  fill<<<8, block_size>>>(search.parent, vertices, not_reached);
  const int zero = 0, one = 1;
  expect(cudaMemcpy(search.level + source, &zero, sizeof zero, cudaMemcpyHostToDevice));

  // Only a defective program queues a vertex once for each of its edges.
  const std::size_t capacity = vertices + graph.target.size();
  Frontier now, next;
  for (Frontier* frontier : {&now, &next}) {
    expect(cudaMalloc(&frontier->vertex, capacity * sizeof(int)));
    expect(cudaMalloc(&frontier->size, sizeof(int)));
  }
  expect(cudaMemcpy(now.vertex, &source, sizeof source, cudaMemcpyHostToDevice));
  expect(cudaMemcpy(now.size, &one, sizeof one, cudaMemcpyHostToDevice));

  int depth = 0;
  for (int size = 1; size > 0; std::swap(now, next)) {
    ++depth;
    expect(cudaMemset(next.size, 0, sizeof(int)));
    const int blocks = std::min((size + block_size - 1) / block_size, 16);
    expand<<<blocks, block_size>>>(search, now, next, depth);
    expect(cudaGetLastError());
    expect(cudaMemcpy(&size, next.size, sizeof size, cudaMemcpyDeviceToHost));
  }

  std::vector<int> level(vertices), parent(vertices);
  expect(cudaMemcpy(level.data(), search.level, vertices * sizeof(int), cudaMemcpyDeviceToHost));
  expect(cudaMemcpy(parent.data(), search.parent, vertices * sizeof(int), cudaMemcpyDeviceToHost));
  for (int* p : {offset, target, search.level, search.parent, now.vertex, now.size, next.vertex, next.size})
    expect(cudaFree(p));

  bool right = level == levels_on_host(graph, source);
  int reached = 0;
  for (int v = 0; v < vertices && right; ++v) {
    if (level[v] == not_reached) continue;
    ++reached;
    // Any vertex one level above with an edge to v may be its parent.
    if (v == source) continue;
    bool edge = false;
    for (int e = graph.offset[parent[v]]; e < graph.offset[parent[v] + 1]; ++e) edge |= graph.target[e] == v;
    right = edge && level[parent[v]] == level[v] - 1;
  }
  if (!right) {
    std::printf("bfs_frontier: not the levels of a breadth-first search, FAILED\n");
    return 1;
  }
  std::printf("bfs_frontier: %d of %d vertices reached in %d levels, passed\n", reached, vertices, depth - 1);
}
