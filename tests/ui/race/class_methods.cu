// verdict: race
// race: lines 15 and 20, variable pixels, global
// Horizontal blur of an image through the methods of a small class.
// The blur works in place: load reads pixels that other threads store.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

class Image {
public:
    __host__ __device__ Image(int* data, int columns) : pixels(data), width(columns) {}

    __device__ int load(int x, int y) const
    {
        return pixels[y * width + x];
    }

    __device__ void store(int x, int y, int value)
    {
        pixels[y * width + x] = value;
    }

private:
    int* pixels;
    int width;
};

__global__ void blur(Image image, int width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1) {
        image.store(x, y, (image.load(x - 1, y) + image.load(x + 1, y)) / 2);
    }
}

int main()
{
    const int width = 90, height = 16, n = width * height;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 5) % 256;
    }
    int* d_pixels;
    cudaMalloc(&d_pixels, n * sizeof(int));
    cudaMemcpy(d_pixels, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    const dim3 block(32, 4);
    const dim3 grid((width + 31) / 32, height / 4);
    blur<<<grid, block>>>(Image(d_pixels, width), width);
    cudaMemcpy(out.data(), d_pixels, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_pixels);
    printf("blurred %d pixels\n", n);
    return 0;
}
