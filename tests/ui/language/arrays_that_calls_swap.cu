// verdict: race
// repaired: clean
// race: lines 17 and 17, variable to, global
// race-also: lines 29 and 30, variable rest, global
// race-also: lines 35 and 36, variable own, global
//
// The parameters of a kernel name the arrays, whatever its functions call them: `a` and `b` come from one line. Where
// several parameters lead to one allocation, as `whole` and `half`, or `first` and `table`, an access keeps its own name.
#ifdef REPAIRED
#define BARRIER() __syncthreads()
#else
#define BARRIER()
#endif

__device__ void step(float* __restrict__ to, const float* from, int t)
{
    to[t] = from[(t + 40) % 128];
}

__global__ void iterate(float* __restrict__ a, float* b) {
    for (int i = 0; i < 3; ++i) {
        step(b, a, threadIdx.x); __syncthreads();
        step(a, b, threadIdx.x); BARRIER();
    }
}

__global__ void halves(const int* whole, int* half) {
    int* const rest = half;
    rest[threadIdx.x] += 1;
    BARRIER(); rest[128 + threadIdx.x] += rest[(threadIdx.x + 40) % 128] + whole[threadIdx.x];
}

struct Table { int* cells; };
__global__ void members(int* first, Table table) {
    int* const own = table.cells; own[threadIdx.x] = threadIdx.x; BARRIER();
    first[threadIdx.x] = own[(threadIdx.x + 40) % 128];
}

int main() {
    float *a, *b;
    cudaMalloc(&a, 128 * sizeof(float)); cudaMalloc(&b, 128 * sizeof(float));
    cudaMemset(a, 0, 128 * sizeof(float)); cudaMemset(b, 0, 128 * sizeof(float));
    iterate<<<1, 128>>>(a, b);
    int* all;
    cudaMalloc(&all, 512 * sizeof(int));
    cudaMemset(all, 0, 512 * sizeof(int));
    halves<<<1, 128>>>(all, all + 256);
    members<<<1, 128>>>(all, {all + 256});
    cudaDeviceSynchronize();
}
