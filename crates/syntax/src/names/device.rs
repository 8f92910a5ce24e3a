//! Functions of device code.

use super::{Home, Meaning, Row, Scope};
use crate::words::Words;

pub(super) const ROWS: &[Row] = &[
    (
        Home::Global,
        Meaning::BlockBarrier,
        Words::of("__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or"),
    ),
    (
        Home::Global,
        Meaning::WarpBarrier,
        Words::of(
            "__syncwarp __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __match_any_sync __match_all_sync",
        ),
    ),
    (
        Home::Global,
        Meaning::WarpVote,
        Words::of(
            "__ballot_sync __any_sync __all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync \
             __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
        ),
    ),
    (
        Home::Global,
        Meaning::WarpExchange,
        Words::of("__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot"),
    ),
    (
        Home::Global,
        Meaning::Fence(Scope::Block),
        Words::of("__threadfence_block"),
    ),
    (
        Home::Global,
        Meaning::Fence(Scope::Cluster),
        Words::of("__threadfence_cluster"),
    ),
    (
        Home::Global,
        Meaning::Fence(Scope::Device),
        Words::of("__threadfence"),
    ),
    (
        Home::Global,
        Meaning::Fence(Scope::System),
        Words::of("__threadfence_system"),
    ),
    (
        Home::Global,
        Meaning::FenceOfArgument,
        Words::of("__nv_atomic_thread_fence"),
    ),
    // Also with `_block` and `_system`.
    (
        Home::Global,
        Meaning::Atomic,
        Words::of(
            "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr \
             atomicXor",
        ),
    ),
    (
        Home::Global,
        Meaning::HintedLoad,
        Words::of("__ldg __ldca __ldcg __ldcs __ldcv __ldlu"),
    ),
    (
        Home::Global,
        Meaning::HintedStore,
        Words::of("__stwb __stcg __stcs __stwt"),
    ),
    // Without the `f` of those for `float`.
    (
        Home::Global,
        Meaning::Numeric,
        Words::of(
            "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx \
             erfinv exp exp10 exp2 expm1 fabs fdim fdividef floor fma fmax fmin fmod hypot ilogb isfinite isinf isnan \
             labs ldexp lgamma llabs llrint llround log log10 log1p log2 logb lrint lround max min nearbyint pow \
             rcbrt remainder rint round rsqrt sin sqrt tan tanh sinh sinpi tgamma trunc umax umin __saturatef signbit \
             scalbn __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 __umul24 __mulhi __umulhi \
             __mul64hi __umul64hi __byte_perm __funnelshift_l __funnelshift_r",
        ),
    ),
    (
        Home::Global,
        Meaning::TextureFetch,
        Words::of(
            "tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered tex1DLod tex2DLod tex3DLod tex1DLayeredLod \
             tex2DLayeredLod tex1DGrad tex2DGrad tex3DGrad tex1DLayeredGrad tex2DLayeredGrad texCubemap \
             texCubemapLayered texCubemapLod texCubemapLayeredLod tex2Dgather",
        ),
    ),
    (
        Home::Global,
        Meaning::SurfaceRead,
        Words::of(
            "surf1Dread surf2Dread surf3Dread surf1DLayeredread surf2DLayeredread surfCubemapread \
             surfCubemapLayeredread",
        ),
    ),
    (
        Home::Global,
        Meaning::SurfaceWrite,
        Words::of(
            "surf1Dwrite surf2Dwrite surf3Dwrite surf1DLayeredwrite surf2DLayeredwrite surfCubemapwrite \
             surfCubemapLayeredwrite",
        ),
    ),
];
