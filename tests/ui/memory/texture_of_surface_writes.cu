// verdict: race
// race: lines 15 and 21, variable fetched, global
// repaired: clean
// A heat step in an array: a block writes all cells through a surface, waits at a barrier, and fetches them with
// interpolation through a texture of the same array. The fetch may find the cells from before.
// Repaired: two launches.
#include <cstdio>
#include <cuda_runtime.h>

const int width = 16, height = 16;

__device__ void heat(cudaSurfaceObject_t cells)
{
    float value = threadIdx.x;
    surf2Dwrite(value, cells, threadIdx.x * (int)sizeof(float), threadIdx.y);
}

__device__ void smooth(cudaTextureObject_t fetched, float* out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * width + x] = tex2D<float>(fetched, x + 1.0f, y + 0.5f);
}

__global__ void first(cudaSurfaceObject_t cells)
{
    heat(cells);
}

__global__ void second(cudaTextureObject_t fetched, float* out)
{
    smooth(fetched, out);
}

__global__ void both(cudaSurfaceObject_t cells, cudaTextureObject_t fetched, float* out)
{
    heat(cells);
    __syncthreads();
    smooth(fetched, out);
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeArray;
    memory.res.array.array = array;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModeLinear;
    cudaSurfaceObject_t cells = 0;
    cudaTextureObject_t fetched = 0;
    cudaCreateSurfaceObject(&cells, &memory);
    cudaCreateTextureObject(&fetched, &memory, &sampling, nullptr);
    float* out;
    cudaMalloc(&out, width * height * sizeof(float));
#ifdef REPAIRED
    first<<<1, dim3(width, height)>>>(cells);
    second<<<1, dim3(width, height)>>>(fetched, out);
#else
    both<<<1, dim3(width, height)>>>(cells, fetched, out);
#endif
    static float results[height][width];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    bool wrong = false;
    for (int x = 0; x < width; ++x) wrong = wrong || results[3][x] != (x + 1 < width ? x + 0.5f : x);
    std::printf("%g %g\n", results[3][3], results[3][width - 1]);
    cudaDestroySurfaceObject(cells);
    cudaDestroyTextureObject(fetched);
    cudaFreeArray(array);
    cudaFree(out);
    return wrong;
}
