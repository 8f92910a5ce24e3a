// verdict: race
// race: lines 28 and 30, variable s_flags, shared
// repaired: clean
// Threads set different bit-fields of one object: fields side by side share memory, and
// storing one stores the other as well.
// Repaired: an empty bit-field keeps the two apart.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

enum Mark { none, seen };

struct Flags {
    int owner;
    unsigned first : 3;
    Mark mark : 2;
#ifdef REPAIRED
    unsigned : 0;
#endif
    bool second : 1;
};

__global__ void set(const float* in, float* out, int n)
{
    __shared__ Flags s_flags[256];
    const int t = threadIdx.x;
    if (t % 2 == 0) {
        s_flags[t / 2].first = t % 8;
    } else {
        s_flags[t / 2].second = in[t] < 1.0f;
    }
    __syncthreads();
    out[t] = s_flags[t / 2].first + s_flags[t / 2].second;
}

int main()
{
    const int n = 256;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_in, 0, n * sizeof(float));
    cudaMemset(d_out, 0, n * sizeof(float));
    set<<<1, n>>>(d_in, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
