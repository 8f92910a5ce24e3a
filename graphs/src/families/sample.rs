//! Sets of distinct edges, drawn at random.

use std::collections::HashSet;

use super::limits::LARGEST;
use crate::random::SplitMix64;

/// Draws pairs until there are `count` distinct ones without loops; returns them in ascending
/// order.
///
/// The set consists of the first distinct pairs drawn, however they are stored.
///
/// # Errors
/// So many draws repeat earlier ones that `count` would take too long; the message says how many
/// distinct ones there were.
pub fn distinct(
    count: usize,
    random: &mut SplitMix64,
    mut draw: impl FnMut(&mut SplitMix64) -> (u32, u32),
) -> Result<Vec<(u32, u32)>, String> {
    let mut found: Vec<(u32, u32)> = (0..count).map(|_| draw(random)).collect();
    found.retain(|(from, to)| from != to);
    found.sort_unstable();
    found.dedup();
    // Missing pairs are drawn one by one, so that no unnecessary draw is made.
    let mut late = HashSet::new();
    let mut draws = count as u64;
    while found.len() + late.len() < count {
        if draws == max_draws(count) {
            return Err(format!(
                "{draws} random edges were only {} different ones, not {count}; request fewer",
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

/// The maximum number of draws. Small graphs may be nearly full, so that an edge takes many draws.
fn max_draws(count: usize) -> u64 {
    (count as u64 * 64).max(LARGEST >> 4)
}
