// verdict: race
// repaired: clean
// race: lines 15 and 20, variable row, shared
// race-also: lines 16 and 21, variable rows, shared
//
// Pointers in memory, which one thread writes and all read: `__restrict__` is no part of what a pointer is.
// Repaired: a barrier comes between.
struct Rows {
    float* __restrict__ out;
    int count;
};

__global__ void fill(float* cells) {
    __shared__ const float* __restrict__ row; __shared__ Rows rows;
    if (threadIdx.x == 0) row = cells;
    if (threadIdx.x == 0) rows.out = cells + 64;
#ifdef REPAIRED
    __syncthreads();
#endif
    const float value = row[threadIdx.x];
    rows.out[threadIdx.x] = value;
}

int main() {
    float* cells;
    cudaMalloc(&cells, 128 * sizeof(float));
    cudaMemset(cells, 0, 128 * sizeof(float));
    fill<<<1, 64>>>(cells);
    cudaDeviceSynchronize();
}
