//! Sets of different edges, drawn at random.

use std::collections::HashSet;

use super::limits::LARGEST;
use crate::random::SplitMix64;

/// Draws pairs until there are `count` different ones without loops; in ascending order.
///
/// A set of that size is the first one that the draws make, however they are stored.
///
/// # Errors
/// Draws repeat themselves so much that `count` would take too long; the message says how many
/// different ones there were.
pub fn different(
    count: usize,
    random: &mut SplitMix64,
    mut draw: impl FnMut(&mut SplitMix64) -> (u32, u32),
) -> Result<Vec<(u32, u32)>, String> {
    let mut found: Vec<(u32, u32)> = (0..count).map(|_| draw(random)).collect();
    found.retain(|(from, to)| from != to);
    found.sort_unstable();
    found.dedup();
    // What is still missing is found one by one; no draw is made that is not needed.
    let mut late = HashSet::new();
    let mut draws = count as u64;
    while found.len() + late.len() < count {
        if draws == patience(count) {
            return Err(format!(
                "{draws} random edges were only {} different ones, not {count}; ask for fewer",
                found.len() + late.len()
            ));
        }
        draws += 1;
        let pair = draw(random);
        if pair.0 != pair.1 && found.binary_search(&pair).is_err() {
            late.insert(pair);
        }
    }
    found.extend(late);
    found.sort_unstable();
    Ok(found)
}

/// How many draws are worth it. Small graphs may be full, which takes many draws for an edge.
fn patience(count: usize) -> u64 {
    (count as u64 * 64).max(LARGEST >> 4)
}
