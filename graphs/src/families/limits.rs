//! The maximum size of a generated graph.

/// The maximum number of vertices, and of edges before the orientation, of a generated graph.
///
/// Building such a graph takes a few gigabytes of memory.
pub const LARGEST: u64 = 1 << 28;

/// Checks that `count` edges among `possible` ones are allowed; returns the reason if not.
pub(super) fn edges_of(nodes: u32, count: u64, possible: u64) -> Result<usize, String> {
    if count > possible {
        let vertices = if nodes == 1 { "vertex" } else { "vertices" };
        return Err(format!(
            "{nodes} {vertices} of this family have at most {possible} edges, not {count}"
        ));
    }
    checked(count, "edges").map(|count| count as usize)
}

/// Checks that a number of vertices or edges is not too large.
pub(super) fn checked(count: u64, of: &str) -> Result<u32, String> {
    if count > LARGEST {
        return Err(format!(
            "{count} {of} are too many; the maximum is {LARGEST}"
        ));
    }
    Ok(count as u32)
}

/// Ordered pairs of different vertices.
pub(super) fn ordered_pairs(nodes: u32) -> u64 {
    u64::from(nodes) * u64::from(nodes - 1)
}
