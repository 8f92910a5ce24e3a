//! Stack space for recursion over deep trees.

/// Trees deeper than this are not rewritten.
pub(crate) const DEPTH_LIMIT: usize = 20_000;

/// The depth that fits on every thread's stack.
pub(crate) const ORDINARY_DEPTH: usize = 200;

/// Stack for one level of a tree, with a margin.
const LEVEL_BYTES: usize = 16 << 10;

/// Runs `work`, which recurses as deep as a tree of depth `depth`, on a large enough stack. Returns
/// none if no stack is large enough.
pub(crate) fn with_depth<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    if depth <= ORDINARY_DEPTH {
        return Some(work());
    }
    if depth > DEPTH_LIMIT {
        return None;
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(depth * LEVEL_BYTES + (1 << 20))
            .spawn_scoped(scope, work)
            .ok()?
            .join()
            .ok()
    })
}
