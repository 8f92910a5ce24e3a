// verdict: fault
// repaired: clean
// fault: HF001, line 19, thread 4
//
// An index beyond an array that is a member of an object in constant memory.
// Repaired: the last threads read the last element.
#ifdef REPAIRED
#define LAST 3
#else
#define LAST 7
#endif

struct Filter { int order; float taps[4]; };
__constant__ Filter filter;

__global__ void apply(float* out)
{
    const int tap = threadIdx.x < LAST ? threadIdx.x : LAST;
    out[threadIdx.x] = filter.taps[tap] * filter.order;
}

int main() {
    const Filter smooth = {4, {1, 2, 2, 1}};
    float* out;
    cudaMalloc(&out, 8 * sizeof(float));
    cudaMemcpyToSymbol(filter, &smooth, sizeof smooth);
    apply<<<1, 8>>>(out);
    cudaDeviceSynchronize();
}
