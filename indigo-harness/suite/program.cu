#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

//@ if char
using data_t = signed char;
//@ elif unsigned
using data_t = unsigned;
//@ elif long
using data_t = unsigned long long;
//@ elif float
using data_t = float;
//@ elif double
using data_t = double;
//@ else
using data_t = int;
//@ end

struct Graph {
  int vertices;
  // Where the edges of each vertex begin, and those of the last end; where each edge leads.
  std::vector<int> row, neighbours;
};

struct Launch {
  int blocks, threads;
  int lanes;  // threads that share the edges of a vertex
  int step;   // vertices of a launch
};

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// The end of the process frees it.
template <class T>
static T* to_device(const std::vector<T>& from) {
  T* data = nullptr;
  check(cudaMalloc(&data, std::max<std::size_t>(from.size(), 1) * sizeof(T)));
  check(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return data;
}

template <class T>
static std::vector<T> to_host(const T* data, std::size_t count) {
  std::vector<T> to(count);
  check(cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

// Small numbers in no order.
static std::vector<data_t> values(int vertices) {
  std::vector<data_t> values(vertices);
  for (int v = 0; v < vertices; ++v) values[v] = static_cast<data_t>((v * 37ll + 11) % 101);
  return values;
}

//@ if pull
//@ use pull
//@ elif push
//@ use push
//@ elif conditional_vertex
//@ use conditional_vertex
//@ elif conditional_edge
//@ use conditional_edge
//@ elif worklist
//@ use worklist
//@ else
//@ use path_compression
//@ end

// Reads ECL's format: the numbers of vertices and edges, `row`, `neighbours`; all are ints.
static Graph read_graph(const char* path) {
  Graph graph{0, {}, {}};
  int sizes[2] = {-1, -1};
  std::FILE* const file = std::fopen(path, "rb");
  bool sound = file != nullptr && std::fread(sizes, sizeof(int), 2, file) == 2 && sizes[0] >= 0 && sizes[1] >= 0;
  if (sound) {
    std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
    graph.vertices = sizes[0];
    row.resize(static_cast<std::size_t>(sizes[0]) + 1);
    neighbours.resize(sizes[1]);
    sound = std::fread(row.data(), sizeof(int), row.size(), file) == row.size() &&
            std::fread(neighbours.data(), sizeof(int), neighbours.size(), file) == neighbours.size() &&
            row.front() == 0 && row.back() == sizes[1] && std::is_sorted(row.begin(), row.end()) &&
            std::all_of(neighbours.begin(), neighbours.end(), [&](int u) { return u >= 0 && u < sizes[0]; });
  }
  if (file != nullptr) std::fclose(file);
  if (!sound) {
    std::fprintf(stderr, "%s is no graph\n", path);
    std::exit(2);
  }
  return graph;
}

// Status 2: no such graph. Status 3: not in this shape.
int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s GRAPH.egr THREADS_PER_BLOCK BLOCKS\n", argv[0]);
    return 2;
  }
  const Graph graph = read_graph(argv[1]);
  const int threads = std::atoi(argv[2]), blocks = std::atoi(argv[3]);
  if (threads < 1 || threads > 1024 || blocks < 1) {
    std::fprintf(stderr, "unfit: %d blocks of %d threads cannot be launched\n", blocks, threads);
    return 3;
  }
  //@ if thread
  const int lanes = 1;
  //@ elif warp
  int lanes = 0;
  check(cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, 0));
  if (threads % lanes != 0) {
    std::fprintf(stderr, "unfit: %d threads are not whole warps of %d\n", threads, lanes);
    return 3;
  }
  //@ else
  const int lanes = threads;
  //@ end
  //@ if persistent
  const int step = std::max(graph.vertices, 1);
  //@ else
  const int step = static_cast<int>(std::min<long long>(1ll * blocks * (threads / lanes), std::max(graph.vertices, 1)));
  //@ end
  const bool same = run(graph, {blocks, threads, lanes, step});
  std::puts(same ? "result matches serial code" : "result differs from serial code");
}
