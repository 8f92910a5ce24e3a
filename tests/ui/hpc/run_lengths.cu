// verdict: race
// race: lines 31 and 42, variable starts, shared
// race: lines 34 and 42, variable starts, shared
// repaired: clean
// Run lengths of a text in one block: where runs begin, how many begin before, and their lengths.
// The start of the next run is read before its thread has written it.
// Repaired: a barrier between the two.
#include "../common/device_data.h"

constexpr int n = 128;

__global__ void encode(const char* text, char* letters, int* lengths, int* count)
{
    __shared__ char all[n];
    __shared__ int starts[n + 1], of_warps[n / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    all[t] = text[t];
    __syncthreads();
    const bool begins = t == 0 || all[t] != all[t - 1];
    const unsigned votes = __ballot_sync(~0u, begins);
    if (lane == 0) {
        of_warps[warp] = __popc(votes);
    }
    __syncthreads();
    int run = __popc(votes & ((1u << lane) - 1)), runs = 0;
    for (int w = 0; w < n / 32; w++) {
        run += w < warp ? of_warps[w] : 0;
        runs += of_warps[w];
    }
    if (begins) {
        starts[run] = t;
    }
    if (t == 0) {
        starts[runs] = n;
        *count = runs;
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (begins) {
        letters[run] = all[t];
        lengths[run] = starts[run + 1] - t;
    }
}

// Each thread finds the run of its letter by bisection.
__global__ void decode(const char* letters, const int* ends, int runs, char* text)
{
    int low = 0, high = runs - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ends[middle] > static_cast<int>(threadIdx.x)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    text[threadIdx.x] = letters[low];
}

int main()
{
    std::vector<char> text;
    for (int value : integers(n / 2, 3)) {
        text.insert(text.end(), {static_cast<char>('a' + value), static_cast<char>('a' + value / 2)});
    }
    char *d_text = upload(text), *d_letters = allocate<char>(n), *d_back = allocate<char>(n);
    int *d_lengths = allocate<int>(n), *d_count = allocate<int>(1), count;
    encode<<<1, n>>>(d_text, d_letters, d_lengths, d_count);
    cudaMemcpy(&count, d_count, sizeof(count), cudaMemcpyDeviceToHost);
    std::vector<int> ends(count);
    cudaMemcpy(ends.data(), d_lengths, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 1; i < count; i++) {
        ends[i] += ends[i - 1];
    }
    int* d_ends = upload(ends);
    decode<<<1, n>>>(d_letters, d_ends, count, d_back);
    for (int* pointer : {d_lengths, d_count, d_ends}) {
        cudaFree(pointer);
    }
    cudaFree(d_text);
    cudaFree(d_letters);
    const int failures = differs("text", download(d_back, n), text);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
