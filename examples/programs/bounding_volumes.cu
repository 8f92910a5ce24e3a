// A hierarchy of bounding boxes over points, built in parallel along a space-filling curve
// (Karras), and nearest neighbours found with it. Boxes are merged from the leaves upwards: of
// two threads that arrive at a node, the second continues, with the box of the first.
//
//   bounding_volumes [POINTS [QUERIES [SEED]]]
#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#define CU(call)                                                                           \
  do {                                                                                     \
    if (auto e = (call); e != cudaSuccess) {                                               \
      std::fprintf(stderr, "%d: %s: %s\n", __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); \
      std::abort();                                                                        \
    }                                                                                      \
  } while (0)

struct Box {
  float3 low, high;

  __host__ __device__ static Box around(float3 p) { return {p, p}; }
  __host__ __device__ static Box merged(const Box& a, const Box& b) {
    Box m;
    m.low = make_float3(fminf(a.low.x, b.low.x), fminf(a.low.y, b.low.y), fminf(a.low.z, b.low.z));
    m.high = make_float3(fmaxf(a.high.x, b.high.x), fmaxf(a.high.y, b.high.y), fmaxf(a.high.z, b.high.z));
    return m;
  }
  __host__ __device__ float square_distance(float3 p) const {
    const float x = fmaxf(fmaxf(low.x - p.x, p.x - high.x), 0);
    const float y = fmaxf(fmaxf(low.y - p.y, p.y - high.y), 0);
    const float z = fmaxf(fmaxf(low.z - p.z, p.z - high.z), 0);
    return x * x + y * y + z * z;
  }
};

// Inner nodes are numbered from 0, leaves from `leaves - 1`.
struct alignas(16) Node {
  Box box;
  int parent, left, right;
  int point;
};

class Tree {
 public:
  Tree(Node* nodes, int leaves, int* arrived) : nodes_(nodes), arrived_(arrived), leaves_(leaves) {}

  __device__ Node& inner(int i) { return nodes_[i]; }
  __device__ Node& leaf(int i) { return nodes_[leaves_ - 1 + i]; }
  __device__ const Node& operator[](int i) const { return nodes_[i]; }
  __device__ Node& operator[](int i) { return nodes_[i]; }
  __device__ int leaf_number(int i) const { return leaves_ - 1 + i; }
  __device__ bool is_leaf(int number) const { return number >= leaves_ - 1; }
  __host__ __device__ int leaves() const { return leaves_; }
  // True for the second of two callers.
  __device__ bool both_arrived(int i) { return atomicAdd(&arrived_[i], 1) == 1; }

 private:
  Node* nodes_;
  int* arrived_;
  int leaves_;
};

// Spreads 10 bits to every third bit of 30.
__host__ __device__ inline std::uint32_t spread(std::uint32_t v) {
  v = (v * 0x00010001u) & 0xFF0000FFu;
  v = (v * 0x00000101u) & 0x0F00F00Fu;
  v = (v * 0x00000011u) & 0xC30C30C3u;
  return (v * 0x00000005u) & 0x49249249u;
}

__global__ void curve(const float3* __restrict__ points, std::uint64_t* __restrict__ keys, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float3 p = points[i];
  const auto cell = [](float x) { return static_cast<std::uint32_t>(fminf(fmaxf(x * 1024.0f, 0.0f), 1023.0f)); };
  const std::uint32_t code = spread(cell(p.x)) * 4 + spread(cell(p.y)) * 2 + spread(cell(p.z));
  keys[i] = static_cast<std::uint64_t>(code) << 32 | static_cast<std::uint32_t>(i);  // all different
}

// Length of the common prefix of two keys; -1 out of range.
__device__ inline int common(const std::uint64_t* keys, int count, int i, int j) {
  return j < 0 || j >= count ? -1 : __clzll(static_cast<long long>(keys[i] ^ keys[j]));
}

__global__ void hierarchy(const std::uint64_t* __restrict__ keys, Tree tree) {
  const int count = tree.leaves(), i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count - 1) return;
  // The range of keys below node i has i at one end. In which direction, and how far?
  const int way = common(keys, count, i, i + 1) > common(keys, count, i, i - 1) ? 1 : -1;
  const int least = common(keys, count, i, i - way);
  int reach = 2;
  while (common(keys, count, i, i + reach * way) > least) reach *= 2;
  int length = 0;
  for (int step = reach / 2; step > 0; step /= 2)
    if (common(keys, count, i, i + (length + step) * way) > least) length += step;
  const int other = i + length * way, shared = common(keys, count, i, other);
  int split = 0, step = length;
  do {
    step = (step + 1) / 2;
    if (common(keys, count, i, i + (split + step) * way) > shared) split += step;
  } while (step > 1);
  const int middle = i + split * way + min(way, 0), first = min(i, other), last = max(i, other);

  Node& node = tree.inner(i);
  node.left = first == middle ? tree.leaf_number(middle) : middle;
  node.right = last == middle + 1 ? tree.leaf_number(middle + 1) : middle + 1;
  tree[node.left].parent = i;
  tree[node.right].parent = i;
  if (i == 0) node.parent = -1;
}

__global__ void boxes(const float3* __restrict__ points, const std::uint64_t* __restrict__ keys, Tree tree) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.leaves()) return;
  Node& leaf = tree.leaf(i);
  leaf.point = static_cast<int>(keys[i] & 0xffffffffu);
  leaf.box = Box::around(points[leaf.point]);
  for (int at = leaf.parent; at >= 0; at = tree[at].parent) {
#ifndef RACE
    __threadfence();  // publishes the box before the arrival
#endif
    if (!tree.both_arrived(at)) return;
    __threadfence();  // receives the box of the other child
    const Node& left = tree[tree[at].left];
    const Node& right = tree[tree[at].right];
    tree[at].box = Box::merged(left.box, right.box);
  }
}

__global__ void nearest(const float3* __restrict__ points, const Tree tree, const float3* __restrict__ queries,
                        float* __restrict__ distance, int count) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= count) return;
  const float3 p = queries[q];
  int stack[64], depth = 0;
  float best = FLT_MAX;
  stack[depth++] = 0;
  while (depth > 0) {
    const int number = stack[--depth];
    const Node& node = tree[number];
    if (node.box.square_distance(p) >= best) continue;
    if (tree.is_leaf(number)) {
      best = fminf(best, Box::around(points[node.point]).square_distance(p));
    } else {
      stack[depth++] = node.left;
      stack[depth++] = node.right;
    }
  }
  distance[q] = best;
}

template <class T>
static T* allocate(std::size_t count) {
  T* p = nullptr;
  CU(cudaMalloc(&p, count * sizeof(T)));
  return p;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1500, queries = argc > 2 ? std::atoi(argv[2]) : 300;
  if (count < 2 || queries < 1) return 2;
  std::mt19937 random(argc > 3 ? std::atoi(argv[3]) : 6);
  std::uniform_real_distribution<float> uniform;
  const auto point = [&] { return make_float3(uniform(random), uniform(random) * uniform(random), uniform(random)); };
  std::vector<float3> host_points(count), host_queries(queries);
  std::generate(host_points.begin(), host_points.end(), point);
  std::generate(host_queries.begin(), host_queries.end(), point);

  float3 *const points = allocate<float3>(count), *const from = allocate<float3>(queries);
  auto* const keys = allocate<std::uint64_t>(count);
  auto* const nodes = allocate<Node>(2 * count - 1);
  auto* const arrived = allocate<int>(count - 1);
  auto* const distance = allocate<float>(queries);
  CU(cudaMemcpy(points, host_points.data(), count * sizeof(float3), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(from, host_queries.data(), queries * sizeof(float3), cudaMemcpyHostToDevice));
  CU(cudaMemset(arrived, 0, (count - 1) * sizeof(int)));

  constexpr int threads = 64;
  const auto grid = [](int n) { return (n + threads - 1) / threads; };
  const Tree tree(nodes, count, arrived);
  curve<<<grid(count), threads>>>(points, keys, count);
  std::vector<std::uint64_t> host_keys(count);
  CU(cudaMemcpy(host_keys.data(), keys, count * sizeof(std::uint64_t), cudaMemcpyDeviceToHost));
  std::sort(host_keys.begin(), host_keys.end());
  CU(cudaMemcpy(keys, host_keys.data(), count * sizeof(std::uint64_t), cudaMemcpyHostToDevice));
  hierarchy<<<grid(count - 1), threads>>>(keys, tree);
  boxes<<<grid(count), threads>>>(points, keys, tree);
  nearest<<<grid(queries), threads>>>(points, tree, from, distance, queries);
  CU(cudaGetLastError());
  CU(cudaDeviceSynchronize());

  std::vector<float> found(queries);
  CU(cudaMemcpy(found.data(), distance, queries * sizeof(float), cudaMemcpyDeviceToHost));
  for (void* p : {static_cast<void*>(points), static_cast<void*>(from), static_cast<void*>(keys),
                  static_cast<void*>(nodes), static_cast<void*>(arrived), static_cast<void*>(distance)})
    CU(cudaFree(p));

  for (int q = 0; q < queries; ++q) {
    float best = FLT_MAX;
    for (const float3& p : host_points) best = std::min(best, Box::around(p).square_distance(host_queries[q]));
    if (!(std::abs(found[q] - best) <= 1e-6f * best + 1e-12f)) {
      std::printf("bounding_volumes: query %d finds %g, not %g, FAILED\n", q, found[q], best);
      return 1;
    }
  }
  std::printf("bounding_volumes: %d points, %d queries, passed\n", count, queries);
}
