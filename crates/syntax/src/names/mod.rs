//! What names of CUDA and its libraries mean: the one table that the instrumenter, the analyses and the tests of the
//! documentation share.
//!
//! A name means this only where it belongs ([`Home`]), and if the program neither defines a function nor a macro of
//! that name, which the caller decides.

mod device;
mod host;
mod libraries;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::words::is_builtin_type;

/// Where a name belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// It is a function at file scope.
    Global,
    /// It is a function of the namespace `cuda::ptx`.
    CudaPtx,
    /// It is a function of the namespace `thrust`.
    Thrust,
    /// It is a method of an object of libcu++.
    CudaObject,
    /// It is a method of a primitive of CUB.
    CubPrimitive,
    /// It is a class or a function of the namespace `cuda`.
    Cuda,
    /// It is a method of a cooperative group.
    Group,
}

/// The classes of libcu++ whose objects threads wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    Barrier,
    Latch,
    Semaphore,
    Pipeline,
}

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
    /// A fetch through a texture object or reference.
    TextureFetch,
    /// A read through a surface object.
    SurfaceRead,
    /// A write through a surface object.
    SurfaceWrite,
    /// A function of cuRAND for kernels. It accesses the state of a generator, to which its first argument points, or
    /// its last.
    RandomNumber { state_is_last: bool },
    /// A function of the runtime, the driver, cuRAND or cuFFT that works in a stream.
    StreamWork,
    /// A function of the runtime that launches a kernel.
    Launch,
    /// A function of a library that works in a stream, or in the calling thread.
    Algorithm,
    /// Something that may order accesses, or access memory asynchronously.
    Ordering,
    /// A method of an atomic object that accesses its value.
    AtomicMethod,
    /// A method of an object that threads wait for.
    Synchronisation(Object),
    /// The same, but its name is a common one.
    Waiting,
    /// A method of a group that returns the same value to all threads of a launch.
    SameInLaunch,
    /// A method of a group that returns the same value to all threads of a block.
    SameInBlock,
    /// A method of a group that returns the same value to all threads of the group.
    SameInGroup,
    /// A method of a primitive of a whole block or warp.
    Collective,
}

/// The names of one home: for each meaning those that have it, separated by blanks.
type Rows = (Home, &'static [(Meaning, &'static str)]);

/// All names, with their homes and meanings.
fn all() -> impl Iterator<Item = (Home, &'static str, Meaning)> {
    let tables = [device::ROWS, host::ROWS, libraries::ROWS];
    let rows = tables.into_iter().flatten();
    let rows = rows.flat_map(|(home, rows)| rows.iter().map(|row| (*home, row)));
    rows.flat_map(|(home, (meaning, names))| {
        names.split_whitespace().map(move |it| (home, it, *meaning))
    })
}

/// All names of a home, with their meanings.
pub fn names_of(home: Home) -> impl Iterator<Item = (&'static str, Meaning)> {
    all().filter(move |it| it.0 == home).map(|it| (it.1, it.2))
}

/// What a name means in its home, if the table has it.
pub fn meaning_in(home: Home, name: &str) -> Option<Meaning> {
    static BY_NAME: OnceLock<HashMap<(Home, &str), Meaning>> = OnceLock::new();
    let entries = || all().map(|(home, name, meaning)| ((home, name), meaning));
    let by_name = BY_NAME.get_or_init(|| entries().collect());
    by_name.get(&(home, name)).copied()
}

/// What the name of a function at file scope means.
pub fn meaning(name: &str) -> Option<Meaning> {
    let plain = |name, wanted| meaning_in(Home::Global, name).filter(|it| *it == wanted);
    let of_scope = |suffix| {
        let name = name
            .strip_suffix(suffix)
            .filter(|it| it.starts_with("atomic"))?;
        plain(name, Meaning::Atomic)
    };
    meaning_in(Home::Global, name)
        .or_else(|| of_scope("_block"))
        .or_else(|| of_scope("_system"))
        .or_else(|| plain(name.strip_suffix('f')?, Meaning::Numeric))
}

/// Whether a name is that of a method of CUB's primitives, by the table or by how it begins: sorts and exchanges have
/// many forms.
pub fn is_collective(method: &str) -> bool {
    meaning_in(Home::CubPrimitive, method).is_some()
        || libraries::COLLECTIVES
            .iter()
            .any(|it| method.starts_with(it))
}

/// Whether a function is a barrier of the whole block.
pub fn is_block_barrier(name: &str) -> bool {
    meaning(name) == Some(Meaning::BlockBarrier)
}

/// Whether a function is an atomic operation on what its first argument points to.
pub fn is_atomic(name: &str) -> bool {
    meaning(name) == Some(Meaning::Atomic)
}

/// Whether a function returns the same value to all threads that give it the same arguments, and changes none.
pub fn is_pure(name: &str) -> bool {
    is_builtin_type(name) || matches!(meaning(name), Some(Meaning::Numeric | Meaning::HintedLoad))
}

/// Whether `name` is a library function that takes numbers by value or by constant reference, so
/// that it cannot change them.
pub fn takes_numbers(name: &str) -> bool {
    let intrinsic = [
        "__f", "__d", "__exp", "__log", "__pow", "__sin", "__cos", "__tan", "__int2", "__uint2",
        "__ll2", "__ull2", "__half2",
    ];
    meaning(name) == Some(Meaning::Numeric)
        || makes_vector(name)
        || ["dim3", "__builtin_expect"].contains(&name)
        || (intrinsic.iter().any(|it| name.starts_with(it)) && !name.starts_with("__sincos"))
}

/// Whether `name` is one of `make_float4` and similar functions, which take numbers.
pub fn makes_vector(name: &str) -> bool {
    name.strip_prefix("make_").is_some_and(is_vector)
}

/// Whether a type's name is that of a CUDA vector type, such as `float4`.
pub fn is_vector(name: &str) -> bool {
    let element = name.trim_end_matches(['1', '2', '3', '4']);
    element.len() + 1 == name.len()
        && matches!(
            element.strip_prefix('u').unwrap_or(element),
            "char" | "short" | "int" | "long" | "longlong" | "float" | "double"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_meaning() {
        let mut seen = HashMap::new();
        for (home, name, meaning) in all() {
            assert_eq!(seen.insert((home, name), meaning), None, "{name}");
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
            "sqrt_system",
            "__threadfencef",
            "arrive",
            "sort",
            "f",
            "",
        ] {
            assert_eq!(meaning(other), None, "{other}");
        }
    }
}
