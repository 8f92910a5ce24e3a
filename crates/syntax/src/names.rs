//! What CUDA's functions mean by their names: the one table that the instrumenter and the analyses share.
//!
//! A name means this only if the program neither defines a function nor a macro of that name, which the caller decides.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::words::Words;

/// The threads that an operation joins or orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Warp,
    Block,
    Cluster,
    Device,
    System,
}

/// What a function of CUDA does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// All threads of the block wait for each other.
    BlockBarrier,
    /// Named lanes of the warp wait for each other, and may exchange values.
    WarpBarrier,
    /// The same, and all of them get one value.
    WarpVote,
    /// Lanes of the warp exchange values without a mask, as before compute capability 7.0. nvcc rejects them for later
    /// ones.
    WarpExchange,
    /// The thread's accesses before come before those after it.
    Fence(Scope),
    /// A fence whose scope is an argument.
    FenceOfArgument,
    /// An atomic operation on what the first argument points to.
    Atomic,
    /// A load with a hint for the cache from where the first argument points to.
    HintedLoad,
    /// A store with a hint for the cache.
    HintedStore,
    /// A mathematical function that takes numbers by value or by constant reference.
    Numeric,
}

/// The functions of each meaning.
const TABLE: &[(Meaning, Words)] = &[
    (
        Meaning::BlockBarrier,
        Words::of("__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or"),
    ),
    (
        Meaning::WarpBarrier,
        Words::of(
            "__syncwarp __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __match_any_sync __match_all_sync",
        ),
    ),
    (
        Meaning::WarpVote,
        Words::of(
            "__ballot_sync __any_sync __all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync \
             __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
        ),
    ),
    (
        Meaning::WarpExchange,
        Words::of("__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot"),
    ),
    (
        Meaning::Fence(Scope::Block),
        Words::of("__threadfence_block"),
    ),
    (
        Meaning::Fence(Scope::Cluster),
        Words::of("__threadfence_cluster"),
    ),
    (Meaning::Fence(Scope::Device), Words::of("__threadfence")),
    (
        Meaning::Fence(Scope::System),
        Words::of("__threadfence_system"),
    ),
    (
        Meaning::FenceOfArgument,
        Words::of("__nv_atomic_thread_fence"),
    ),
    // Also with `_block` and `_system`.
    (
        Meaning::Atomic,
        Words::of(
            "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr \
             atomicXor",
        ),
    ),
    (
        Meaning::HintedLoad,
        Words::of("__ldg __ldca __ldcg __ldcs __ldcv __ldlu __nv_ldg"),
    ),
    (
        Meaning::HintedStore,
        Words::of("__stwb __stcg __stcs __stwt"),
    ),
    // Without the `f` of those for `float`.
    (
        Meaning::Numeric,
        Words::of(
            "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx \
             erfinv exp exp10 exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod hypot ilogb isfinite isinf isnan \
             labs ldexp lgamma llabs llrint llround log log10 log1p log2 logb lrint lround max min nearbyint pow \
             rcbrt remainder rint round rsqrt sin sqrt tan tanh sinh sinpi tgamma trunc umax umin saturate signbit \
             scalbn __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 __umul24 __mulhi __umulhi \
             __mul64hi __umul64hi __byte_perm __funnelshift_l __funnelshift_r",
        ),
    ),
];

/// What a name means, if it is in the table.
pub fn meaning(name: &str) -> Option<Meaning> {
    static BY_NAME: OnceLock<HashMap<&str, Meaning>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| {
        let row = |(meaning, words): &(Meaning, Words)| {
            let meaning = *meaning;
            words.iter().map(move |word| (word, meaning))
        };
        TABLE.iter().flat_map(row).collect()
    });
    let found = by_name.get(name).copied();
    found.or_else(|| {
        let scoped = |suffix| {
            name.strip_suffix(suffix)
                .filter(|it| it.starts_with("atomic"))
        };
        let atomic = scoped("_block").or_else(|| scoped("_system"));
        let plain = atomic.or_else(|| name.strip_suffix('f'))?;
        let found = by_name.get(plain).copied();
        found.filter(|it| {
            *it == if atomic.is_some() {
                Meaning::Atomic
            } else {
                Meaning::Numeric
            }
        })
    })
}

/// Whether a function is a barrier of the whole block.
pub fn is_block_barrier(name: &str) -> bool {
    meaning(name) == Some(Meaning::BlockBarrier)
}

/// Whether a function is an atomic operation on what its first argument points to.
pub fn is_atomic(name: &str) -> bool {
    meaning(name) == Some(Meaning::Atomic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_meaning() {
        let mut seen = HashMap::new();
        for (meaning, words) in TABLE {
            for word in words.iter() {
                assert_eq!(seen.insert(word, *meaning), None, "{word}");
            }
        }
    }

    #[test]
    fn variants_of_names() {
        assert_eq!(meaning("atomicAdd_block"), Some(Meaning::Atomic));
        assert_eq!(meaning("atomicCAS_system"), Some(Meaning::Atomic));
        assert_eq!(meaning("sqrtf"), Some(Meaning::Numeric));
        assert_eq!(
            meaning("__threadfence_block"),
            Some(Meaning::Fence(Scope::Block))
        );
        for other in [
            "__syncthreads_system",
            "atomicAddf",
            "sqrt_block",
            "__threadfencef",
            "f",
            "",
        ] {
            assert_eq!(meaning(other), None, "{other}");
        }
    }
}
