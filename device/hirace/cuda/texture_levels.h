// Fetches from mipmap levels and cube maps, and of the four texels around a place (CUDA C++ Programming Guide,
// "Texture Functions").
#pragma once

#include "cmath.h"
#include "texture_fetch.h"

namespace hirace::cpu {

// Level 0 is the finest. A texture that is not of a mipmapped array has no other.
template <class T>
T sample_level(const TexelsAt& at, const Place& place, float level) {
  const Texels& t = at.get();
  if (t.level_count == 0) return sample_as<T>(t, at.site, place);
  const cudaTextureDesc& how = t.sampling;
  const auto coarsest = static_cast<float>(t.level_count - 1);
  const auto clamp = [](float value, float low, float high) { return value < low ? low : value > high ? high : value; };
  level = clamp(level + how.mipmapLevelBias, how.minMipmapLevelClamp, how.maxMipmapLevelClamp);
  level = clamp(level, 0.0f, coarsest);
  const auto texels = [&](float number) -> const Texels& { return t.levels[static_cast<std::size_t>(number)]; };
  const float below = std::floor(level), weight = level - below;
  if constexpr (is_fraction<T>) {
    if (how.mipmapFilterMode == cudaFilterModeLinear && weight != 0) {
      const Channels fine = sample(texels(below), at.site, place), coarse = sample(texels(below + 1), at.site, place);
      Channels sum{};
      for (int i = 0; i < 4; ++i) sum.value[i] = (1 - weight) * fine.value[i] + weight * coarse.value[i];
      return from_channels<T>(sum);
    }
  }
  return sample_as<T>(texels(std::floor(level + 0.5f)), at.site, place);
}

// The level at which a step of the screen is one texel, from the derivatives of the coordinates.
inline float level_of(const TexelsAt& at, int dimensions, const float* dx, const float* dy) {
  const Texels& t = at.get();
  const std::size_t counts[3] = {t.width, t.height, t.depth};
  float x = 0, y = 0;
  for (int i = 0; i < dimensions; ++i) {
    const float texels = t.sampling.normalizedCoords != 0 ? static_cast<float>(counts[i]) : 1;
    x += dx[i] * texels * dx[i] * texels;
    y += dy[i] * texels * dy[i] * texels;
  }
  return std::log2(x > y ? x : y) / 2;  // both are squares
}

// The face of a cube that a direction meets, and where ("Cubemap Textures").
inline Place face_place(const TexelsAt& at, float x, float y, float z, long layer) {
  const Texels& t = at.get();
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face;
  float major, s, r;
  if (ax >= ay && ax >= az) {
    face = x < 0 ? 1 : 0;
    major = ax;
    s = x < 0 ? z : -z;
    r = -y;
  } else if (ay >= az) {
    face = y < 0 ? 3 : 2;
    major = ay;
    s = x;
    r = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4;
    major = az;
    s = z < 0 ? -x : x;
    r = -y;
  }
  // The coordinates of a direction do not depend on the size of the texture.
  const float texels = t.sampling.normalizedCoords != 0 ? 1 : static_cast<float>(t.width);
  constexpr long faces = 6;
  return {2, {(s / major + 1) / 2 * texels, (r / major + 1) / 2 * texels}, layer * faces + face};
}

// One channel of the four texels that a linear filter would use.
template <class T>
T gather(const TexelsAt& at, float x, float y, int channel) {
  const Texels& t = at.get();
  const Located found = locate(t, {2, {x, y}, 0}, true);
  const long left = found.at[0].index, upper = found.at[1].index;
  const long columns[4] = {left, left + 1, left + 1, left}, rows[4] = {upper + 1, upper + 1, upper, upper};
  using Channel = typename Texel<T>::Channel;
  static_assert(Texel<T>::channels == 4, "tex2Dgather returns a vector of four");
  T out{};
  for (int i = 0; i < 4; ++i) {
    Channel& value = reinterpret_cast<Channel*>(&out)[i];
    if constexpr (is_fraction<T>) {
      value = fetch_channels(t, at.site, columns[i], rows[i], 0).value[channel];
    } else {
      const T texel = fetch_integers<T>(t, at.site, columns[i], rows[i], 0);
      value = reinterpret_cast<const Channel*>(&texel)[channel];
    }
  }
  return out;
}

}  // namespace hirace::cpu

template <class T>
T tex1DLod(hirace::cpu::TexelsAt texture, float x, float level) {
  return hirace::cpu::sample_level<T>(texture, {1, {x}, 0}, level);
}
template <class T>
T tex2DLod(hirace::cpu::TexelsAt texture, float x, float y, float level) {
  return hirace::cpu::sample_level<T>(texture, {2, {x, y}, 0}, level);
}
template <class T>
T tex3DLod(hirace::cpu::TexelsAt texture, float x, float y, float z, float level) {
  return hirace::cpu::sample_level<T>(texture, {3, {x, y, z}, 0}, level);
}
template <class T>
T tex1DLayeredLod(hirace::cpu::TexelsAt texture, float x, int layer, float level) {
  return hirace::cpu::sample_level<T>(texture, {1, {x}, layer}, level);
}
template <class T>
T tex2DLayeredLod(hirace::cpu::TexelsAt texture, float x, float y, int layer, float level) {
  return hirace::cpu::sample_level<T>(texture, {2, {x, y}, layer}, level);
}
template <class T>
T tex1DGrad(hirace::cpu::TexelsAt texture, float x, float dx, float dy) {
  return tex1DLod<T>(texture, x, hirace::cpu::level_of(texture, 1, &dx, &dy));
}
template <class T>
T tex2DGrad(hirace::cpu::TexelsAt texture, float x, float y, float2 dx, float2 dy) {
  return tex2DLod<T>(texture, x, y, hirace::cpu::level_of(texture, 2, &dx.x, &dy.x));
}
template <class T>
T tex3DGrad(hirace::cpu::TexelsAt texture, float x, float y, float z, float4 dx, float4 dy) {
  return tex3DLod<T>(texture, x, y, z, hirace::cpu::level_of(texture, 3, &dx.x, &dy.x));
}
template <class T>
T tex1DLayeredGrad(hirace::cpu::TexelsAt texture, float x, int layer, float dx, float dy) {
  return tex1DLayeredLod<T>(texture, x, layer, hirace::cpu::level_of(texture, 1, &dx, &dy));
}
template <class T>
T tex2DLayeredGrad(hirace::cpu::TexelsAt texture, float x, float y, int layer, float2 dx, float2 dy) {
  return tex2DLayeredLod<T>(texture, x, y, layer, hirace::cpu::level_of(texture, 2, &dx.x, &dy.x));
}

template <class T>
T texCubemap(hirace::cpu::TexelsAt texture, float x, float y, float z) {
  return hirace::cpu::sample_as<T>(texture, hirace::cpu::face_place(texture, x, y, z, 0));
}
template <class T>
T texCubemapLayered(hirace::cpu::TexelsAt texture, float x, float y, float z, int layer) {
  return hirace::cpu::sample_as<T>(texture, hirace::cpu::face_place(texture, x, y, z, layer));
}
template <class T>
T texCubemapLod(hirace::cpu::TexelsAt texture, float x, float y, float z, float level) {
  return hirace::cpu::sample_level<T>(texture, hirace::cpu::face_place(texture, x, y, z, 0), level);
}
template <class T>
T texCubemapLayeredLod(hirace::cpu::TexelsAt texture, float x, float y, float z, int layer, float level) {
  return hirace::cpu::sample_level<T>(texture, hirace::cpu::face_place(texture, x, y, z, layer), level);
}

template <class T>
T tex2Dgather(hirace::cpu::TexelsAt texture, float x, float y, int channel = 0) {
  return hirace::cpu::gather<T>(texture, x, y, channel);
}

HIRACE_FETCH_INTO(tex1DLod)
HIRACE_FETCH_INTO(tex2DLod)
HIRACE_FETCH_INTO(tex3DLod)
HIRACE_FETCH_INTO(tex1DLayeredLod)
HIRACE_FETCH_INTO(tex2DLayeredLod)
HIRACE_FETCH_INTO(tex1DGrad)
HIRACE_FETCH_INTO(tex2DGrad)
HIRACE_FETCH_INTO(tex3DGrad)
HIRACE_FETCH_INTO(tex1DLayeredGrad)
HIRACE_FETCH_INTO(tex2DLayeredGrad)
HIRACE_FETCH_INTO(texCubemap)
HIRACE_FETCH_INTO(texCubemapLayered)
HIRACE_FETCH_INTO(texCubemapLod)
HIRACE_FETCH_INTO(texCubemapLayeredLod)
HIRACE_FETCH_INTO(tex2Dgather)
