// Texture fetches: which texels are read, and how they are combined (CUDA C++ Programming Guide,
// "Texture Fetching").
//
// A fetch is a checked read of the texels that it uses; a texel to which the filter gives no weight
// is not read. Weights have 8 bits of fraction, as in the hardware.
#pragma once

#include <cstdio>
#include <cstring>

#include "../hooks/access.h"
#include "../executor/runtime/texture.h"
#include "cmath.h"
#include "small_float.h"

namespace hirace::cpu {

// An object with the site that uses it: the result of the instrumenter's hook.
struct TexelsAt {
  TexelsAt(unsigned long long number, SiteId where = unknown_site) : object(number), site(where) {}
  unsigned long long object;
  SiteId site;

  const Texels& get() const {
    if (object == 0 || !texels_at(object)->alive) {
      std::fprintf(stderr, "hirace: a kernel uses a texture or surface object that %s\n",
                   object == 0 ? "was not created" : "was destroyed");
      fail(object == 0 ? Fault::illegal_address : Fault::use_after_free, site, static_cast<std::uintptr_t>(object));
    }
    return *texels_at(object);
  }
};

inline const char* texel_address(const Texels& t, long x, long y, long z) {
  return t.data + static_cast<std::size_t>(z) * t.slice + static_cast<std::size_t>(y) * t.pitch + static_cast<std::size_t>(x) * t.texel_bytes;
}

// One channel of a texel as a number, in [0, 1] or [-1, 1] if the texture is normalised.
inline float channel_value(const Texels& t, const char* texel, int channel) {
  const bool normalized = t.sampling.readMode == cudaReadModeNormalizedFloat;
  const bool is_signed = t.format.f == cudaChannelFormatKindSigned;
  const int bits = t.format.x;
  std::uint32_t raw = 0;
  std::memcpy(&raw, texel + static_cast<std::size_t>(channel) * static_cast<std::size_t>(bits) / 8, static_cast<std::size_t>(bits) / 8);
  if (t.format.f == cudaChannelFormatKindFloat) {
    return bits == 16 ? SmallFloat<5>::to_float(static_cast<std::uint16_t>(raw)) : bits_as<float>(raw);
  }
  const auto as_signed = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
  if (!normalized) return is_signed ? static_cast<float>(as_signed) : static_cast<float>(raw);
  const float largest = static_cast<float>((std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1);
  const float value = (is_signed ? static_cast<float>(as_signed) : static_cast<float>(raw)) / largest;
  return value < -1.0f ? -1.0f : value;
}

struct Channels {
  float value[4];
};

inline int channels_of(const Texels& t) { return 1 + (t.format.y != 0) + (t.format.z != 0) + (t.format.w != 0); }

// Maps a texel number that is out of range; false on the border.
inline bool place_texel(const Texels& t, int dimension, long count, long& index) {
  if (index >= 0 && index < count) return true;
  const cudaTextureAddressMode asked = t.sampling.addressMode[dimension];
  // Repeating needs normalised coordinates.
  const bool repeats = t.sampling.normalizedCoords != 0 && (asked == cudaAddressModeWrap || asked == cudaAddressModeMirror);
  if (asked == cudaAddressModeBorder) return false;
  if (!repeats) {
    index = index < 0 ? 0 : count - 1;
    return true;
  }
  const long period = asked == cudaAddressModeWrap ? count : 2 * count;
  index = (index % period + period) % period;
  if (index >= count) index = period - 1 - index;
  return true;
}

// The texel at three coordinates, checked; the border colour outside.
inline Channels fetch_channels(const Texels& t, SiteId site, long x, long y, long z) {
  Channels out{{0, 0, 0, 0}};
  const int count = channels_of(t);
  const bool inside = place_texel(t, 0, static_cast<long>(t.width), x) && place_texel(t, 1, static_cast<long>(t.height), y) &&
                      place_texel(t, 2, static_cast<long>(t.depth), z);
  if (!inside) {
    for (int i = 0; i < count; ++i) out.value[i] = t.sampling.borderColor[i];
    return out;
  }
  const char* const texel = texel_address(t, x, y, z);
  check_texel(AccessKind::read, texel, t.texel_bytes, site);
  for (int i = 0; i < count; ++i) out.value[i] = channel_value(t, texel, i);
  return out;
}

// A coordinate in texels: the texel that contains it or, for linear filtering, the one whose centre
// is below it, and the weight of the next.
struct Coordinate {
  long index;
  float weight;
};
inline Coordinate locate(const Texels& t, float coordinate, std::size_t count, bool linear) {
  double position = coordinate;
  if (t.sampling.normalizedCoords != 0) position *= static_cast<double>(count);
  if (linear) position -= 0.5;
  constexpr double far = 1e15;  // beyond any texture, and representable as an integer
  if (!(position > -far)) position = -far;
  if (position > far) position = far;
  const double below = std::floor(position);
  Coordinate found{static_cast<long>(below), 0};
  if (linear) {
    constexpr double steps = 256;
    found.weight = static_cast<float>(std::floor((position - below) * steps + 0.5) / steps);
    if (found.weight == 1) found = {found.index + 1, 0};
  }
  return found;
}

inline long clamp_layer(const Texels& t, long layer) {
  const long last = static_cast<long>(t.depth) - 1;
  return layer < 0 ? 0 : layer > last ? last : layer;
}

// Where a fetch reads: coordinates and a layer, or three coordinates.
struct Place {
  int dimensions;
  float at[3];
  long layer;
};

// The texel that contains a place or, for linear filtering, the first of those around it.
struct Located {
  Coordinate at[3];
};
inline Located locate(const Texels& t, const Place& place, bool linear) {
  const std::size_t counts[3] = {t.width, t.height, t.depth};
  Located found{};
  for (int i = 0; i < place.dimensions; ++i) found.at[i] = locate(t, place.at[i], counts[i], linear);
  if (place.dimensions < 3) found.at[2].index = clamp_layer(t, place.layer);
  return found;
}

inline Channels sample(const Texels& t, SiteId site, const Place& place) {
  const Located found = locate(t, place, t.sampling.filterMode == cudaFilterModeLinear);
  Channels sum{{0, 0, 0, 0}};
  for (int corner = 0; corner < 8; ++corner) {
    float weight = 1;
    long index[3];
    for (int i = 0; i < 3; ++i) {
      const int upper = corner >> i & 1;
      weight *= upper != 0 ? found.at[i].weight : 1 - found.at[i].weight;
      index[i] = found.at[i].index + upper;
    }
    if (weight == 0) continue;
    const Channels texel = fetch_channels(t, site, index[0], index[1], index[2]);
    if (weight == 1) return texel;
    for (int i = 0; i < 4; ++i) sum.value[i] += weight * texel.value[i];
  }
  return sum;
}

template <class T>
T from_channels(const Channels& channels) {
  using Channel = typename Texel<T>::Channel;
  T out{};
  for (int i = 0; i < Texel<T>::channels; ++i) reinterpret_cast<Channel*>(&out)[i] = static_cast<Channel>(channels.value[i]);
  return out;
}

// Integers are returned unchanged; integer textures are not filtered.
template <class T>
T from_texel(const Texels& t, const char* texel) {
  using Channel = typename Texel<T>::Channel;
  T out{};
  const auto bytes = static_cast<std::size_t>(t.format.x) / 8;
  for (int i = 0; i < Texel<T>::channels && i < channels_of(t); ++i) {
    const char* const from = texel + static_cast<std::size_t>(i) * bytes;
    Channel* const to = reinterpret_cast<Channel*>(&out) + i;
    if (bytes == sizeof(Channel)) {
      std::memcpy(to, from, bytes);
    } else {
      *to = static_cast<Channel>(channel_value(t, texel, i));
    }
  }
  return out;
}

template <class T>
constexpr bool is_fraction = std::is_floating_point_v<typename Texel<T>::Channel>;

// A texel of integers, checked; zero outside.
template <class T>
T fetch_integers(const Texels& t, SiteId site, long x, long y, long z) {
  const bool inside = place_texel(t, 0, static_cast<long>(t.width), x) && place_texel(t, 1, static_cast<long>(t.height), y) &&
                      place_texel(t, 2, static_cast<long>(t.depth), z);
  if (!inside) return T{};
  const char* const texel = texel_address(t, x, y, z);
  check_texel(AccessKind::read, texel, t.texel_bytes, site);
  return from_texel<T>(t, texel);
}

template <class T>
T sample_as(const Texels& t, SiteId site, const Place& place) {
  if constexpr (is_fraction<T>) {
    return from_channels<T>(sample(t, site, place));
  } else {
    const Located found = locate(t, place, false);
    return fetch_integers<T>(t, site, found.at[0].index, found.at[1].index, found.at[2].index);
  }
}
template <class T>
T sample_as(const TexelsAt& at, const Place& place) {
  return sample_as<T>(at.get(), at.site, place);
}

// From linear memory by texel number; zero if out of range.
template <class T>
T fetch_as(const TexelsAt& at, int index) {
  const Texels& t = at.get();
  if (index < 0 || static_cast<std::size_t>(index) >= t.width) return T{};
  if constexpr (is_fraction<T>) {
    return from_channels<T>(fetch_channels(t, at.site, index, 0, 0));
  } else {
    const char* const texel = texel_address(t, index, 0, 0);
    check_texel(AccessKind::read, texel, t.texel_bytes, at.site);
    return from_texel<T>(t, texel);
  }
}

}  // namespace hirace::cpu

namespace hirace {
// The hook for the object of a fetch, or of a surface read or write.
HIRACE_HOOK cpu::TexelsAt texels(SiteId site, unsigned long long object) { return {object, site}; }
}  // namespace hirace

// Declares the form of a fetch that stores the value.
#define HIRACE_FETCH_INTO(name)                                                            \
  template <class T, class... Coordinates>                                                 \
  void name(T* out, hirace::cpu::TexelsAt texture, Coordinates... coordinates) {           \
    *out = name<T>(texture, coordinates...);                                               \
  }

template <class T>
T tex1Dfetch(hirace::cpu::TexelsAt texture, int x) {
  return hirace::cpu::fetch_as<T>(texture, x);
}
template <class T>
T tex1D(hirace::cpu::TexelsAt texture, float x) {
  return hirace::cpu::sample_as<T>(texture, {1, {x}, 0});
}
template <class T>
T tex2D(hirace::cpu::TexelsAt texture, float x, float y) {
  return hirace::cpu::sample_as<T>(texture, {2, {x, y}, 0});
}
template <class T>
T tex3D(hirace::cpu::TexelsAt texture, float x, float y, float z) {
  return hirace::cpu::sample_as<T>(texture, {3, {x, y, z}, 0});
}
template <class T>
T tex1DLayered(hirace::cpu::TexelsAt texture, float x, int layer) {
  return hirace::cpu::sample_as<T>(texture, {1, {x}, layer});
}
template <class T>
T tex2DLayered(hirace::cpu::TexelsAt texture, float x, float y, int layer) {
  return hirace::cpu::sample_as<T>(texture, {2, {x, y}, layer});
}
HIRACE_FETCH_INTO(tex1Dfetch)
HIRACE_FETCH_INTO(tex1D)
HIRACE_FETCH_INTO(tex2D)
HIRACE_FETCH_INTO(tex3D)
HIRACE_FETCH_INTO(tex1DLayered)
HIRACE_FETCH_INTO(tex2DLayered)
