// verdict: race
// race: lines 20 and 22, variable image, global
// repaired: clean
// Each thread brightens a pixel of its own in an array of bytes, by a surface read and a surface write, and then
// reads its own pixel back to compare it with a limit. A surface read does not see what its launch has written,
// not even what its own thread has.
// Repaired: the new value stays in a variable.
#include <cstdio>
#include <cuda_runtime.h>

const int width = 32, height = 8;

__global__ void brighten(cudaSurfaceObject_t image, int* bright)
{
    int x = threadIdx.x, y = threadIdx.y;
    unsigned char pixel;
    surf2Dread(&pixel, image, x, y);
    unsigned char brighter = pixel + 40;
    // A write after a read of the same pixel is allowed.
    surf2Dwrite(brighter, image, x, y);
#ifndef REPAIRED
    brighter = surf2Dread<unsigned char>(image, x, y);
#endif
    if (brighter > 100) atomicAdd(bright, 1);
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
    static unsigned char pixels[height][width];
    for (int i = 0; i < width * height; ++i) pixels[i / width][i % width] = i % 128;
    cudaMemcpy2DToArray(array, 0, 0, pixels, width, width, height, cudaMemcpyHostToDevice);
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeArray;
    memory.res.array.array = array;
    cudaSurfaceObject_t image = 0;
    cudaCreateSurfaceObject(&image, &memory);
    int* bright;
    cudaMalloc(&bright, sizeof *bright);
    cudaMemset(bright, 0, sizeof *bright);
    brighten<<<1, dim3(width, height)>>>(image, bright);
    int found = 0;
    cudaMemcpy(&found, bright, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("%d bright\n", found);
    cudaDestroySurfaceObject(image);
    cudaFreeArray(array);
    cudaFree(bright);
    return found != 2 * 67;
}
