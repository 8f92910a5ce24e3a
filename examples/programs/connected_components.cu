// Connected components of an undirected graph: a lock-free union-find forest with path
// compression, compared with a version that has a lock for each tree.
//
//   connected_components [VERTICES [EDGES [SEED]]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <cuda_runtime.h>

#ifndef BLOCK
#define BLOCK 96
#endif

static void ok(cudaError_t code, int line) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "CUDA call in line %d failed: %s\n", line, cudaGetErrorString(code));
    std::exit(2);
  }
}
#define OK(call) ok(call, __LINE__)

struct Edge {
  int from, to;
};

// parent[v] <= v, so that there are no cycles; a root is its own parent.
__device__ int find(volatile int* parent, int v) {
  int up = parent[v];
  if (up == v) return v;
  for (int next = parent[up]; up > next; next = parent[up]) {
    parent[v] = next;  // halves the path; any ancestor is right
    v = up;
    up = next;
  }
  return up;
}

__global__ void singletons(int* parent, int count) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < count; v += gridDim.x * blockDim.x) parent[v] = v;
}

__global__ void unite(int* parent, const Edge* __restrict__ edges, int count) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count) return;
  int a = find(parent, edges[e].from), b = find(parent, edges[e].to);
  while (a != b) {
    if (a < b) {
      const int swapped = a;
      a = b;
      b = swapped;
    }
    // Makes the smaller root the parent of the larger one, if that is still a root.
#ifdef RACE
    const int seen = parent[a];
    if (seen == a) parent[a] = b;
#else
    const int seen = atomicCAS(&parent[a], a, b);
#endif
    if (seen == a) break;
    a = find(parent, seen);
    b = find(parent, b);
  }
}

// A lock that one thread of a warp may hold while its neighbours wait.
class Lock {
 public:
  __device__ bool try_acquire() {
    if (atomicCAS(&held_, 0, 1) != 0) return false;
    __threadfence();
    return true;
  }
  __device__ void release() {
    __threadfence();
    atomicExch(&held_, 0);
  }

 private:
  int held_;
};

struct Tree {
  Lock lock;
  volatile int parent;  // other threads read it at any time
  int size;             // valid for roots, guarded by the lock
};

__global__ void plant(Tree* trees, int count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= count) return;
  trees[v].parent = v;
  trees[v].size = 1;
}

__global__ void unite_locked(Tree* trees, const Edge* __restrict__ edges, int count) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count) return;
  int a = edges[e].from, b = edges[e].to;
  for (bool done = false; !done;) {
    while (a != trees[a].parent) a = trees[a].parent;
    while (b != trees[b].parent) b = trees[b].parent;
    if (a == b) break;
    Tree &small = trees[min(a, b)], &large = trees[max(a, b)];
    // Always the smaller one first, or two threads could deadlock.
    if (!small.lock.try_acquire()) continue;
    if (large.lock.try_acquire()) {
      if (small.parent == min(a, b) && large.parent == max(a, b)) {
        large.parent = min(a, b);
        small.size += large.size;
        done = true;
      }
      large.lock.release();
    }
    small.lock.release();
  }
}

__global__ void flatten(int* parent, int count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= count) return;
  volatile int* shared = parent;
  int root = shared[v];
  while (root != shared[root]) root = shared[root];
  shared[v] = root;
}

__global__ void roots(const Tree* __restrict__ trees, int* __restrict__ out, int* __restrict__ sizes, int count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= count) return;
  int root = trees[v].parent;
  while (root != trees[root].parent) root = trees[root].parent;
  out[v] = root;
  sizes[v] = trees[root].size;
}

static std::vector<int> on_host(int vertices, const std::vector<Edge>& edges) {
  std::vector<int> parent(vertices);
  std::iota(parent.begin(), parent.end(), 0);
  const std::function<int(int)> root = [&](int v) { return parent[v] == v ? v : parent[v] = root(parent[v]); };
  for (const Edge& edge : edges) {
    const int a = root(edge.from), b = root(edge.to);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (int v = 0; v < vertices; ++v) root(v);
  return parent;
}

int main(int argc, char** argv) {
  const int vertices = argc > 1 ? std::atoi(argv[1]) : 2000, count = argc > 2 ? std::atoi(argv[2]) : 2200;
  if (vertices < 1 || count < 1) return 2;
  std::mt19937 random(argc > 3 ? std::atoi(argv[3]) : 4);
  std::vector<Edge> edges(count);
  for (Edge& edge : edges) edge = {int(random() % vertices), int(random() % vertices)};

  int *parent, *sizes;
  Tree* trees;
  Edge* device_edges;
  OK(cudaMalloc(&parent, vertices * sizeof *parent));
  OK(cudaMalloc(&sizes, vertices * sizeof *sizes));
  OK(cudaMalloc(&trees, vertices * sizeof *trees));
  OK(cudaMalloc(&device_edges, count * sizeof *device_edges));
  OK(cudaMemset(trees, 0, vertices * sizeof *trees));
  OK(cudaMemcpy(device_edges, edges.data(), count * sizeof *device_edges, cudaMemcpyHostToDevice));
  const int of_vertices = (vertices + BLOCK - 1) / BLOCK, of_edges = (count + BLOCK - 1) / BLOCK;

  std::vector<int> free_of_locks(vertices), with_locks(vertices), size(vertices);
  singletons<<<4, BLOCK>>>(parent, vertices);
  unite<<<of_edges, BLOCK>>>(parent, device_edges, count);
  flatten<<<of_vertices, BLOCK>>>(parent, vertices);
  OK(cudaMemcpy(free_of_locks.data(), parent, vertices * sizeof(int), cudaMemcpyDeviceToHost));

  plant<<<of_vertices, BLOCK>>>(trees, vertices);
  unite_locked<<<of_edges, BLOCK>>>(trees, device_edges, count);
  roots<<<of_vertices, BLOCK>>>(trees, parent, sizes, vertices);
  OK(cudaMemcpy(size.data(), sizes, vertices * sizeof(int), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(with_locks.data(), parent, vertices * sizeof(int), cudaMemcpyDeviceToHost));
  OK(cudaGetLastError());
  OK(cudaFree(parent));
  OK(cudaFree(sizes));
  OK(cudaFree(trees));
  OK(cudaFree(device_edges));

  const std::vector<int> expected = on_host(vertices, edges);
  std::vector<int> expected_size(vertices);
  for (int v = 0; v < vertices; ++v)
    expected_size[v] = static_cast<int>(std::count(expected.begin(), expected.end(), expected[v]));
  if (free_of_locks != expected || with_locks != expected || size != expected_size) {
    std::printf("connected_components: other components than on the host, FAILED\n");
    return 1;
  }
  const std::size_t components = std::set<int>(expected.begin(), expected.end()).size();
  std::printf("connected_components: %zu components, passed\n", components);
  return 0;
}
