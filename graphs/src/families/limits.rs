//! How large a generated graph may be.

/// The most vertices, and the most edges before the orientation, that a generated graph has.
///
/// Such a graph takes a few gigabytes while it is made.
pub const LARGEST: u64 = 1 << 28;

/// `count` edges among `possible` ones, or the reason why not.
pub(super) fn edges_of(nodes: u32, count: u64, possible: u64) -> Result<usize, String> {
    if count > possible {
        let vertices = if nodes == 1 { "vertex" } else { "vertices" };
        return Err(format!(
            "{nodes} {vertices} of this family have at most {possible} edges, not {count}"
        ));
    }
    most(count, "edges").map(|count| count as usize)
}

/// A number of vertices or edges that is small enough to be made.
pub(super) fn most(count: u64, of: &str) -> Result<u32, String> {
    if count > LARGEST {
        return Err(format!(
            "{count} {of} are too many; graphs with up to {LARGEST} are made"
        ));
    }
    Ok(count as u32)
}

/// Ordered pairs of different vertices.
pub(super) fn ordered_pairs(nodes: u32) -> u64 {
    u64::from(nodes) * u64::from(nodes - 1)
}
