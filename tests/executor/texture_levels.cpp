//! run -> 0
// Mipmapped arrays, cube maps, and the four texels around a place.
#include <cuda_runtime.h>

#include <cmath>

#include "check.h"

#define OK(call) CHECK((call) == cudaSuccess)
#define ERROR_IS(call, error) CHECK((call) == error && cudaGetLastError() == error)

cudaTextureDesc sampling(cudaTextureFilterMode filter) {
  cudaTextureDesc made{};
  for (cudaTextureAddressMode& mode : made.addressMode) mode = cudaAddressModeClamp;
  made.filterMode = filter;
  made.normalizedCoords = 1;
  made.maxMipmapLevelClamp = 100;
  return made;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const cudaTextureDesc& how) {
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

// The result that one thread of a kernel computes.
template <class Fetch>
auto in_kernel(Fetch fetch) {
  using T = decltype(fetch());
  T* out = managed<T>(1);
  launch("fetch", 1, 1, 0, [=] { *out = fetch(); });
  const T found = *out;
  OK(cudaFree(out));
  return found;
}

// Level i of an 8 x 4 array holds the number i everywhere.
void test_levels() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t pyramid = nullptr;
  OK(cudaMallocMipmappedArray(&pyramid, &format, make_cudaExtent(8, 4, 0), 9));
  const std::size_t widths[] = {8, 4, 2, 1}, heights[] = {4, 2, 1, 1};
  cudaArray_t level = nullptr;
  for (unsigned int i = 0; i < 4; ++i) {
    OK(cudaGetMipmappedArrayLevel(&level, pyramid, i));
    cudaExtent extent{};
    OK(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
    CHECK(extent.width == widths[i] && extent.height == heights[i]);
    float texels[8 * 4];
    for (float& texel : texels) texel = static_cast<float>(i);
    OK(cudaMemcpy2DToArray(level, 0, 0, texels, widths[i] * 4, widths[i] * 4, heights[i], cudaMemcpyHostToDevice));
  }
  ERROR_IS(cudaGetMipmappedArrayLevel(&level, pyramid, 4), cudaErrorInvalidValue);

  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = pyramid;
  cudaTextureDesc how = sampling(cudaFilterModePoint);
  const auto nearest = texture_of(resource, how);
  const auto at = [](cudaTextureObject_t t, float lod) { return in_kernel([=] { return tex2DLod<float>(t, 0.5f, 0.5f, lod); }); };
  CHECK(at(nearest, 0) == 0 && at(nearest, 1.4f) == 1 && at(nearest, 1.6f) == 2 && at(nearest, 50) == 3 && at(nearest, -3) == 0);
  CHECK(in_kernel([=] { return tex2D<float>(nearest, 0.5f, 0.5f); }) == 0);
  // Steps of two texels of level 0, and of eight in one direction only.
  CHECK(in_kernel([=] { return tex2DGrad<float>(nearest, 0.5f, 0.5f, {0.25f, 0}, {0, 0.5f}); }) == 1);
  CHECK(in_kernel([=] { return tex2DGrad<float>(nearest, 0.5f, 0.5f, {1, 0}, {0, 0}); }) == 3);
  how.mipmapFilterMode = cudaFilterModeLinear;
  const auto blended = texture_of(resource, how);
  CHECK(at(blended, 1.25f) == 1.25f && at(blended, 3.5f) == 3);
  how.mipmapLevelBias = 0.5f;
  how.maxMipmapLevelClamp = 2;
  const auto limited = texture_of(resource, how);
  CHECK(at(limited, 0) == 0.5f && at(limited, 3) == 2);

  // A surface of a level writes it.
  cudaMipmappedArray_t written = nullptr;
  OK(cudaMallocMipmappedArray(&written, &format, make_cudaExtent(4, 4, 0), 2, cudaArraySurfaceLoadStore));
  OK(cudaGetMipmappedArrayLevel(&level, written, 1));
  cudaSurfaceObject_t surface = 0;
  const cudaResourceDesc one = resource_of(level);
  OK(cudaCreateSurfaceObject(&surface, &one));
  launch("write", 1, dim3(2, 2), 0, [=] {
    surf2Dwrite(7.0f, surface, static_cast<int>(threadIdx.x * 4), static_cast<int>(threadIdx.y));
  });
  resource.res.mipmap.mipmap = written;
  const auto of_written = texture_of(resource, sampling(cudaFilterModeLinear));
  CHECK(at(of_written, 1) == 7);
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeMipmappedArray(written));
  OK(cudaFreeMipmappedArray(pyramid));
}

// Face f of cube c holds the number 10 c + f.
void test_cubes() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t cubes = nullptr;
  ERROR_IS(cudaMalloc3DArray(&cubes, &format, make_cudaExtent(4, 2, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  ERROR_IS(cudaMalloc3DArray(&cubes, &format, make_cudaExtent(4, 4, 12), cudaArrayCubemap), cudaErrorInvalidValue);
  OK(cudaMalloc3DArray(&cubes, &format, make_cudaExtent(2, 2, 12), cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore));
  const cudaResourceDesc resource = resource_of(cubes);
  cudaSurfaceObject_t surface = 0;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  launch("write", 12, dim3(2, 2), 0, [=] {
    const int face = static_cast<int>(blockIdx.x), x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    // The right and the lower half are greater.
    const float value = static_cast<float>(10 * (face / 6) + face % 6) + 0.25f * static_cast<float>(x) + 0.5f * static_cast<float>(y);
    surfCubemapLayeredwrite(value, surface, x * 4, y, face);
  });
  CHECK(in_kernel([=] { return surfCubemapLayeredread<float>(surface, 4, 1, 9); }) == 13.75f);
  const auto t = texture_of(resource, sampling(cudaFilterModePoint));
  const auto at = [=](float x, float y, float z, int layer) {
    return in_kernel([=] { return texCubemapLayered<float>(t, x, y, z, layer); });
  };
  // The six axes; ties go to x, then y. Directions near the corners of a face show which way its axes point.
  CHECK(std::floor(at(5, 1, 1, 0)) == 0 && std::floor(at(-5, 1, 1, 0)) == 1 && std::floor(at(1, 5, 1, 1)) == 12);
  CHECK(std::floor(at(1, -5, 1, 0)) == 3 && std::floor(at(0, 0, 5, 0)) == 4 && std::floor(at(0, 0, -5, 1)) == 15);
  CHECK(at(9, -8, -8, 0) == 0.75f && at(9, 8, 8, 0) == 0 && at(-9, 8, 8, 0) == 1.25f && at(8, 9, 8, 0) == 2.75f);
  CHECK(at(8, -9, 8, 0) == 3.25f && at(8, -8, 9, 1) == 14.75f && at(8, -8, -9, 1) == 15.5f);
  CHECK(in_kernel([=] { return texCubemap<float>(t, 0.1f, 0.1f, -1); }) == at(0.1f, 0.1f, -1, 0));
  CHECK(in_kernel([=] { return texCubemapLod<float>(t, 0.1f, 0.1f, -1, 3); }) == at(0.1f, 0.1f, -1, 0));
}

void test_gather() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  cudaArray_t array = nullptr;
  OK(cudaMallocArray(&array, &format, 2, 2, cudaArrayTextureGather));
  const int2 texels[] = {{1, -1}, {2, -2}, {3, -3}, {4, -4}};
  OK(cudaMemcpy2DToArray(array, 0, 0, texels, 2 * sizeof(int2), 2 * sizeof(int2), 2, cudaMemcpyHostToDevice));
  cudaTextureDesc how = sampling(cudaFilterModePoint);
  how.normalizedCoords = 0;
  const auto t = texture_of(resource_of(array), how);
  // Counter-clockwise from the lower left.
  const int4 first = in_kernel([=] { return tex2Dgather<int4>(t, 1, 1); });
  CHECK(first.x == 3 && first.y == 4 && first.z == 2 && first.w == 1);
  const int4 second = in_kernel([=] { int4 got; tex2Dgather(&got, t, 1, 1, 1); return got; });
  CHECK(second.x == -3 && second.y == -4 && second.z == -2 && second.w == -1);
}

int main() {
  test_levels();
  test_cubes();
  test_gather();
}
