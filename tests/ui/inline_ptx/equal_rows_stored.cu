// verdict: race
// repaired: clean
// race: lines 23 and 23, variable place, shared
//
// stmatrix writes two rows in turn to one place. Both have the same values, which the report says.
// Repaired: each row has a place of its own.
#ifdef REPAIRED
#define PLACES 8
#else
#define PLACES 4
#endif

__global__ void store(unsigned* out)
{
    __shared__ alignas(16) unsigned tile[32];
    const int lane = threadIdx.x;
    tile[lane] = 0;
    __syncthreads();
    // Rows r and r + 4 are equal: lanes 4r to 4r + 3 have row r.
    const unsigned pair = 0x00010001u * (lane / 4 % 4);
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * (lane % PLACES)]));
    // Only lanes 0 to 7 name places.
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(place), "r"(pair) : "memory");
    __syncthreads();
    out[lane] = tile[lane];
}

int main()
{
    unsigned* out;
    cudaMalloc(&out, 32 * sizeof(unsigned));
    store<<<1, 32>>>(out);
    unsigned last[32];
    cudaMemcpy(last, out, sizeof last, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        if (last[i] != 0x00010001u * (i / 4)) return 1;
    cudaFree(out);
}
