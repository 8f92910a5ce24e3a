// verdict: race
// race: lines 122 and 129, variable left, shared
// race: lines 123 and 129, variable above, shared
// repaired: clean
// Dynamic programming: common subsequences along diagonals in shared memory, local alignment along
// diagonals of tiles, all shortest paths in blocks, knapsack, edit distances of a warp, and the best
// order of matrix products.
// Blocks of the all-pairs step read the row of the pivot tile before the tile is complete.
// Repaired: a barrier between loading and using the two tiles.
#include <algorithm>
#include <cstring>
#include <string>
#include "../common/device_data.h"

__global__ void subsequence(const char* a, int na, const char* b, int nb, int* out)
{
    __shared__ int lines[3][65];
    const int i = threadIdx.x;
    for (int d = i; d < 3 * 65; d += blockDim.x) {
        lines[d / 65][d % 65] = 0;
    }
    __syncthreads();
    for (int d = 2; d <= na + nb; d++) {
        int *now = lines[d % 3], *last = lines[(d + 2) % 3], *before = lines[(d + 1) % 3];
        const int j = d - i;
        if (i == 0 || j == 0) {
            now[i] = 0;
        } else if (i <= na && j >= 1 && j <= nb) {
            now[i] = a[i - 1] == b[j - 1] ? before[i - 1] + 1 : max(last[i - 1], last[i]);
        }
        __syncthreads();
    }
    if (i == na) {
        *out = lines[(na + nb) % 3][na];
    }
}

constexpr int tile = 16;

// Smith-Waterman; a launch computes the tiles of one diagonal.
__global__ void align_tiles(const char* a, const char* b, int* h, int pitch, int diagonal, int first,
                            int* best)
{
    __shared__ int cells[tile + 1][tile + 1];
    const int tx = blockIdx.x + first, ty = diagonal - tx, t = threadIdx.x;
    int* corner = h + ty * tile * pitch + tx * tile;
    cells[0][t + 1] = corner[t + 1];
    cells[t + 1][0] = corner[(t + 1) * pitch];
    if (t == 0) {
        cells[0][0] = corner[0];
    }
    __syncthreads();
    int top = 0;
    for (int d = 0; d < 2 * tile - 1; d++) {
        const int y = t, x = d - t;
        if (x >= 0 && x < tile) {
            const int match = a[ty * tile + y] == b[tx * tile + x] ? 3 : -2;
            int value = max(0, cells[y][x] + match);
            value = max(value, max(cells[y][x + 1], cells[y + 1][x]) - 2);
            cells[y + 1][x + 1] = value;
            top = max(top, value);
        }
        __syncthreads();
    }
    for (int y = 0; y < tile; y++) {
        corner[(y + 1) * pitch + t + 1] = cells[y + 1][t + 1];
    }
    atomicMax(best, top);
}

__device__ void relax(int (*c)[tile], int (*a)[tile], int (*b)[tile], bool in_order)
{
    const int x = threadIdx.x, y = threadIdx.y;
    for (int k = 0; k < tile; k++) {
        const int through = a[y][k] + b[k][x];
        if (in_order) {
            __syncthreads();
        }
        c[y][x] = min(c[y][x], through);
        if (in_order) {
            __syncthreads();
        }
    }
}

__global__ void pivot_tile(int* d, int n, int k)
{
    __shared__ int c[tile][tile];
    int* mine = d + (k * tile + threadIdx.y) * n + k * tile + threadIdx.x;
    c[threadIdx.y][threadIdx.x] = *mine;
    __syncthreads();
    relax(c, c, c, true);
    *mine = c[threadIdx.y][threadIdx.x];
}

__global__ void pivot_lines(int* d, int n, int k)
{
    __shared__ int pivot[tile][tile], c[tile][tile];
    const int other = blockIdx.x < k ? blockIdx.x : blockIdx.x + 1;
    const bool is_row = blockIdx.y == 0;
    const int x = threadIdx.x, y = threadIdx.y;
    int* mine = is_row ? d + (k * tile + y) * n + other * tile + x : d + (other * tile + y) * n + k * tile + x;
    pivot[y][x] = d[(k * tile + y) * n + k * tile + x];
    c[y][x] = *mine;
    __syncthreads();
    if (is_row) {
        relax(c, pivot, c, true);
    } else {
        relax(c, c, pivot, true);
    }
    *mine = c[y][x];
}

__global__ void other_tiles(int* d, int n, int k)
{
    __shared__ int left[tile][tile], above[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y;
    if (blockIdx.x == k || blockIdx.y == k) {
        return;
    }
    const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    left[y][x] = d[row * n + k * tile + x];
    above[y][x] = d[(k * tile + y) * n + column];
#ifdef REPAIRED
    __syncthreads();
#endif
    int best = d[row * n + column];
    for (int i = 0; i < tile; i++) {
        best = min(best, left[y][i] + above[i][x]);
    }
    d[row * n + column] = best;
}

__global__ void knapsack_row(const int* in, int* out, int capacity, int weight, int value)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c <= capacity) {
        out[c] = c >= weight ? max(in[c], in[c - weight] + value) : in[c];
    }
}

// A word of up to 31 letters against one text for each warp, a lane for each letter.
__global__ void edit_distance(const char* word, int length, const char* texts, int text_length, int* out)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const char* text = texts + (blockIdx.x * (blockDim.x / 32) + warp) * text_length;
    const char mine = lane > 0 && lane <= length ? word[lane - 1] : 0;
    int last = lane, before = lane;
    // At step d, the lane computes column d - lane.
    int result = 0;
    for (int d = 1; d <= text_length + length; d++) {
        const int up = __shfl_up_sync(~0u, last, 1), corner = __shfl_up_sync(~0u, before, 1);
        const int column = d - lane;
        int now = last;
        if (lane == 0) {
            now = d;
        } else if (column >= 1 && column <= text_length && lane <= length) {
            const int left = column == 1 ? lane : last;
            const int diagonal = column == 1 ? lane - 1 : corner;
            now = min(min(up, left) + 1, diagonal + (text[column - 1] != mine));
        } else if (column <= 0) {
            now = lane;
        }
        before = last;
        last = now;
        if (column == text_length && lane == length) {
            result = now;
        }
    }
    if (lane == length) {
        out[blockIdx.x * (blockDim.x / 32) + warp] = result;
    }
}

__global__ void product_order(const int* sizes, int count, int* out)
{
    extern __shared__ int cost[];
    const int i = threadIdx.x;
    cost[i * count + i] = 0;
    for (int span = 1; span < count; span++) {
        __syncthreads();
        if (i + span < count) {
            int best = 1 << 30;
            for (int k = i; k < i + span; k++) {
                best = min(best, cost[i * count + k] + cost[(k + 1) * count + i + span] +
                                     sizes[i] * sizes[k + 1] * sizes[i + span + 1]);
            }
            cost[i * count + i + span] = best;
        }
    }
    __syncthreads();
    if (i == 0) {
        *out = cost[count - 1];
    }
}

std::string letters(int count, unsigned seed)
{
    std::string out;
    for (int value : integers(count, 4, seed)) {
        out += "ACGT"[value];
    }
    return out;
}

char* upload_text(const std::string& text)
{
    return upload(std::vector<char>(text.begin(), text.end()));
}

int sequences()
{
    const int n = 48;
    const std::string a = letters(n, 1), b = letters(n, 2);
    std::vector<std::vector<int>> common(n + 1, std::vector<int>(n + 1)), local = common;
    int best = 0;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
            common[i][j] = a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1
                                                : std::max(common[i - 1][j], common[i][j - 1]);
            local[i][j] = std::max({0, local[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -2),
                                    local[i - 1][j] - 2, local[i][j - 1] - 2});
            best = std::max(best, local[i][j]);
        }
    }
    char *d_a = upload_text(a), *d_b = upload_text(b);
    int *d_out = allocate<int>(1), *d_h = zeros<int>((n + 1) * (n + 1)), *d_best = zeros<int>(1);
    subsequence<<<1, 64>>>(d_a, n, d_b, n, d_out);
    const int tiles = n / tile;
    for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        const int first = std::max(0, diagonal - tiles + 1);
        const int count = std::min(diagonal, tiles - 1) - first + 1;
        align_tiles<<<count, tile>>>(d_a, d_b, d_h, n + 1, diagonal, first, d_best);
    }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_h);
    return differs("subsequence", download(d_out, 1), {common[n][n]}) +
           differs("alignment", download(d_best, 1), {best});
}

int all_paths()
{
    const int n = 3 * tile;
    std::vector<int> d = integers(n * n, 100);
    for (int i = 0; i < n * n; i++) {
        d[i] = i % n == i / n ? 0 : d[i] < 80 ? 1000 : d[i] - 79;
    }
    int* d_d = upload(d);
    for (int k = 0; k < n / tile; k++) {
        pivot_tile<<<1, dim3(tile, tile)>>>(d_d, n, k);
        pivot_lines<<<dim3(n / tile - 1, 2), dim3(tile, tile)>>>(d_d, n, k);
        other_tiles<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(d_d, n, k);
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n * n; i++) {
            d[i] = std::min(d[i], d[i / n * n + k] + d[k * n + i % n]);
        }
    }
    return differs("path", download(d_d, n * n), d);
}

int sums_and_products()
{
    const int capacity = 100, items = 6, count = 12;
    const std::vector<int> numbers = integers(2 * items, 30, 4), sizes = integers(count + 1, 20, 6);
    std::vector<int> expected(capacity + 1);
    int *d_in = zeros<int>(capacity + 1), *d_out = allocate<int>(capacity + 1);
    for (int i = 0; i < items; i++) {
        const int weight = numbers[2 * i] + 1, value = numbers[2 * i + 1];
        knapsack_row<<<2, 64>>>(d_in, d_out, capacity, weight, value);
        std::swap(d_in, d_out);
        for (int c = capacity; c >= weight; c--) {
            expected[c] = std::max(expected[c], expected[c - weight] + value);
        }
    }
    cudaFree(d_out);
    int *d_sizes = upload(sizes), *d_cost = allocate<int>(1);
    product_order<<<1, count, count * count * sizeof(int)>>>(d_sizes, count, d_cost);
    cudaFree(d_sizes);
    int cost[count][count] = {};
    for (int span = 1; span < count; span++) {
        for (int i = 0; i + span < count; i++) {
            cost[i][i + span] = 1 << 30;
            for (int k = i; k < i + span; k++) {
                cost[i][i + span] = std::min(cost[i][i + span],
                                             cost[i][k] + cost[k + 1][i + span] +
                                                 sizes[i] * sizes[k + 1] * sizes[i + span + 1]);
            }
        }
    }
    return differs("knapsack", download(d_in, capacity + 1), expected) +
           differs("product", download(d_cost, 1), {cost[0][count - 1]});
}

int distances()
{
    const int length = 20, text_length = 25, texts = 4;
    const std::string word = letters(length, 3), text = letters(texts * text_length, 8);
    char *d_word = upload_text(word), *d_text = upload_text(text);
    int* d_out = allocate<int>(texts);
    edit_distance<<<2, 64>>>(d_word, length, d_text, text_length, d_out);
    cudaFree(d_word);
    cudaFree(d_text);
    std::vector<int> expected;
    for (int t = 0; t < texts; t++) {
        std::vector<int> row(text_length + 1);
        for (int j = 0; j <= text_length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= length; i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= text_length; j++) {
                const int next = std::min({row[j] + 1, row[j - 1] + 1,
                                           corner + (word[i - 1] != text[t * text_length + j - 1])});
                corner = row[j];
                row[j] = next;
            }
        }
        expected.push_back(row[text_length]);
    }
    return differs("distance", download(d_out, texts), expected);
}

int main()
{
    const int failures = sequences() + all_paths() + sums_and_products() + distances();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
