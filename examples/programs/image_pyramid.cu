// A Laplacian pyramid of a colour image, through texture objects.
//
//   image_pyramid [width] [height] [levels]
//
// The image is fetched from pitched memory as normalised bytes. Each level is the one
// before, smoothed and halved: fetched by points from pitched memory, with its border
// repeated. A detail image is the difference between a level and the next one, enlarged by
// linear filtering from a CUDA array. The sums of all differences restore the image.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_SAFE(call)                                                                 \
  do {                                                                                  \
    cudaError_t e = call;                                                               \
    if (e != cudaSuccess) {                                                             \
      std::fprintf(stderr, "image_pyramid.cu:%d: %s\n", __LINE__, cudaGetErrorString(e)); \
      std::exit(2);                                                                     \
    }                                                                                   \
  } while (0)

constexpr int block_x = 16, block_y = 8;

__host__ __device__ inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__host__ __device__ inline float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__host__ __device__ inline float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }

// 1 4 6 4 1, divided by 16.
__host__ __device__ inline float weight(int k) { return k == 0 ? 0.375f : k == 1 || k == -1 ? 0.25f : 0.0625f; }

// An image in pitched device memory, with a texture that fetches its points.
struct Image {
  int width = 0, height = 0;
  float4* data = nullptr;
  size_t pitch = 0;
  cudaTextureObject_t texture = 0;

  __device__ float4* row(int y) const { return reinterpret_cast<float4*>(reinterpret_cast<char*>(data) + y * pitch); }
};

static cudaTextureDesc sampling(cudaTextureFilterMode filter, cudaTextureReadMode read) {
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = filter == cudaFilterModeLinear;
  return description;
}

static Image make_image(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  CUDA_SAFE(cudaMallocPitch(&image.data, &image.pitch, width * sizeof(float4), height));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = image.data;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = image.pitch;
  const cudaTextureDesc description = sampling(cudaFilterModePoint, cudaReadModeElementType);
  CUDA_SAFE(cudaCreateTextureObject(&image.texture, &resource, &description, nullptr));
  return image;
}

static void destroy(Image& image) {
  CUDA_SAFE(cudaDestroyTextureObject(image.texture));
  CUDA_SAFE(cudaFree(image.data));
}

// Bytes to floats; the texture normalises them to 0 to 1.
__global__ void unpack(cudaTextureObject_t bytes, Image out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < out.width && y < out.height) out.row(y)[x] = tex2D<float4>(bytes, x + 0.5f, y + 0.5f);
}

// A tile of the halved image needs a larger part of the whole one: smoothed along the rows
// first, into shared memory, and from there along the columns.
__global__ void halve(cudaTextureObject_t in, Image out) {
  __shared__ float4 smooth_rows[2 * block_y + 3][block_x];
  const int x = blockIdx.x * block_x + threadIdx.x;
  const int first = 2 * blockIdx.y * block_y - 2;
  for (int r = threadIdx.y; r < 2 * block_y + 3; r += block_y) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = -2; k <= 2; ++k) sum = sum + weight(k) * tex2D<float4>(in, 2 * x + k + 0.5f, first + r + 0.5f);
    smooth_rows[r][threadIdx.x] = sum;
  }
#ifndef RACE
  __syncthreads();
#endif
  const int y = blockIdx.y * block_y + threadIdx.y;
  if (x >= out.width || y >= out.height) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = -2; k <= 2; ++k) sum = sum + weight(k) * smooth_rows[2 * threadIdx.y + 2 + k][threadIdx.x];
  out.row(y)[x] = sum;
}

// The difference between `fine` and the enlarged `coarse`.
__global__ void difference(cudaTextureObject_t coarse, Image fine, Image out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= fine.width || y >= fine.height) return;
  const float4 enlarged = tex2D<float4>(coarse, (x + 0.5f) / fine.width, (y + 0.5f) / fine.height);
  out.row(y)[x] = tex2D<float4>(fine.texture, x + 0.5f, y + 0.5f) - enlarged;
}

// The inverse, in place: turns `detail` back into the level.
__global__ void restore(cudaTextureObject_t coarse, Image detail) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= detail.width || y >= detail.height) return;
  float4& pixel = detail.row(y)[x];
  pixel = pixel + tex2D<float4>(coarse, (x + 0.5f) / detail.width, (y + 0.5f) / detail.height);
}

static dim3 grid_for(const Image& image) {
  return dim3((image.width + block_x - 1) / block_x, (image.height + block_y - 1) / block_y);
}

// A copy of an image in an array, from which textures can interpolate.
class Enlargeable {
 public:
  explicit Enlargeable(const Image& image) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    CUDA_SAFE(cudaMallocArray(&array_, &format, image.width, image.height));
    CUDA_SAFE(cudaMemcpy2DToArray(array_, 0, 0, image.data, image.pitch, image.width * sizeof(float4), image.height,
                                  cudaMemcpyDeviceToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    const cudaTextureDesc description = sampling(cudaFilterModeLinear, cudaReadModeElementType);
    CUDA_SAFE(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  ~Enlargeable() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
  }
  Enlargeable(const Enlargeable&) = delete;
  Enlargeable& operator=(const Enlargeable&) = delete;

  cudaTextureObject_t texture() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

static std::vector<float4> to_host(const Image& image) {
  std::vector<float4> host(image.width * image.height);
  CUDA_SAFE(cudaMemcpy2D(host.data(), image.width * sizeof(float4), image.data, image.pitch, image.width * sizeof(float4), image.height,
                         cudaMemcpyDeviceToHost));
  return host;
}

static std::vector<float4> halved_on_host(const std::vector<float4>& in, int width, int height) {
  auto at = [&](int x, int y) {
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return in[y * width + x];
  };
  std::vector<float4> out;
  for (int y = 0; y < height / 2; ++y) {
    for (int x = 0; x < width / 2; ++x) {
      float4 sum = make_float4(0, 0, 0, 0);
      for (int j = -2; j <= 2; ++j) {
        for (int i = -2; i <= 2; ++i) sum = sum + weight(i) * weight(j) * at(2 * x + i, 2 * y + j);
      }
      out.push_back(sum);
    }
  }
  return out;
}

static float distance(const std::vector<float4>& a, const std::vector<float4>& b) {
  float largest = a.size() == b.size() ? 0.0f : INFINITY;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const float4 d = a[i] - b[i];
    largest = std::fmax(largest, std::fmax(std::fmax(std::fabs(d.x), std::fabs(d.y)), std::fmax(std::fabs(d.z), std::fabs(d.w))));
  }
  return largest;
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 96;
  const int height = argc > 2 ? std::atoi(argv[2]) : 64;
  const int levels = argc > 3 ? std::atoi(argv[3]) : 4;
  if (levels < 1 || width >> (levels - 1) < 2 || height >> (levels - 1) < 2) {
    std::fprintf(stderr, "usage: image_pyramid [width] [height] [levels], the smallest level of at least 2 x 2\n");
    return 2;
  }

  // The image, as bytes in pitched memory.
  std::vector<uchar4> bytes(width * height);
  std::vector<float4> expected;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const unsigned char r = 255 * x / width, g = (x ^ y) & 0xff, b = (x / 9 + y / 7) % 2 ? 250 : 20;
      bytes[y * width + x] = make_uchar4(r, g, b, 255);
      expected.push_back(make_float4(r / 255.0f, g / 255.0f, b / 255.0f, 1.0f));
    }
  }
  uchar4* d_bytes;
  size_t pitch;
  CUDA_SAFE(cudaMallocPitch(&d_bytes, &pitch, width * sizeof(uchar4), height));
  CUDA_SAFE(cudaMemcpy2D(d_bytes, pitch, bytes.data(), width * sizeof(uchar4), width * sizeof(uchar4), height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = d_bytes;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureDesc description = sampling(cudaFilterModePoint, cudaReadModeNormalizedFloat);
  cudaTextureObject_t source;
  CUDA_SAFE(cudaCreateTextureObject(&source, &resource, &description, nullptr));

  cudaEvent_t start, stop;
  CUDA_SAFE(cudaEventCreate(&start));
  CUDA_SAFE(cudaEventCreate(&stop));
  CUDA_SAFE(cudaEventRecord(start));
  const dim3 block(block_x, block_y);
  std::vector<Image> level, detail;
  for (int l = 0; l < levels; ++l) level.push_back(make_image(width >> l, height >> l));
  unpack<<<grid_for(level[0]), block>>>(source, level[0]);
  for (int l = 1; l < levels; ++l) halve<<<grid_for(level[l]), block>>>(level[l - 1].texture, level[l]);
  CUDA_SAFE(cudaGetLastError());
  for (int l = 0; l + 1 < levels; ++l) {
    detail.push_back(make_image(width >> l, height >> l));
    const Enlargeable coarse(level[l + 1]);
    difference<<<grid_for(level[l]), block>>>(coarse.texture(), level[l], detail[l]);
    CUDA_SAFE(cudaDeviceSynchronize());
  }
  detail.push_back(level.back());  // the smallest level is kept unchanged
  for (int l = levels - 2; l >= 0; --l) {
    const Enlargeable coarse(detail[l + 1]);
    restore<<<grid_for(detail[l]), block>>>(coarse.texture(), detail[l]);
    CUDA_SAFE(cudaDeviceSynchronize());
  }
  CUDA_SAFE(cudaEventRecord(stop));
  CUDA_SAFE(cudaEventSynchronize(stop));
  float milliseconds;
  CUDA_SAFE(cudaEventElapsedTime(&milliseconds, start, stop));
  std::printf("%d levels of a %d x %d image: %.2f ms\n", levels, width, height, milliseconds);

  int wrong = 0;
  const std::vector<float4> image = expected;
  for (int l = 0; l < levels; ++l) {
    if (l > 0) expected = halved_on_host(expected, width >> (l - 1), height >> (l - 1));
    const float error = distance(to_host(level[l]), expected);
    if (!(error < 1e-5f)) {
      std::fprintf(stderr, "level %d is wrong by %g\n", l, error);
      ++wrong;
    }
  }
  const float error = distance(to_host(detail[0]), image);
  if (!(error < 1e-5f)) {
    std::fprintf(stderr, "the restored image is wrong by %g\n", error);
    ++wrong;
  }
  // Interpolated differences vary less than the levels: most of a detail image is near zero.
  double sum = 0.0;
  for (const float4& p : to_host(detail.back())) sum += p.x + p.y + p.z;
  if (!(sum > 0.0)) ++wrong;

  CUDA_SAFE(cudaEventDestroy(start));
  CUDA_SAFE(cudaEventDestroy(stop));
  CUDA_SAFE(cudaDestroyTextureObject(source));
  CUDA_SAFE(cudaFree(d_bytes));
  detail.pop_back();
  for (Image& i : level) destroy(i);
  for (Image& i : detail) destroy(i);
  std::printf("image_pyramid: %s\n", wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
