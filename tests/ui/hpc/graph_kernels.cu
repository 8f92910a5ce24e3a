// verdict: race
// race: lines 30 and 31, variable level, global
// race-also: lines 31 and 31, variable level, global
// repaired: clean
// Graphs: shortest paths with atomic minima, page ranks, triangles, independent sets, a colouring,
// components by labels, k-cores, and breadth-first search with queues.
// Two edges append to the queue what one compare-and-swap should have given to one of them.
// Repaired: the level is claimed with atomicCAS before the vertex is appended.
#include <algorithm>
#include <climits>
#include "../common/device_data.h"

struct Csr {
    int n;
    std::vector<int> row, col;
    int *d_row, *d_col;
};

__global__ void expand_queue(const int* row, const int* col, int* level, const int* queue, int size,
                             int* next, int* next_size, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) {
        const int v = queue[i];
        for (int e = row[v]; e < row[v + 1]; e++) {
            const int to = col[e];
#ifdef REPAIRED
            const bool first = atomicCAS(&level[to], -1, depth) == -1;
#else
            const bool first = level[to] == -1;
            level[to] = first ? depth : level[to];
#endif
            if (first) {
                next[atomicAdd(next_size, 1)] = to;
            }
        }
    }
}

__global__ void relax(const int* row, const int* col, const int* from, int* to, int n, int* changed)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && from[v] < INT_MAX) {
        for (int e = row[v]; e < row[v + 1]; e++) {
            const int length = from[v] + 1 + (v + col[e]) % 7;
            if (length < from[col[e]] && length < atomicMin(&to[col[e]], length)) {
                atomicOr(changed, 1);
            }
        }
    }
}

__global__ void rank_pages(const int* row, const int* col, const float* in, float* out, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        float sum = 0;
        for (int e = row[v]; e < row[v + 1]; e++) {
            sum += in[col[e]] / (row[col[e] + 1] - row[col[e]]);
        }
        out[v] = 0.15f / n + 0.85f * sum;
    }
}

// A warp for each vertex, a lane for each neighbour; the lists are sorted.
__global__ void triangles(const int* row, const int* col, int n, unsigned long long* total)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= n) {
        return;
    }
    int found = 0;
    for (int e = row[v] + lane; e < row[v + 1]; e += 32) {
        const int u = col[e];
        int a = e + 1, b = row[u];
        while (u > v && a < row[v + 1] && b < row[u + 1]) {
            if (col[a] == col[b]) {
                found += col[a] > u;
            }
            const int step = col[a] - col[b];
            a += step <= 0;
            b += step >= 0;
        }
    }
    found = __reduce_add_sync(~0u, found);
    if (lane == 0) {
        atomicAdd(total, static_cast<unsigned long long>(found));
    }
}

__device__ __host__ unsigned priority(unsigned v)
{
    v = (v ^ 61) ^ (v >> 16);
    v *= 9;
    v ^= v >> 4;
    v *= 0x27d4eb2d;
    return (v ^ v >> 15) & ~0xffu;
}

// States: 0 undecided, 1 in the set, 2 not in it. A round reads the states of the round before.
__global__ void independent(const int* row, const int* col, const char* in, char* out, int n,
                            int* undecided)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) {
        return;
    }
    char state = in[v];
    if (state == 0) {
        state = 1;
        for (int e = row[v]; e < row[v + 1]; e++) {
            const int u = col[e];
            if (in[u] == 1) {
                state = 2;
                break;
            }
            const unsigned mine = priority(v) | v, other = priority(u) | u;
            if (in[u] == 0 && other > mine) {
                state = 0;
            }
        }
        if (state == 0) {
            atomicAdd(undecided, 1);
        }
    }
    out[v] = state;
}

// The vertex with the highest number among its uncoloured neighbours takes the round's colour.
__global__ void colour_round(const int* row, const int* col, const int* in, int* out, int n, int round)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        bool highest = in[v] == 0;
        for (int e = row[v]; e < row[v + 1] && highest; e++) {
            highest = col[e] < v || in[col[e]] != 0;
        }
        out[v] = highest ? round : in[v];
    }
}

__global__ void hook(const int* row, const int* col, int* label, int n, int* changed)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        for (int e = row[v]; e < row[v + 1]; e++) {
            const int mine = atomicAdd(&label[v], 0);
            if (atomicMin(&label[col[e]], mine) > mine) {
                atomicExch(changed, 1);
            }
        }
    }
}

__global__ void peel(const int* row, const int* col, int* degree, int n, int k, int* removed)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        const int mine = atomicAdd(&degree[v], 0);
        if (mine >= 0 && mine < k && atomicAdd(&degree[v], -1000) >= 0) {
            atomicAdd(removed, 1);
            for (int e = row[v]; e < row[v + 1]; e++) {
                atomicSub(&degree[col[e]], 1);
            }
        }
    }
}

Csr random_graph(int n, int edges)
{
    const std::vector<int> ends = integers(2 * edges, n, 3);
    std::vector<std::vector<int>> lists(n);
    for (int e = 0; e < edges; e++) {
        const int a = ends[2 * e], b = ends[2 * e + 1];
        if (a != b) {
            lists[a].push_back(b);
            lists[b].push_back(a);
        }
    }
    Csr g{n, {0}, {}, nullptr, nullptr};
    for (std::vector<int>& list : lists) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        g.col.insert(g.col.end(), list.begin(), list.end());
        g.row.push_back(g.col.size());
    }
    g.d_row = upload(g.row);
    g.d_col = upload(g.col);
    return g;
}

constexpr int threads = 64;

int blocks(int n)
{
    return (n + threads - 1) / threads;
}

int levels(const Csr& g)
{
    std::vector<int> expected(g.n, -1), queue{0};
    expected[0] = 0;
    int* d_level = upload(expected);
    for (size_t i = 0; i < queue.size(); i++) {
        for (int e = g.row[queue[i]]; e < g.row[queue[i] + 1]; e++) {
            if (expected[g.col[e]] < 0) {
                expected[g.col[e]] = expected[queue[i]] + 1;
                queue.push_back(g.col[e]);
            }
        }
    }
    int *d_queue = zeros<int>(g.col.size()), *d_next = allocate<int>(g.col.size());
    int *d_size = allocate<int>(1), size = 1;
    for (int depth = 1; size > 0; depth++) {
        cudaMemset(d_size, 0, sizeof(int));
        expand_queue<<<blocks(size), threads>>>(g.d_row, g.d_col, d_level, d_queue, size, d_next,
                                                d_size, depth);
        cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(d_queue, d_next);
    }
    cudaFree(d_queue);
    cudaFree(d_next);
    cudaFree(d_size);
    return differs("level", download(d_level, g.n), expected);
}

int paths(const Csr& g)
{
    std::vector<int> expected(g.n, INT_MAX);
    expected[0] = 0;
    int *d_from = upload(expected), *d_to = upload(expected), *d_changed = allocate<int>(1);
    for (int changed = 1; changed;) {
        cudaMemset(d_changed, 0, sizeof(int));
        cudaMemcpy(d_to, d_from, g.n * sizeof(int), cudaMemcpyDeviceToDevice);
        relax<<<blocks(g.n), threads>>>(g.d_row, g.d_col, d_from, d_to, g.n, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(d_from, d_to);
    }
    cudaFree(d_to);
    cudaFree(d_changed);
    for (bool changed = true; changed;) {
        changed = false;
        for (int v = 0; v < g.n; v++) {
            for (int e = g.row[v]; expected[v] < INT_MAX && e < g.row[v + 1]; e++) {
                const int length = expected[v] + 1 + (v + g.col[e]) % 7;
                if (length < expected[g.col[e]]) {
                    expected[g.col[e]] = length;
                    changed = true;
                }
            }
        }
    }
    return differs("length", download(d_from, g.n), expected);
}

int ranks(const Csr& g)
{
    std::vector<float> expected(g.n, 1.0f / g.n);
    float *d_in = upload(expected), *d_out = allocate<float>(g.n);
    for (int step = 0; step < 3; step++) {
        rank_pages<<<blocks(g.n), threads>>>(g.d_row, g.d_col, d_in, d_out, g.n);
        std::swap(d_in, d_out);
        std::vector<float> next(g.n, 0.15f / g.n);
        for (int v = 0; v < g.n; v++) {
            for (int e = g.row[v]; e < g.row[v + 1]; e++) {
                next[v] += 0.85f * expected[g.col[e]] / (g.row[g.col[e] + 1] - g.row[g.col[e]]);
            }
        }
        expected = next;
    }
    cudaFree(d_out);
    return differs("rank", download(d_in, g.n), expected, 1e-5);
}

int count_triangles(const Csr& g)
{
    auto* d_total = zeros<unsigned long long>(1);
    triangles<<<(g.n + 1) / 2, threads>>>(g.d_row, g.d_col, g.n, d_total);
    unsigned long long expected = 0;
    auto linked = [&](int a, int b) {
        return std::binary_search(g.col.begin() + g.row[a], g.col.begin() + g.row[a + 1], b);
    };
    for (int a = 0; a < g.n; a++) {
        for (int e = g.row[a]; e < g.row[a + 1]; e++) {
            for (int f = e + 1; f < g.row[a + 1]; f++) {
                expected += g.col[e] > a && linked(g.col[e], g.col[f]);
            }
        }
    }
    return differs("triangles", download(d_total, 1), {expected});
}

int sets(const Csr& g)
{
    char *d_in = zeros<char>(g.n), *d_out = allocate<char>(g.n);
    int *d_undecided = allocate<int>(1), undecided = 1;
    while (undecided) {
        cudaMemset(d_undecided, 0, sizeof(int));
        independent<<<blocks(g.n), threads>>>(g.d_row, g.d_col, d_in, d_out, g.n, d_undecided);
        cudaMemcpy(&undecided, d_undecided, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(d_in, d_out);
    }
    int *d_a = zeros<int>(g.n), *d_b = allocate<int>(g.n);
    for (int round = 1; round <= g.n; round++) {
        colour_round<<<blocks(g.n), threads>>>(g.d_row, g.d_col, d_a, d_b, g.n, round);
        std::swap(d_a, d_b);
    }
    cudaFree(d_out);
    cudaFree(d_undecided);
    cudaFree(d_b);
    const std::vector<char> state = download(d_in, g.n);
    const std::vector<int> colour = download(d_a, g.n);
    int wrong = 0;
    for (int v = 0; v < g.n; v++) {
        bool covered = state[v] == 1;
        for (int e = g.row[v]; e < g.row[v + 1]; e++) {
            wrong += state[v] == 1 && state[g.col[e]] == 1;
            wrong += colour[v] == colour[g.col[e]];
            covered = covered || state[g.col[e]] == 1;
        }
        wrong += !covered || colour[v] == 0;
    }
    return differs("wrong", std::vector<int>{wrong}, {0});
}

int components(const Csr& g)
{
    std::vector<int> expected(g.n);
    for (int v = 0; v < g.n; v++) {
        expected[v] = v;
    }
    int *d_label = upload(expected), *d_changed = allocate<int>(1);
    for (int changed = 1; changed;) {
        cudaMemset(d_changed, 0, sizeof(int));
        hook<<<blocks(g.n), threads>>>(g.d_row, g.d_col, d_label, g.n, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    for (int pass = 0; pass < g.n; pass++) {
        for (int v = 0; v < g.n; v++) {
            for (int e = g.row[v]; e < g.row[v + 1]; e++) {
                expected[v] = std::min(expected[v], expected[g.col[e]]);
            }
        }
    }
    std::vector<int> degree(g.n);
    for (int v = 0; v < g.n; v++) {
        degree[v] = g.row[v + 1] - g.row[v];
    }
    int* d_degree = upload(degree);
    const int k = 4;
    for (int removed = 1; removed;) {
        cudaMemset(d_changed, 0, sizeof(int));
        peel<<<blocks(g.n), threads>>>(g.d_row, g.d_col, d_degree, g.n, k, d_changed);
        cudaMemcpy(&removed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(d_changed);
    std::vector<int> alive(g.n, 1);
    for (bool removed = true; removed;) {
        removed = false;
        for (int v = 0; v < g.n; v++) {
            if (alive[v] && degree[v] < k) {
                alive[v] = 0;
                removed = true;
                for (int e = g.row[v]; e < g.row[v + 1]; e++) {
                    degree[g.col[e]]--;
                }
            }
        }
    }
    std::vector<int> core = download(d_degree, g.n);
    for (int& value : core) {
        value = value >= 0;
    }
    return differs("label", download(d_label, g.n), expected) + differs("core", core, alive);
}

int main()
{
    const Csr g = random_graph(120, 260);
    const int failures = levels(g) + paths(g) + ranks(g) + count_triangles(g) + sets(g) +
                         components(g);
    cudaFree(g.d_row);
    cudaFree(g.d_col);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
