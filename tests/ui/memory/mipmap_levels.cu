// verdict: race
// race-any: lines 19 and 20, variable pyramid, global
// race-any: lines 19 and 20, variable levels, global
// repaired: clean
// The levels of a mipmapped array, each made from the one above by surface writes. One launch makes
// two levels: a block fetches from the finer one what other blocks have yet to write.
// Repaired: a launch for each level.
#include <cstdio>
#include <cuda_runtime.h>

struct Surfaces { cudaSurfaceObject_t of[3]; };

__global__ void halve(cudaTextureObject_t pyramid, Surfaces levels, int first, int count, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int level = first; level < first + count; ++level) {
        int size = width >> level;
        if (x >= size) break;
        float texel = tex2DLod<float>(pyramid, (x + 0.5f) / size, 0.5f, level - 1);
        surf2Dwrite(texel * 0.5f, levels.of[level], x * 4, 0);
    }
}

int main()
{
    const int width = 256;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    cudaMallocMipmappedArray(&array, &format, make_cudaExtent(width, 1, 0), 3, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.normalizedCoords = 1;
    sampling.maxMipmapLevelClamp = 2;
    cudaTextureObject_t pyramid;
    cudaCreateTextureObject(&pyramid, &resource, &sampling, nullptr);
    Surfaces surfaces;
    cudaArray_t levels[3];
    for (int level = 0; level < 3; ++level) {
        cudaGetMipmappedArrayLevel(&levels[level], array, level);
        cudaResourceDesc one = {};
        one.resType = cudaResourceTypeArray;
        one.res.array.array = levels[level];
        cudaCreateSurfaceObject(&surfaces.of[level], &one);
    }
    float texels[width] = {};
    cudaMemcpy2DToArray(levels[1], 0, 0, texels, 512, 512, 1, cudaMemcpyHostToDevice);
    for (int x = 0; x < width; ++x) texels[x] = x;
    cudaMemcpy2DToArray(levels[0], 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    halve<<<4, 32>>>(pyramid, surfaces, 1, 1, width);
    halve<<<2, 32>>>(pyramid, surfaces, 2, 1, width);
#else
    halve<<<4, 32>>>(pyramid, surfaces, 1, 2, width);
#endif
    cudaMemcpy2DFromArray(texels, sizeof texels, levels[2], 0, 0, 16, 1, cudaMemcpyDeviceToHost);
    printf("%g\n", texels[3]);
}
