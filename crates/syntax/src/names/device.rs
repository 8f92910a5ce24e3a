//! Functions of device code.

use super::{Home, Meaning, Rows, Scope};

pub(super) const ROWS: &[Rows] = &[(
    Home::Global,
    &[
        (
            Meaning::BlockBarrier,
            "__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or",
        ),
        (
            Meaning::WarpBarrier,
            "__syncwarp __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __match_any_sync __match_all_sync",
        ),
        (
            Meaning::WarpVote,
            "__ballot_sync __any_sync __all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync \
             __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
        ),
        (
            Meaning::WarpExchange,
            "__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot",
        ),
        (Meaning::Fence(Scope::Block), "__threadfence_block"),
        (Meaning::Fence(Scope::Cluster), "__threadfence_cluster"),
        (Meaning::Fence(Scope::Device), "__threadfence"),
        (Meaning::Fence(Scope::System), "__threadfence_system"),
        (Meaning::FenceOfArgument, "__nv_atomic_thread_fence"),
        // Also with `_block` and `_system`.
        (
            Meaning::Atomic,
            "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr \
             atomicXor",
        ),
        (
            Meaning::HintedLoad,
            "__ldg __ldca __ldcg __ldcs __ldcv __ldlu",
        ),
        (Meaning::HintedStore, "__stwb __stcg __stcs __stwt"),
        // Without the `f` of those for `float`.
        (
            Meaning::Numeric,
            "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx \
             erfinv exp exp10 exp2 expm1 fabs fdim fdividef floor fma fmax fmin fmod hypot ilogb isfinite isinf isnan \
             labs ldexp lgamma llabs llrint llround log log10 log1p log2 logb lrint lround max min nearbyint pow \
             rcbrt remainder rint round rsqrt sin sqrt tan tanh sinh sinpi tgamma trunc umax umin __saturatef signbit \
             scalbn __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 __umul24 __mulhi __umulhi \
             __mul64hi __umul64hi __byte_perm __funnelshift_l __funnelshift_r",
        ),
        (
            Meaning::TextureFetch,
            "tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered tex1DLod tex2DLod tex3DLod tex1DLayeredLod \
             tex2DLayeredLod tex1DGrad tex2DGrad tex3DGrad tex1DLayeredGrad tex2DLayeredGrad texCubemap \
             texCubemapLayered texCubemapLod texCubemapLayeredLod tex2Dgather",
        ),
        (
            Meaning::SurfaceRead,
            "surf1Dread surf2Dread surf3Dread surf1DLayeredread surf2DLayeredread surfCubemapread \
             surfCubemapLayeredread",
        ),
        (
            Meaning::SurfaceWrite,
            "surf1Dwrite surf2Dwrite surf3Dwrite surf1DLayeredwrite surf2DLayeredwrite surfCubemapwrite \
             surfCubemapLayeredwrite",
        ),
    ],
)];
