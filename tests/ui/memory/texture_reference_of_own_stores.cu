// verdict: race
// race: lines 20 and 25, variable levels, global
// repaired: clean
// nvcc: none
// Texture references, which CUDA 12 removed: of linear memory, pitched memory and an array. Each thread stores a level,
// and after a barrier the block looks the levels up through a reference that is bound to the same memory. The texture's
// cache does not see the stores.
// Repaired: the lookup is a launch of its own.
#include <cstdio>
#include <cuda_runtime.h>

const int count = 64, width = 8;

texture<unsigned char, cudaTextureType1D, cudaReadModeElementType> levels;
texture<uchar2, cudaTextureType2D, cudaReadModeNormalizedFloat> pairs;
static texture<float, 2> weights;
surface<void, 2> plane;

__device__ void store(unsigned char* data, const unsigned char* in) {
    data[threadIdx.x] = in[threadIdx.x] / 2;
}

__device__ void look_up(float* out) {
    const int t = threadIdx.x, x = t % width, y = t / width;
    const float level = tex1Dfetch(levels, (t + 1) % count);
    const float2 pair = tex2D(pairs, x + 0.5f, y + 0.5f);
    out[t] = level + pair.x + pair.y + tex2D(weights, (x + 0.5f) / width, (y + 0.5f) / width);
}

#ifdef REPAIRED
__global__ void halve(unsigned char* data, const unsigned char* in) { store(data, in); }
__global__ void shift(float* out) { look_up(out); }
#else
__global__ void halve_and_shift(unsigned char* data, const unsigned char* in, float* out) {
    store(data, in);
    __syncthreads();
    look_up(out);
}
#endif

__global__ void fill() {
    surf2Dwrite(0.25f, plane, (threadIdx.x % width) * int(sizeof(float)), threadIdx.x / width);
}

int main() {
    unsigned char *data, *in;
    uchar2* rows;
    float* out;
    size_t pitch, offset = 1;
    cudaMalloc(&data, count);
    cudaMalloc(&in, count);
    cudaMalloc(&out, count * sizeof(float));
    cudaMallocPitch(&rows, &pitch, width * sizeof(uchar2), width);
    cudaMemset(data, 0, count);
    cudaMemset(in, 100, count);
    cudaMemset2D(rows, pitch, 51, width * sizeof(uchar2), width);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, width, width, cudaArraySurfaceLoadStore);
    cudaBindSurfaceToArray(plane, array);
    fill<<<1, count>>>();

    cudaBindTexture(&offset, levels, data);
    cudaBindTexture2D(nullptr, pairs, rows, width, width, pitch);
    weights.normalized = true;
    weights.filterMode = cudaFilterModeLinear;
    weights.addressMode[0] = weights.addressMode[1] = cudaAddressModeWrap;
    const textureReference* reference;
    cudaGetTextureReference(&reference, &weights);
    cudaBindTextureToArray(reference, array, &format);
#ifdef REPAIRED
    halve<<<1, count>>>(data, in);
    shift<<<1, count>>>(out);
#else
    halve_and_shift<<<1, count>>>(data, in, out);
#endif
    float results[count];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    int wrong = offset != 0;
    for (float result : results) wrong += result < 50.649f || result > 50.651f;
    std::printf("%d wrong\n", wrong);
    cudaUnbindTexture(levels);
    cudaUnbindTexture(pairs);
    cudaUnbindTexture(weights);
    cudaFreeArray(array);
    cudaFree(rows);
    cudaFree(data);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
