// verdict: race
// race: lines 17 and 22, variable pixels, global
// repaired: clean
// Horizontal blur of an image through the methods of a small class.
// The blur works in place: load reads pixels that other threads store.
// Repaired: the blur loads from one image and stores to another.
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

#ifdef REPAIRED
__global__ void blur(Image in, Image image, int width)
#else
__global__ void blur(Image image, int width)
#endif
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1) {
#ifdef REPAIRED
        image.store(x, y, (in.load(x - 1, y) + in.load(x + 1, y)) / 2);
#else
        image.store(x, y, (image.load(x - 1, y) + image.load(x + 1, y)) / 2);
#endif
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
#ifdef REPAIRED
    int* d_in;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
#endif
    const dim3 block(32, 4);
    const dim3 grid((width + 31) / 32, height / 4);
#ifdef REPAIRED
    blur<<<grid, block>>>(Image(d_in, width), Image(d_pixels, width), width);
#else
    blur<<<grid, block>>>(Image(d_pixels, width), width);
#endif
    cudaMemcpy(out.data(), d_pixels, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_pixels);
#ifdef REPAIRED
    cudaFree(d_in);
    for (int i = 0; i < n; i++) {
        const int x = i % width;
        const int expected = x > 0 && x < width - 1 ? (in[i - 1] + in[i + 1]) / 2 : in[i];
        if (out[i] != expected) {
            fprintf(stderr, "wrong pixel %d\n", i);
            return 1;
        }
    }
#endif
    printf("blurred %d pixels\n", n);
    return 0;
}
