//! Which launch shapes and warp sizes are tried.
//!
//! Many bugs need more threads than a small graph keeps busy, or a block with several warps, or
//! blocks that share what the last one left. One shape shows those that it reaches.

use super::options::Options;
use super::tool::WARP;

/// The shape of a sweep without `--shape`: two warps in a block, and more blocks than the small
/// graphs have vertices, as a block for each vertex needs.
pub const ONE: (u32, u32) = (64, 256);

/// What `--explore` adds: a warp in a block, many warps in few blocks, and a single block, whose
/// threads each do several rounds of a persistent kernel.
const MORE: [(u32, u32); 3] = [(32, 256), (256, 64), (64, 1)];

/// Warp sizes that `--explore` adds. Two lanes make every granularity's smallest team.
const SMALLER: [u32; 2] = [8, 2];

/// Threads of a block and blocks of the grid, in order.
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

/// Lanes of a warp, in order.
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
