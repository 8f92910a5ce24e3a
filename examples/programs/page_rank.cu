// PageRank by power iteration on a random directed graph in compressed form.
//
//   page_rank [vertices] [edges per vertex] [seed]
//
// The ranks are pulled along incoming edges, so that each vertex is written by one
// thread. Vertices without outgoing edges give their rank to all others; that sum and
// the change of the ranks are reduced within warps, within blocks, and by one atomic per
// block. The graph is in managed memory, which the host fills and reads in place.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                      \
  do {                                                                                        \
    const cudaError_t status_ = (call);                                                       \
    if (status_ != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_)); \
      std::exit(2);                                                                           \
    }                                                                                         \
  } while (0)

constexpr int kThreads = 128;
constexpr double kDamping = 0.85;

// The graph as the kernels see it: who points to a vertex, and how many edges leave one.
struct Graph {
  int vertices;
  int edges;
  int* offsets;     // vertices + 1: where the sources of each vertex begin
  int* sources;     // edges
  int* out_degree;  // vertices
};

// The sums over all threads of a grid.
struct Sums {
  double dangling;
  double change;
};

// A small generator, with the same numbers on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 2654435761u + 1) {}
  unsigned below(unsigned n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % n;
  }

 private:
  unsigned state_;
};

__device__ double block_sum(double value) {
  __shared__ double s_warps[32];
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffu, value, delta);
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __syncthreads();  // the sums of an earlier call have been read
  if (lane == 0) s_warps[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? s_warps[threadIdx.x] : 0.0;
  if (warp == 0) {
    for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffu, value, delta);
  }
  return value;
}

__global__ void sum_dangling(Graph graph, const double* __restrict__ rank, Sums* sums) {
  double mine = 0.0;
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < graph.vertices; v += gridDim.x * blockDim.x) {
    if (graph.out_degree[v] == 0) mine += rank[v];
  }
  mine = block_sum(mine);
#ifdef RACE
  if (threadIdx.x == 0) sums->dangling += mine;  // blocks overwrite one another's sums
#else
  if (threadIdx.x == 0) atomicAdd(&sums->dangling, mine);
#endif
}

__global__ void pull(Graph graph, const double* __restrict__ rank, double* __restrict__ next, Sums* sums) {
  const double base = (1.0 - kDamping + kDamping * sums->dangling) / graph.vertices;
  double change = 0.0;
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < graph.vertices; v += gridDim.x * blockDim.x) {
    double sum = 0.0;
    for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const int u = graph.sources[e];
      sum += rank[u] / graph.out_degree[u];
    }
    next[v] = base + kDamping * sum;
    change += fabs(next[v] - rank[v]);
  }
  change = block_sum(change);
  if (threadIdx.x == 0) atomicAdd(&sums->change, change);
}

static Graph make_graph(int vertices, int per_vertex, unsigned seed) {
  Random random(seed);
  std::vector<std::vector<int>> incoming(vertices);
  std::vector<int> leaving(vertices, 0);
  int edges = 0;
  for (int u = 0; u < vertices; ++u) {
    // Every eighth vertex or so points nowhere; popular vertices have small numbers.
    const int degree = random.below(8) == 0 ? 0 : 1 + static_cast<int>(random.below(2 * per_vertex - 1));
    for (int k = 0; k < degree; ++k) {
      incoming[random.below(1 + random.below(vertices))].push_back(u);
    }
    leaving[u] = degree;
    edges += degree;
  }
  Graph graph{vertices, edges, nullptr, nullptr, nullptr};
  CUDA_CHECK(cudaMallocManaged(&graph.offsets, (vertices + 1) * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&graph.sources, (edges + 1) * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&graph.out_degree, vertices * sizeof(int)));
  int next = 0;
  for (int v = 0; v < vertices; ++v) {
    graph.offsets[v] = next;
    graph.out_degree[v] = leaving[v];
    for (const int u : incoming[v]) graph.sources[next++] = u;
  }
  graph.offsets[vertices] = next;
  return graph;
}

static std::vector<double> on_host(const Graph& graph, int iterations) {
  const int n = graph.vertices;
  std::vector<double> rank(n, 1.0 / n), next(n);
  for (int i = 0; i < iterations; ++i) {
    double dangling = 0.0;
    for (int v = 0; v < n; ++v) {
      if (graph.out_degree[v] == 0) dangling += rank[v];
    }
    for (int v = 0; v < n; ++v) {
      double sum = 0.0;
      for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        sum += rank[graph.sources[e]] / graph.out_degree[graph.sources[e]];
      }
      next[v] = (1.0 - kDamping + kDamping * dangling) / n + kDamping * sum;
    }
    rank.swap(next);
  }
  return rank;
}

int main(int argc, char** argv) {
  const int vertices = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int per_vertex = argc > 2 ? std::atoi(argv[2]) : 6;
  const unsigned seed = argc > 3 ? std::atoi(argv[3]) : 1;
  if (vertices < 1 || per_vertex < 1) {
    std::fprintf(stderr, "usage: page_rank [vertices] [edges per vertex] [seed]\n");
    return 2;
  }
  Graph graph = make_graph(vertices, per_vertex, seed);
  double *rank, *next;
  Sums* sums;
  CUDA_CHECK(cudaMallocManaged(&rank, vertices * sizeof(double)));
  CUDA_CHECK(cudaMallocManaged(&next, vertices * sizeof(double)));
  CUDA_CHECK(cudaMallocManaged(&sums, sizeof(Sums)));
  for (int v = 0; v < vertices; ++v) rank[v] = 1.0 / vertices;

  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  const int blocks = (vertices / 2 + kThreads - 1) / kThreads + 1;
  const int limit = 60;
  int iterations = 0;
  double change = 1.0;
  while (iterations < limit && change > 1e-7) {
    sums->dangling = 0.0;
    sums->change = 0.0;
    sum_dangling<<<blocks, kThreads>>>(graph, rank, sums);
    pull<<<blocks, kThreads>>>(graph, rank, next, sums);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    change = sums->change;
    std::swap(rank, next);
    ++iterations;
  }
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0.0f;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  std::printf("%d edges, %d iterations, change %.1e, %.2f ms\n", graph.edges, iterations, change, milliseconds);

  const std::vector<double> expected = on_host(graph, iterations);
  double total = 0.0;
  int wrong = 0;
  for (int v = 0; v < vertices; ++v) {
    total += rank[v];
    if (std::fabs(rank[v] - expected[v]) > 1e-12 + 1e-9 * expected[v]) {
      if (wrong++ == 0) std::fprintf(stderr, "rank of %d: %.17g, expected %.17g\n", v, rank[v], expected[v]);
    }
  }
  if (std::fabs(total - 1.0) > 1e-9) {
    std::fprintf(stderr, "the ranks add up to %.17g\n", total);
    ++wrong;
  }
  for (void* pointer : {static_cast<void*>(graph.offsets), static_cast<void*>(graph.sources),
                        static_cast<void*>(graph.out_degree), static_cast<void*>(rank),
                        static_cast<void*>(next), static_cast<void*>(sums)}) {
    CUDA_CHECK(cudaFree(pointer));
  }
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  if (wrong != 0) {
    std::printf("page_rank: FAILED, %d wrong\n", wrong);
    return 1;
  }
  std::printf("page_rank: OK\n");
  return 0;
}
