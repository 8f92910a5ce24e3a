//! Names of CUDA functions and libraries that need special handling.

use crate::rewrite::role::Role;

/// The operations of CUDA's functions `__nv_atomic_*` that access memory, and how each accesses what its second
/// and its third argument point to.
const ORDERED_ATOMICS: [(&str, &[Role]); 15] = [
    ("load", &[Role::Store]),
    ("load_n", &[]),
    ("store", &[Role::Copy]),
    ("store_n", &[]),
    ("exchange", &[Role::Copy, Role::Store]),
    ("exchange_n", &[]),
    ("compare_exchange", &[Role::Update, Role::Copy]),
    ("compare_exchange_n", &[Role::Update]),
    ("fetch_add", &[]),
    ("fetch_sub", &[]),
    ("fetch_and", &[]),
    ("fetch_or", &[]),
    ("fetch_xor", &[]),
    ("fetch_min", &[]),
    ("fetch_max", &[]),
];

/// Whether `name` is an atomic function with order and scope, and what else it accesses.
pub(crate) fn ordered_atomic(name: &str) -> Option<&'static [Role]> {
    let operation = name.strip_prefix("__nv_atomic_")?;
    let mut known = ORDERED_ATOMICS.iter();
    known.find(|it| it.0 == operation).map(|it| it.1)
}

/// Whether a file names libcu++ objects that synchronise.
pub(crate) fn names_cuda_objects(text: &str) -> bool {
    [
        "cuda::atomic",
        "cuda::std::atomic",
        "cuda::barrier",
        "cuda::std::barrier",
        "cuda::pipeline",
        "<cuda/",
    ]
    .iter()
    .any(|it| text.contains(it))
}

/// Whether a file has calls that write variables of device code by name, and so `__constant__` ones.
pub(crate) fn writes_symbols(text: &str) -> bool {
    ["ToSymbol", "cudaGetSymbolAddress"]
        .iter()
        .any(|it| text.contains(it))
}

/// Whether a file names what copies and kernels that nothing orders need: streams or graphs.
pub(crate) fn uses_streams(text: &str) -> bool {
    ["cudaStream", "cudaGraph"]
        .iter()
        .any(|it| text.contains(it))
}

/// Whether a file uses CUB.
pub(crate) fn uses_cub(text: &str) -> bool {
    ["cub::", "<cub/", "\"cub/"]
        .iter()
        .any(|it| text.contains(it))
}

/// The name in reports of aliases for `cuda::atomic_ref`, whose accesses are atomic.
pub(crate) const ATOMIC_REF: &str = "`cuda::atomic_ref`";

/// The name in reports of CUB, whose headers contain barriers.
pub(crate) const CUB: &str = "barriers inside CUB";

/// The library whose barriers a type may use, going by its spelling.
pub(crate) fn synchronising_library(text: &str) -> Option<&'static str> {
    if text.contains("cub::") {
        return Some(CUB);
    }
    let names = [
        ("cuda::barrier", "`cuda::barrier`"),
        ("cuda::std::barrier", "`cuda::std::barrier`"),
        ("cuda::pipeline", "`cuda::pipeline`"),
        ("cuda::atomic_ref", ATOMIC_REF),
        ("cuda::std::atomic_ref", ATOMIC_REF),
        ("cuda::atomic", "`cuda::atomic`"),
        ("cuda::std::atomic", "`cuda::std::atomic`"),
        ("cuda::counting_semaphore", "`cuda::counting_semaphore`"),
        ("cuda::binary_semaphore", "`cuda::binary_semaphore`"),
        ("cuda::latch", "`cuda::latch`"),
        (
            "cuda::std::counting_semaphore",
            "`cuda::std::counting_semaphore`",
        ),
        (
            "cuda::std::binary_semaphore",
            "`cuda::std::binary_semaphore`",
        ),
        ("cuda::std::latch", "`cuda::std::latch`"),
    ];
    names
        .iter()
        .find(|(name, _)| text.contains(name))
        .map(|(_, construct)| *construct)
}
