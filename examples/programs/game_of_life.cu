/*
 * Conway's game of life on a torus, three ways that must agree:
 *   - one byte per cell, neighbours from global memory,
 *   - one byte per cell, a tile and its border in shared memory,
 *   - one bit per cell, 32 cells of a row per thread and word.
 *
 *   game_of_life [width, a multiple of 32] [height] [generations] [seed]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#define SAFE_CALL(x)                                                              \
    {                                                                             \
        cudaError_t err = (x);                                                    \
        if (err != cudaSuccess) {                                                 \
            fprintf(stderr, "CUDA error %d (%s) in %s, line %d\n", (int)err,      \
                    cudaGetErrorString(err), __FILE__, __LINE__);                 \
            exit(2);                                                              \
        }                                                                         \
    }

#define TILE_X 32
#define TILE_Y 8

typedef uint8_t cell;

struct world {
    int width, height;
};

__host__ __device__ static inline cell next_state(cell alive, int neighbours)
{
    return neighbours == 3 || (alive && neighbours == 2);
}

__global__ void step_global(const cell *now, cell *then, struct world w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w.width || y >= w.height)
        return;
    int left = x == 0 ? w.width - 1 : x - 1, right = x == w.width - 1 ? 0 : x + 1;
    int up = y == 0 ? w.height - 1 : y - 1, down = y == w.height - 1 ? 0 : y + 1;
#define AT(column, row) now[(row) * w.width + (column)]
    int sum = AT(left, up) + AT(x, up) + AT(right, up);
    sum += AT(left, y) + AT(right, y);
    sum += AT(left, down) + AT(x, down) + AT(right, down);
    then[y * w.width + x] = next_state(AT(x, y), sum);
#undef AT
}

__global__ void step_tiles(const cell *now, cell *then, struct world w)
{
    __shared__ cell tile[TILE_Y + 2][TILE_X + 2];
    int first_x = blockIdx.x * TILE_X - 1, first_y = blockIdx.y * TILE_Y - 1;
    for (int i = threadIdx.y * TILE_X + threadIdx.x; i < (TILE_X + 2) * (TILE_Y + 2); i += TILE_X * TILE_Y) {
        int row = i / (TILE_X + 2), column = i % (TILE_X + 2);
        int y = (first_y + row + w.height) % w.height, x = (first_x + column + w.width) % w.width;
        tile[row][column] = now[y * w.width + x];
    }
    __syncthreads();
    int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
    if (x < w.width && y < w.height) {
        int sum = 0;
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++)
                sum += tile[threadIdx.y + dy][threadIdx.x + dx];
        cell alive = tile[threadIdx.y + 1][threadIdx.x + 1];
        then[y * w.width + x] = next_state(alive, sum - alive);
    }
}

/* Adds one bit to each of 32 four-bit counters; word i holds bit i of every counter. */
__device__ static void count_bit(uint32_t counter[4], uint32_t bits)
{
    for (int i = 0; i < 4; i++) {
        uint32_t carry = counter[i] & bits;
        counter[i] ^= bits;
        bits = carry;
    }
}

__global__ void step_bits(const uint32_t *now, uint32_t *then, struct world w)
{
    int words = w.width / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words * w.height)
        return;
    int column = i % words, y = i / words;
    int left = (column + words - 1) % words, right = (column + 1) % words;
    uint32_t counter[4] = {0, 0, 0, 0};
    uint32_t alive = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const uint32_t *row = now + (y + dy + w.height) % w.height * words;
        uint32_t middle = row[column];
        count_bit(counter, __funnelshift_l(row[left], middle, 1));
        count_bit(counter, __funnelshift_r(middle, row[right], 1));
        if (dy == 0)
            alive = middle;
        else
            count_bit(counter, middle);
    }
    uint32_t two_or_three = ~counter[3] & ~counter[2] & counter[1];
    then[i] = two_or_three & (counter[0] | alive);
}

/* Bytes to bits: each warp votes on 32 neighbouring cells. */
__global__ void pack(const cell *cells, uint32_t *words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vote = __ballot_sync(0xffffffff, i < n && cells[i]);
    if (threadIdx.x % 32 == 0 && i < n)
        words[i / 32] = vote;
}

/* The number of live cells, and the number of cells that differ from the bits. */
__global__ void compare(const cell *cells, const uint32_t *words, int n, unsigned *result)
{
    __shared__ unsigned alive, different;
    if (threadIdx.x == 0)
        alive = different = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (cells[i])
            atomicAdd(&alive, 1u);
        if (cells[i] != (words[i / 32] >> (i % 32) & 1))
            atomicAdd(&different, 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&result[0], alive);
        atomicAdd(&result[1], different);
    }
}

static void step_host(const cell *now, cell *then, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = height - 1; dy <= height + 1; dy++)
                for (int dx = width - 1; dx <= width + 1; dx++)
                    if (dy != height || dx != width)
                        sum += now[(y + dy) % height * width + (x + dx) % width];
            then[y * width + x] = next_state(now[y * width + x], sum);
        }
}

#define SWAP(T, a, b) do { T swap_ = (a); (a) = (b); (b) = swap_; } while (0)

int main(int argc, char **argv)
{
    struct world w;
    w.width = argc > 1 ? atoi(argv[1]) : 96;
    w.height = argc > 2 ? atoi(argv[2]) : 50;
    int generations = argc > 3 ? atoi(argv[3]) : 12;
    unsigned state = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
    if (w.width < 32 || w.width % 32 || w.height < 2 || generations < 1) {
        fprintf(stderr, "usage: game_of_life [width, a multiple of 32] [height] [generations] [seed]\n");
        return 2;
    }
    int n = w.width * w.height;
    cell *start = (cell *)malloc(n), *next = (cell *)malloc(n);
    for (int i = 0; i < n; i++) {
        state = state * 1103515245u + 12345u;
        start[i] = (state >> 16) % 3 == 0;
    }
    cell *global[2], *tiles[2];
    uint32_t *bits[2];
    unsigned *result, numbers[2];
    for (int i = 0; i < 2; i++) {
        SAFE_CALL(cudaMalloc((void **)&global[i], n));
        SAFE_CALL(cudaMalloc((void **)&tiles[i], n));
        SAFE_CALL(cudaMalloc((void **)&bits[i], n / 8));
    }
    SAFE_CALL(cudaMalloc((void **)&result, sizeof numbers));
    SAFE_CALL(cudaMemset(result, 0, sizeof numbers));
    SAFE_CALL(cudaMemcpy(global[0], start, n, cudaMemcpyHostToDevice));
    SAFE_CALL(cudaMemcpy(tiles[0], start, n, cudaMemcpyHostToDevice));
    pack<<<(n + 255) / 256, 256>>>(global[0], bits[0], n);

    cudaEvent_t before, after;
    SAFE_CALL(cudaEventCreate(&before));
    SAFE_CALL(cudaEventCreate(&after));
    SAFE_CALL(cudaEventRecord(before));
    dim3 block(TILE_X, TILE_Y);
    dim3 grid((w.width + TILE_X - 1) / TILE_X, (w.height + TILE_Y - 1) / TILE_Y);
    for (int g = 0; g < generations; g++) {
#ifdef RACE
        step_global<<<grid, block>>>(global[0], global[0], w); /* neighbours may be of either generation */
#else
        step_global<<<grid, block>>>(global[0], global[1], w);
        SWAP(cell *, global[0], global[1]);
#endif
        step_tiles<<<grid, block>>>(tiles[0], tiles[1], w);
        SWAP(cell *, tiles[0], tiles[1]);
        step_bits<<<(n / 32 + 63) / 64, 64>>>(bits[0], bits[1], w);
        SWAP(uint32_t *, bits[0], bits[1]);
    }
    compare<<<(n + 255) / 256, 256>>>(tiles[0], bits[0], n, result);
    SAFE_CALL(cudaGetLastError());
    SAFE_CALL(cudaEventRecord(after));
    SAFE_CALL(cudaEventSynchronize(after));
    float milliseconds;
    SAFE_CALL(cudaEventElapsedTime(&milliseconds, before, after));

    int wrong = 0;
    unsigned alive = 0;
    cell *found = (cell *)malloc(n);
    for (int g = 0; g < generations; g++) {
        step_host(start, next, w.width, w.height);
        SWAP(cell *, start, next);
    }
    for (int i = 0; i < n; i++)
        alive += start[i];
    SAFE_CALL(cudaMemcpy(numbers, result, sizeof numbers, cudaMemcpyDeviceToHost));
    printf("%d x %d cells, %d generations, %u alive, %.2f ms\n", w.width, w.height, generations, numbers[0], milliseconds);
    SAFE_CALL(cudaMemcpy(found, global[0], n, cudaMemcpyDeviceToHost));
    if (memcmp(found, start, n) != 0) {
        fprintf(stderr, "the cells from global memory are wrong\n");
        wrong = 1;
    }
    SAFE_CALL(cudaMemcpy(found, tiles[0], n, cudaMemcpyDeviceToHost));
    if (memcmp(found, start, n) != 0) {
        fprintf(stderr, "the cells from tiles are wrong\n");
        wrong = 1;
    }
    if (numbers[0] != alive || numbers[1] != 0) {
        fprintf(stderr, "%u cells alive, expected %u; %u bits differ\n", numbers[0], alive, numbers[1]);
        wrong = 1;
    }
    for (int i = 0; i < 2; i++) {
        SAFE_CALL(cudaFree(global[i]));
        SAFE_CALL(cudaFree(tiles[i]));
        SAFE_CALL(cudaFree(bits[i]));
    }
    SAFE_CALL(cudaFree(result));
    SAFE_CALL(cudaEventDestroy(before));
    SAFE_CALL(cudaEventDestroy(after));
    free(start);
    free(next);
    free(found);
    printf("game_of_life: %s\n", wrong ? "FAILED" : "OK");
    return wrong;
}
