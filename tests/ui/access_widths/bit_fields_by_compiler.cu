// verdict: race
// race: lines 43 and 45, variable s_marks, shared
// repaired: clean
// Threads set different bit-fields of one object. An empty bit-field would keep the two apart, but it stands in a
// branch for another compiler; and so do a member between them, and a bit-field beside them.
// Repaired: the empty bit-field stands in the branch for this compiler, and so does a member of another object.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Marks {
    unsigned first : 3;
#ifndef REPAIRED
#ifdef _MSC_VER
    unsigned : 0;
    int between;
#endif
#else
#ifndef _MSC_VER
    unsigned : 0;
#endif
#endif
    unsigned second : 3;
#ifdef _MSC_VER
    unsigned third : 3;
#endif
};

struct Ends {
    unsigned low : 4;
#ifndef _MSC_VER
    unsigned char between;
#endif
    unsigned high : 4;
};

__global__ void set(const float* in, float* out)
{
    __shared__ Marks s_marks[128];
    __shared__ Ends s_ends[128];
    const int t = threadIdx.x;
    if (t % 2 == 0) {
        s_marks[t / 2].first = t % 8;
    } else {
        s_marks[t / 2].second = in[t] < 1.0f;
    }
    if (t % 2 == 0) {
        s_ends[t / 2].low = t % 16;
    } else {
        s_ends[t / 2].high = in[t] < 1.0f;
    }
    __syncthreads();
    out[t] = s_marks[t / 2].first + s_marks[t / 2].second + s_ends[t / 2].low + s_ends[t / 2].high;
}

int main()
{
    const int n = 256;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_in, 0, n * sizeof(float));
    cudaMemset(d_out, 0, n * sizeof(float));
    set<<<1, n>>>(d_in, d_out);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
