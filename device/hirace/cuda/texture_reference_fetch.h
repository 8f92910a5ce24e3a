// Fetches through texture references: `tex2D(t, x, y)`, whose type is that of the reference. Surface functions take a
// reference as if it were an object.
#pragma once

#include "../executor/call_site.h"
#include "../executor/runtime/texture_reference.h"
#include "surface_access.h"
#include "texture_fetch.h"
#include "texture_levels.h"
#include "vector_types.h"

namespace hirace::cpu {

// What a fetch from texels of type T returns.
template <class T, cudaTextureReadMode mode, int channels = Texel<T>::channels>
struct FetchedFrom {
  using Type = T;
};
template <class T>
struct FetchedFrom<T, cudaReadModeNormalizedFloat, 1> {
  using Type = float;
};
template <class T>
struct FetchedFrom<T, cudaReadModeNormalizedFloat, 2> {
  using Type = float2;
};
template <class T>
struct FetchedFrom<T, cudaReadModeNormalizedFloat, 4> {
  using Type = float4;
};
template <class T, cudaTextureReadMode mode>
using Fetched = typename FetchedFrom<T, mode>::Type;

// A reference with the site that uses it: the result of the instrumenter's hook.
template <class T, int type, cudaTextureReadMode mode>
struct ReferenceAt {
  const texture<T, type, mode>& reference;
  SiteId site;
};

}  // namespace hirace::cpu

namespace hirace {
template <class T, int type, cudaTextureReadMode mode>
cpu::ReferenceAt<T, type, mode> texels(SiteId site, const cpu::texture<T, type, mode>& reference) {
  return {reference, site};
}
HIRACE_HOOK cpu::TexelsAt texels(SiteId site, const surfaceReference& reference) { return {reference.hirace_object, site}; }
}  // namespace hirace

#define HIRACE_FETCH_REFERENCE(name)                                                                                              \
  template <class T, int type, cudaTextureReadMode mode, class... Coordinates>                                                    \
  hirace::cpu::Fetched<T, mode> name(hirace::cpu::ReferenceAt<T, type, mode> at, Coordinates... coordinates) {                    \
    return name<hirace::cpu::Fetched<T, mode>>(hirace::cpu::TexelsAt(at.reference.hirace_object, at.site), coordinates...);       \
  }                                                                                                                               \
  template <class T, int type, cudaTextureReadMode mode, class... Coordinates>                                                    \
  hirace::cpu::Fetched<T, mode> name(const hirace::cpu::texture<T, type, mode>& texture, Coordinates... coordinates) {            \
    return name(hirace::texels(hirace::unchecked_site, texture), coordinates...);                                                 \
  }

HIRACE_FETCH_REFERENCE(tex1Dfetch)
HIRACE_FETCH_REFERENCE(tex1D)
HIRACE_FETCH_REFERENCE(tex2D)
HIRACE_FETCH_REFERENCE(tex3D)
HIRACE_FETCH_REFERENCE(tex1DLayered)
HIRACE_FETCH_REFERENCE(tex2DLayered)
HIRACE_FETCH_REFERENCE(tex1DLod)
HIRACE_FETCH_REFERENCE(tex2DLod)
HIRACE_FETCH_REFERENCE(tex3DLod)
HIRACE_FETCH_REFERENCE(tex1DLayeredLod)
HIRACE_FETCH_REFERENCE(tex2DLayeredLod)
HIRACE_FETCH_REFERENCE(tex1DGrad)
HIRACE_FETCH_REFERENCE(tex2DGrad)
HIRACE_FETCH_REFERENCE(tex3DGrad)
HIRACE_FETCH_REFERENCE(tex1DLayeredGrad)
HIRACE_FETCH_REFERENCE(tex2DLayeredGrad)
HIRACE_FETCH_REFERENCE(texCubemap)
HIRACE_FETCH_REFERENCE(texCubemapLayered)
HIRACE_FETCH_REFERENCE(texCubemapLod)
HIRACE_FETCH_REFERENCE(texCubemapLayeredLod)
HIRACE_FETCH_REFERENCE(tex2Dgather)
#undef HIRACE_FETCH_REFERENCE
