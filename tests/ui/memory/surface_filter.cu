// verdict: race
// race-any: lines 15 and 16, variable out, global
// race-any: lines 15 and 16, variable in, global
// repaired: clean
// A row filter that fetches from an array by texture and writes the same array by surface.
// Repaired: the filter writes another array.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void smooth(cudaTextureObject_t in, cudaSurfaceObject_t out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float left = tex2D<float>(in, x - 0.5f, y + 0.5f), right = tex2D<float>(in, x + 1.5f, y + 0.5f);
    surf2Dwrite((left + right) / 2, out, x * (int)sizeof(float), y);
}

cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

int main()
{
    const int width = 48, height = 16;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t image = nullptr, smoothed = nullptr;
    cudaMallocArray(&image, &format, width, height, cudaArraySurfaceLoadStore);
    cudaMallocArray(&smoothed, &format, width, height, cudaArraySurfaceLoadStore);
    static float pixels[height][width];
    for (int i = 0; i < width * height; ++i) pixels[i / width][i % width] = i % 7;
    cudaMemcpy2DToArray(image, 0, 0, pixels, sizeof pixels[0], sizeof pixels[0], height, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    cudaResourceDesc from = resource_of(image), to = resource_of(smoothed);
#else
    cudaResourceDesc from = resource_of(image), to = resource_of(image);
#endif
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t in = 0;
    cudaSurfaceObject_t out = 0;
    cudaCreateTextureObject(&in, &from, &sampling, nullptr);
    cudaCreateSurfaceObject(&out, &to);
    smooth<<<dim3(3, 2), dim3(16, 8)>>>(in, out, width, height);
#ifdef REPAIRED
    cudaMemcpy2DFromArray(pixels, sizeof pixels[0], smoothed, 0, 0, sizeof pixels[0], height, cudaMemcpyDeviceToHost);
#else
    cudaMemcpy2DFromArray(pixels, sizeof pixels[0], image, 0, 0, sizeof pixels[0], height, cudaMemcpyDeviceToHost);
#endif
    std::printf("%g\n", pixels[3][3]);
    cudaDestroyTextureObject(in);
    cudaDestroySurfaceObject(out);
    cudaFreeArray(image);
    cudaFreeArray(smoothed);
    return 0;
}
