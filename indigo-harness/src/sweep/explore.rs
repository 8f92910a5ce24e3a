//! The launch shapes and warp sizes to try.
//!
//! Many bugs need more threads than a small graph keeps busy, or a block with several warps, or
//! blocks that reuse the state of an earlier one. One shape shows only the bugs that it reaches.

use super::options::Options;
use super::tool::WARP;

/// The shape of a sweep without `--shape`: two warps per block, and more blocks than the small
/// graphs have vertices, as a block per vertex needs.
pub const ONE: (u32, u32) = (64, 256);

/// The shapes that `--explore` adds: a warp per block, many warps in few blocks, and a single
/// block, whose threads each do several rounds of a persistent kernel.
const MORE: [(u32, u32); 3] = [(32, 256), (256, 64), (64, 1)];

/// Warp sizes that `--explore` adds. Two lanes are the smallest team of every granularity.
const SMALLER: [u32; 2] = [8, 2];

/// Threads per block and blocks per grid, in order.
#[must_use]
pub fn shapes(options: &Options) -> Vec<(u32, u32)> {
    let mut shapes = options.shapes.clone();
    if shapes.is_empty() {
        shapes.push(ONE);
    }
    if options.explore {
        shapes.extend(MORE);
    }
    distinct(shapes)
}

/// Lanes per warp, in order.
#[must_use]
pub fn warp_sizes(options: &Options) -> Vec<u32> {
    let mut sizes = options.warp_sizes.clone();
    if sizes.is_empty() {
        sizes.push(WARP);
    }
    if options.explore {
        sizes.extend(SMALLER);
    }
    distinct(sizes)
}

fn distinct<T: PartialEq + Copy>(items: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}
