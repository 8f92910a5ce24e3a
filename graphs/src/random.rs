//! Random numbers that are the same on every machine and in every version.

use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// The SplitMix64 generator (Steele, Lea and Flood, OOPSLA 2014): it has 64 bits of state, passes
/// BigCrush, and needs only a seed.
pub(super) struct SplitMix64(rand_xoshiro::SplitMix64);

impl SplitMix64 {
    pub(super) fn new(seed: u64) -> Self {
        Self(rand_xoshiro::SplitMix64::seed_from_u64(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, which must not be 0.
    ///
    /// Multiplying and shifting has a bias of less than `bound / 2^32`, far too small to show in a
    /// test graph.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Puts `items`, at most 2^32 of them, in random order (Fisher and Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// The numbers below `n` in random order.
    pub(super) fn shuffled(&mut self, n: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n).collect();
        self.shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference_implementation() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers: [u64; 3] = std::array::from_fn(|_| random.next());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn bounds_hold_and_are_reached() {
        let mut random = SplitMix64::new(1);
        let mut seen = [0; 7];
        for _ in 0..7_000 {
            seen[random.below(7) as usize] += 1;
        }
        assert!(
            seen.iter().all(|&count| (800..1200).contains(&count)),
            "{seen:?}"
        );
    }
}
