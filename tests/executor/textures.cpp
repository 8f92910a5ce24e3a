//! run -> 0
//! run trap -> 1: a surface access at byte 400, row 0, slice 0 is outside the array
//! run destroyed -> 1: object that was destroyed
// Textures and surfaces: addressing, filtering, formats.
#include <cuda_runtime.h>

#include <cmath>
#include <cstring>

#include "check.h"

#define OK(call) CHECK((call) == cudaSuccess)
#define ERROR_IS(call, error) CHECK((call) == error && cudaGetLastError() == error)

cudaTextureDesc sampling(cudaTextureAddressMode address, cudaTextureFilterMode filter, bool normalized,
                         cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc made{};
  for (cudaTextureAddressMode& mode : made.addressMode) mode = address;
  made.filterMode = filter;
  made.readMode = read;
  made.normalizedCoords = normalized ? 1 : 0;
  made.borderColor[0] = 9;
  return made;
}

template <class T>
cudaTextureObject_t linear_texture(const T* memory, std::size_t count, cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<T*>(memory);
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  const cudaTextureDesc how = sampling(cudaAddressModeClamp, cudaFilterModePoint, false, read);
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc& how) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
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

bool near(float a, float b) { return std::fabs(a - b) < 1e-6f; }

void test_linear_memory() {
  float* numbers = managed<float>(8);
  for (int i = 0; i < 8; ++i) numbers[i] = static_cast<float>(i * i);
  const cudaTextureObject_t t = linear_texture(numbers, 8);
  CHECK(in_kernel([=] { return tex1Dfetch<float>(t, 5); }) == 25);
  CHECK(in_kernel([=] { return tex1Dfetch<float>(t, -1) + tex1Dfetch<float>(t, 8); }) == 0);
  float4* vectors = managed<float4>(4);
  vectors[2] = make_float4(1, 2, 3, 4);
  const cudaTextureObject_t v = linear_texture(vectors, 4);
  CHECK(in_kernel([=] { return tex1Dfetch<float4>(v, 2); }).w == 4);
  uchar4* colours = managed<uchar4>(4);
  colours[1] = {0, 51, 255, 1};
  const cudaTextureObject_t raw = linear_texture(colours, 4), scaled = linear_texture(colours, 4, cudaReadModeNormalizedFloat);
  CHECK(in_kernel([=] { return tex1Dfetch<uchar4>(raw, 1); }).y == 51);
  const float4 fraction = in_kernel([=] { return tex1Dfetch<float4>(scaled, 1); });
  CHECK(fraction.x == 0 && near(fraction.y, 0.2f) && fraction.z == 1);
  signed char* bytes = managed<signed char>(4);
  bytes[0] = -128;
  bytes[1] = 127;
  const cudaTextureObject_t s = linear_texture(bytes, 4, cudaReadModeNormalizedFloat);
  CHECK(in_kernel([=] { return tex1Dfetch<float>(s, 0); }) == -1 && in_kernel([=] { return tex1Dfetch<float>(s, 1); }) == 1);
  CHECK(in_kernel([=] { int2 got; tex1Dfetch(&got, linear_texture(reinterpret_cast<int2*>(vectors), 8), 4); return got.x; }) == 0x3f800000);
}

void test_arrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  OK(cudaMallocArray(&array, &format, 4, 2));
  const float texels[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
  OK(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels[0], sizeof texels[0], 2, cudaMemcpyHostToDevice));
  const auto point = texture_of(array, sampling(cudaAddressModeClamp, cudaFilterModePoint, false));
  const auto at = [](cudaTextureObject_t t, float x, float y) { return in_kernel([=] { return tex2D<float>(t, x, y); }); };
  CHECK(at(point, 2.0f, 1.99f) == 12 && at(point, 2.99f, 0) == 2);
  CHECK(at(point, -5, 0.5f) == 0 && at(point, 100, 100) == 13);
  const auto border = texture_of(array, sampling(cudaAddressModeBorder, cudaFilterModePoint, false));
  CHECK(at(border, -0.1f, 0) == 9 && at(border, 3.5f, 1.5f) == 13);
  const auto wrap = texture_of(array, sampling(cudaAddressModeWrap, cudaFilterModePoint, true));
  CHECK(at(wrap, 1.3f, 0) == 1 && at(wrap, -0.2f, 0.6f) == 13);
  const auto mirror = texture_of(array, sampling(cudaAddressModeMirror, cudaFilterModePoint, true));
  CHECK(at(mirror, 1.1f, 0) == 3 && at(mirror, -0.3f, 0) == 1);
  // Half way between centres, on a centre, and a weight in steps of 1/256.
  const auto linear = texture_of(array, sampling(cudaAddressModeClamp, cudaFilterModeLinear, false));
  CHECK(at(linear, 1.0f, 0.5f) == 0.5f && at(linear, 1.5f, 0.5f) == 1 && at(linear, 2.0f, 1.0f) == 6.5f);
  CHECK(at(linear, 1.501f, 0.5f) == 1 && at(linear, 1.503f, 0.5f) == 1 + 1.0f / 256);
  CHECK(at(linear, 0, 0) == 0);
  const auto linear_border = texture_of(array, sampling(cudaAddressModeBorder, cudaFilterModeLinear, false));
  CHECK(at(linear_border, 0, 0.5f) == 4.5f);
  const auto normalized = texture_of(array, sampling(cudaAddressModeClamp, cudaFilterModeLinear, true));
  CHECK(at(normalized, 0.5f, 0.25f) == 1.5f);

  const cudaChannelFormatDesc integers = cudaCreateChannelDesc<int>();
  cudaArray_t whole = nullptr;
  OK(cudaMallocArray(&whole, &integers, 4, 4));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = whole;
  cudaTextureObject_t t = 0;
  cudaTextureDesc how = sampling(cudaAddressModeClamp, cudaFilterModeLinear, false);
  ERROR_IS(cudaCreateTextureObject(&t, &resource, &how, nullptr), cudaErrorInvalidFilterSetting);
  how = sampling(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  ERROR_IS(cudaCreateTextureObject(&t, &resource, &how, nullptr), cudaErrorInvalidNormSetting);
  OK(cudaDestroyTextureObject(point));
  OK(cudaFreeArray(array));
}

void test_volumes() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t volume = nullptr, layers = nullptr;
  const cudaExtent extent = make_cudaExtent(2, 2, 2);
  OK(cudaMalloc3DArray(&volume, &format, extent));
  OK(cudaMalloc3DArray(&layers, &format, extent, cudaArrayLayered));
  float texels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(float), 2, 2);
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  copy.dstArray = volume;
  OK(cudaMemcpy3D(&copy));
  copy.dstArray = layers;
  OK(cudaMemcpy3D(&copy));
  const auto t = texture_of(volume, sampling(cudaAddressModeClamp, cudaFilterModeLinear, false));
  CHECK(in_kernel([=] { return tex3D<float>(t, 1, 1, 1); }) == 3.5f && in_kernel([=] { return tex3D<float>(t, 1.5f, 0.5f, 1.5f); }) == 5);
  const auto l = texture_of(layers, sampling(cudaAddressModeClamp, cudaFilterModeLinear, false));
  CHECK(in_kernel([=] { return tex2DLayered<float>(l, 1, 1, 1); }) == 5.5f);
  CHECK(in_kernel([=] { return tex2DLayered<float>(l, 1.5f, 1.5f, 7); }) == 7);
}

void test_surfaces(bool trap) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  OK(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  launch("write", 1, dim3(8, 4), 0, [=] {
    surf2Dwrite(static_cast<float>(threadIdx.x + 10 * threadIdx.y), surface, static_cast<int>(threadIdx.x * sizeof(float)),
                static_cast<int>(threadIdx.y));
  });
  CHECK(in_kernel([=] { return surf2Dread<float>(surface, 5 * 4, 3); }) == 35);
  CHECK(in_kernel([=] { float got; surf2Dread(&got, surface, 100, 9, cudaBoundaryModeClamp); return got; }) == 37);
  CHECK(in_kernel([=] { return surf2Dread<float>(surface, -4, 0, cudaBoundaryModeZero); }) == 0);
  if (trap) in_kernel([=] { return surf2Dread<float>(surface, 400, 0); });
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeArray(array));
}

int main(int count, char** words) {
  const bool trap = count > 1 && std::strcmp(words[1], "trap") == 0;
  if (count > 1 && !trap) {
    const cudaTextureObject_t t = linear_texture(managed<float>(4), 4);
    OK(cudaDestroyTextureObject(t));
    in_kernel([=] { return tex1Dfetch<float>(t, 0); });
  }
  test_linear_memory();
  test_arrays();
  test_volumes();
  test_surfaces(trap);
}
