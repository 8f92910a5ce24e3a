// verdict: race
// race-any: lines 16 and 17, variable out, global
// race-any: lines 16 and 17, variable level, global
// repaired: clean
// A texture pyramid in linear memory: every level halves the one before. The texture
// reads the very rows that the kernel writes.
// Repaired: the texture reads the rows of the level before.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void halve(cudaTextureObject_t level, uchar4* out, int pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float4 texel = tex2D<float4>(level, 2 * x + 1.0f, 2 * y + 1.0f);
        out[y * pitch + x] = make_uchar4(255 * texel.x, 255 * texel.y, 255 * texel.z, 255 * texel.w);
    }
}

cudaTextureObject_t texture_of(uchar4* rows, size_t pitch, int width, int height)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &sampling, nullptr);
    return texture;
}

int main()
{
    int width = 64, height = 32;
    size_t pitch = 0;
    uchar4* level = nullptr;
    cudaMallocPitch(&level, &pitch, width * sizeof(uchar4), height);
    cudaMemset2D(level, pitch, 200, width * sizeof(uchar4), height);
    while (width > 1 && height > 1) {
#ifdef REPAIRED
        uchar4* next = nullptr;
        cudaMallocPitch(&next, &pitch, width * sizeof(uchar4), height);
#else
        uchar4* next = level;
#endif
        cudaTextureObject_t texture = texture_of(level, pitch, width, height);
        width /= 2;
        height /= 2;
        halve<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(texture, next, pitch / sizeof(uchar4), width, height);
        cudaDestroyTextureObject(texture);
        level = next;
    }
    uchar4 last[2];
    cudaMemcpy2D(last, sizeof last, level, pitch, width * sizeof(uchar4), height, cudaMemcpyDeviceToHost);
    std::printf("last %d\n", last[0].x);
    return 0;
}
