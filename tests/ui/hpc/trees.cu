// verdict: race
// race: lines 25 and 36, variable boxes, global
// race: lines 36 and 37, variable boxes, global
// repaired: clean
// Trees: boxes of a binary hierarchy from the leaves up, with counters of visits; a segment tree, a
// trie of bits built with compare-and-swap, and searches in a k-d tree.
// The boxes are written before the counter, but nothing orders the two for the thread that comes
// second.
// Repaired: a fence on both sides of the counter.
#include <algorithm>
#include "../common/device_data.h"

struct Box {
    float low, high;
};

// Nodes 1 to leaves - 1 are inner ones, the children of node i are 2 i and 2 i + 1.
__global__ void boxes_from_leaves(const float* positions, Box* boxes, int* visits, int leaves)
{
    const int leaf = blockIdx.x * blockDim.x + threadIdx.x;
    if (leaf >= leaves) {
        return;
    }
    int node = leaves + leaf;
    boxes[node] = {positions[leaf], positions[leaf]};
    for (node /= 2; node >= 1; node /= 2) {
#ifdef REPAIRED
        __threadfence();
#endif
        if (atomicAdd(&visits[node], 1) == 0) {
            return;
        }
#ifdef REPAIRED
        __threadfence();
#endif
        const Box left = boxes[2 * node], right = boxes[2 * node + 1];
        boxes[node] = {fminf(left.low, right.low), fmaxf(left.high, right.high)};
    }
}

__global__ void segment_tree_level(int* tree, int first)
{
    const int node = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (node < 2 * first) {
        tree[node] = max(tree[2 * node], tree[2 * node + 1]);
    }
}

// The largest of the values from `begin` to before `end`.
__global__ void segment_tree_query(const int* tree, int leaves, const int2* ranges, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int best = 0;
    for (int l = ranges[i].x + leaves, r = ranges[i].y + leaves; l < r; l /= 2, r /= 2) {
        if (l & 1) {
            best = max(best, tree[l++]);
        }
        if (r & 1) {
            best = max(best, tree[--r]);
        }
    }
    out[i] = best;
}

// A node's two children, 0 if missing. A node that loses the race for its place stays unused.
__global__ void insert_bits(int* children, int* used, const int* keys, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int node = 0, spare = 0;
    for (int bit = 7; bit >= 0; bit--) {
        int* child = &children[2 * node + (keys[i] >> bit & 1)];
        int next = atomicCAS(child, 0, 0);
        if (next == 0) {
            spare = spare ? spare : atomicAdd(used, 1);
            next = atomicCAS(child, 0, spare);
            if (next == 0) {
                next = spare;
                spare = 0;
            }
        }
        node = next;
    }
}

__global__ void count_leaves(const int* children, int* count)
{
    int node = 0;
    for (int bit = 7; bit >= 0 && node >= 0; bit--) {
        const int next = children[2 * node + (threadIdx.x >> bit & 1)];
        node = next ? next : -1;
    }
    const int found = __syncthreads_count(node >= 0);
    if (threadIdx.x == 0) {
        *count = found;
    }
}

// Points in the order of a balanced tree: the middle one first splits x, then y, and so on.
__global__ void nearest(const float2* points, int n, const float2* queries, float* out)
{
    const float2 q = queries[blockIdx.x * blockDim.x + threadIdx.x];
    int stack[32], top = 0;
    stack[top++] = 0 << 16 | n;
    int depths[32] = {0};
    float best = 1e30f;
    while (top > 0) {
        top--;
        const int begin = stack[top] >> 16, end = stack[top] & 0xffff, depth = depths[top];
        if (begin >= end) {
            continue;
        }
        const int middle = (begin + end) / 2;
        const float dx = points[middle].x - q.x, dy = points[middle].y - q.y;
        best = fminf(best, dx * dx + dy * dy);
        const float side = depth % 2 ? dy : dx;
        const int near = side > 0 ? begin << 16 | middle : (middle + 1) << 16 | end;
        const int far = side > 0 ? (middle + 1) << 16 | end : begin << 16 | middle;
        if (side * side < best) {
            stack[top] = far;
            depths[top++] = depth + 1;
        }
        stack[top] = near;
        depths[top++] = depth + 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = best;
}

int hierarchy()
{
    const int leaves = 128;
    const std::vector<float> positions = fractions(leaves);
    float* d_positions = upload(positions);
    Box* d_boxes = allocate<Box>(2 * leaves);
    int* d_visits = zeros<int>(leaves);
    boxes_from_leaves<<<4, 32>>>(d_positions, d_boxes, d_visits, leaves);
    cudaFree(d_positions);
    cudaFree(d_visits);
    Box root;
    cudaMemcpy(&root, d_boxes + 1, sizeof(Box), cudaMemcpyDeviceToHost);
    cudaFree(d_boxes);
    const auto ends = std::minmax_element(positions.begin(), positions.end());
    return differs("box", std::vector<float>{root.low, root.high}, {*ends.first, *ends.second});
}

int segments()
{
    const int leaves = 256, n = 100;
    std::vector<int> tree(2 * leaves);
    const std::vector<int> values = integers(leaves, 1000), ends = integers(2 * n, leaves, 5);
    std::copy(values.begin(), values.end(), tree.begin() + leaves);
    std::vector<int2> ranges;
    std::vector<int> expected;
    for (int i = 0; i < n; i++) {
        ranges.push_back(make_int2(std::min(ends[2 * i], ends[2 * i + 1]),
                                   std::max(ends[2 * i], ends[2 * i + 1]) + 1));
        expected.push_back(*std::max_element(values.begin() + ranges[i].x,
                                             values.begin() + ranges[i].y));
    }
    int *d_tree = upload(tree), *d_out = allocate<int>(n);
    int2* d_ranges = upload(ranges);
    for (int first = leaves / 2; first > 0; first /= 2) {
        segment_tree_level<<<(first + 63) / 64, 64>>>(d_tree, first);
    }
    segment_tree_query<<<2, 64>>>(d_tree, leaves, d_ranges, d_out, n);
    cudaFree(d_tree);
    cudaFree(d_ranges);
    return differs("segment", download(d_out, n), expected);
}

int trie()
{
    const std::vector<int> keys = integers(120, 256, 3);
    std::vector<int> unique = keys;
    std::sort(unique.begin(), unique.end());
    const int expected = std::unique(unique.begin(), unique.end()) - unique.begin();
    int *d_children = zeros<int>(2 * 8 * 256), *d_keys = upload(keys);
    int *d_used = upload(std::vector<int>{1}), *d_count = allocate<int>(1);
    insert_bits<<<4, 32>>>(d_children, d_used, d_keys, keys.size());
    count_leaves<<<1, 256>>>(d_children, d_count);
    cudaFree(d_children);
    cudaFree(d_keys);
    cudaFree(d_used);
    return differs("trie", download(d_count, 1), {expected});
}

void arrange(std::vector<float2>& points, int begin, int end, int depth)
{
    if (end - begin < 2) {
        return;
    }
    const int middle = (begin + end) / 2;
    std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                     [=](float2 a, float2 b) { return depth % 2 ? a.y < b.y : a.x < b.x; });
    arrange(points, begin, middle, depth + 1);
    arrange(points, middle + 1, end, depth + 1);
}

int neighbours()
{
    const std::vector<float> numbers = fractions(600, 11);
    std::vector<float2> points, queries;
    for (int i = 0; i < 300; i++) {
        (i < 200 ? points : queries).push_back(make_float2(numbers[2 * i], numbers[2 * i + 1]));
    }
    queries.resize(96);
    arrange(points, 0, points.size(), 0);
    std::vector<float> expected;
    for (float2 q : queries) {
        float best = 1e30f;
        for (float2 p : points) {
            best = std::min(best, (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y));
        }
        expected.push_back(best);
    }
    float2 *d_points = upload(points), *d_queries = upload(queries);
    float* d_out = allocate<float>(queries.size());
    nearest<<<3, 32>>>(d_points, points.size(), d_queries, d_out);
    cudaFree(d_points);
    cudaFree(d_queries);
    return differs("nearest", download(d_out, expected.size()), expected, 1e-5);
}

int main()
{
    const int failures = hierarchy() + segments() + trie() + neighbours();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
