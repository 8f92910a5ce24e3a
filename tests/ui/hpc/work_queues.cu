// verdict: race
// race: lines 102 and 114, variable buffer, shared
// repaired: clean
// Queues of work: blocks that take the next task, a list that grows while it is worked on, tickets
// for a critical section, rows that follow each other, and a ring between two warps.
// The first lane says that a slot is full before the others have filled it.
// Repaired: a fence, and a barrier of the warp.
#include <algorithm>
#include "../common/device_data.h"

// Persistent blocks: tasks of very different length.
__global__ void take_tasks(const int* lengths, int tasks, int* next, int* results)
{
    __shared__ int task;
    for (;;) {
        if (threadIdx.x == 0) {
            task = atomicAdd(next, 1);
        }
        __syncthreads();
        const int mine = task;
        __syncthreads();
        if (mine >= tasks) {
            return;
        }
        int sum = 0;
        for (int i = threadIdx.x; i < lengths[mine]; i += blockDim.x) {
            sum += i;
        }
        sum = __reduce_add_sync(~0u, sum);
        if (threadIdx.x == 0) {
            results[mine] = sum;
        }
    }
}

// A launch works on the numbers that the one before it has appended: n gives n / 2 and n / 3.
__global__ void expand(const int* in, int count, int* out, int* size, int* steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        for (int divisor = 2; divisor <= 3; divisor++) {
            if (in[i] / divisor > 0) {
                out[atomicAdd(size, 1)] = in[i] / divisor;
            }
        }
        atomicAdd(steps, 1);
    }
}

// The sum and the count change together.
__global__ void with_tickets(const int* in, int* next, int* serving, long long* sum, int* count)
{
    const int ticket = atomicAdd(next, 1);
    while (atomicAdd(serving, 0) != ticket) {
    }
    __threadfence();
    *sum += in[blockIdx.x];
    *count += 1;
    __threadfence();
    atomicAdd(serving, 1);
}

// A block for each row; a row follows the one above it, whose counter says how far it has come.
__global__ void wavefront(int* values, int* done, int side)
{
    const int y = blockIdx.x;
    int left = 1;
    for (int x = 0; x < side; x++) {
        int top = 1;
        if (y > 0) {
            while (atomicAdd(&done[y - 1], 0) <= x) {
            }
            __threadfence();
            top = values[(y - 1) * side + x];
        }
        left = (left + top) % 1009;
        values[y * side + x] = left;
        __threadfence();
        atomicAdd(&done[y], 1);
    }
}

constexpr int slots = 4;

// Warp 0 fills slots, warp 1 empties them; flags in shared memory count rounds.
__global__ void ring(const int* in, int* out, int rounds)
{
    __shared__ int buffer[slots][32];
    __shared__ int filled[slots], emptied[slots];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < slots) {
        filled[threadIdx.x] = 0;
        emptied[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        const int slot = round % slots, turn = round / slots;
        if (warp == 0) {
            while (atomicAdd(&emptied[slot], 0) < turn) {
            }
            __threadfence_block();
            buffer[slot][lane] = in[round * 32 + lane];
#ifdef REPAIRED
            __threadfence_block();
            __syncwarp();
#endif
            if (lane == 0) {
                atomicExch(&filled[slot], turn + 1);
            }
        } else {
            while (atomicAdd(&filled[slot], 0) < turn + 1) {
            }
            __threadfence_block();
            out[round * 32 + lane] = 2 * buffer[slot][31 - lane];
            __threadfence_block();
            __syncwarp();
            if (lane == 0) {
                atomicExch(&emptied[slot], turn + 1);
            }
        }
        __syncwarp();
    }
}

int tasks()
{
    const int count = 30;
    const std::vector<int> lengths = integers(count, 200);
    int *d_lengths = upload(lengths), *d_next = zeros<int>(1), *d_results = allocate<int>(count);
    take_tasks<<<4, 32>>>(d_lengths, count, d_next, d_results);
    cudaFree(d_lengths);
    cudaFree(d_next);
    std::vector<int> expected;
    for (int length : lengths) {
        expected.push_back(length * (length - 1) / 2);
    }
    return differs("tasks", download(d_results, count), expected);
}

int lists()
{
    std::vector<int> list{100}, next;
    int *d_in = allocate<int>(4096), *d_out = allocate<int>(4096), *d_size = allocate<int>(1);
    int *d_steps = zeros<int>(1), size = 1, steps = 0;
    cudaMemcpy(d_in, list.data(), sizeof(int), cudaMemcpyHostToDevice);
    while (size > 0) {
        cudaMemset(d_size, 0, sizeof(int));
        expand<<<(size + 63) / 64, 64>>>(d_in, size, d_out, d_size, d_steps);
        cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(d_in, d_out);
    }
    for (; !list.empty(); list = next) {
        next.clear();
        for (int n : list) {
            steps++;
            for (int divisor = 2; divisor <= 3; divisor++) {
                if (n / divisor > 0) {
                    next.push_back(n / divisor);
                }
            }
        }
    }
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_size);
    return differs("steps", download(d_steps, 1), {steps});
}

int tickets()
{
    const int blocks = 12;
    const std::vector<int> in = integers(blocks, 1000);
    int *d_in = upload(in), *d_counters = zeros<int>(3);
    long long *d_sum = zeros<long long>(1), sum = 0;
    with_tickets<<<blocks, 1>>>(d_in, d_counters, d_counters + 1, d_sum, d_counters + 2);
    cudaFree(d_in);
    for (int value : in) {
        sum += value;
    }
    return differs("sum", download(d_sum, 1), {sum}) +
           differs("served", download(d_counters, 3), {blocks, blocks, blocks});
}

int diagonals()
{
    const int side = 6;
    std::vector<int> expected(side * side);
    for (int i = 0; i < side * side; i++) {
        const int left = i % side ? expected[i - 1] : 1, top = i >= side ? expected[i - side] : 1;
        expected[i] = (left + top) % 1009;
    }
    int *d_done = zeros<int>(side), *d_values = allocate<int>(side * side);
    wavefront<<<side, 1>>>(d_values, d_done, side);
    cudaFree(d_done);
    return differs("diagonal", download(d_values, side * side), expected);
}

int rings()
{
    const int rounds = 12;
    const std::vector<int> in = integers(rounds * 32, 1000, 6);
    int *d_in = upload(in), *d_out = allocate<int>(in.size());
    ring<<<1, 64>>>(d_in, d_out, rounds);
    cudaFree(d_in);
    std::vector<int> expected;
    for (int i = 0; i < rounds * 32; i++) {
        expected.push_back(2 * in[i / 32 * 32 + 31 - i % 32]);
    }
    return differs("ring", download(d_out, in.size()), expected);
}

int main()
{
    const int failures = tasks() + lists() + tickets() + diagonals() + rings();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
