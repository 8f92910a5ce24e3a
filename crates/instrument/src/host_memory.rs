//! Whether a program has memory that the host and kernels may both access.

/// Names of functions, qualifiers and classes that make such memory.
const MAKERS: [&str; 12] = [
    "cudaMallocManaged",
    "cudaMallocHost",
    "cudaHostAlloc",
    "cudaHostRegister",
    "__managed__",
    "cuMemAllocManaged",
    "cuMemAllocHost",
    "cuMemHostAlloc",
    "cuMemHostRegister",
    "universal_vector",
    "universal_allocator",
    "universal_host_pinned",
];

/// Whether a file of the program has such a name. Its host code should then report its accesses; that
/// costs time, so a program without them must not.
#[must_use]
pub fn shares_memory(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    MAKERS.iter().any(|name| text.contains(name))
}
