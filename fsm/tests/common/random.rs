//! Numbers that look random and are the same in every run.

/// xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
pub struct Random(u64);

impl Random {
    /// Starts with a seed that is not 0.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number less than `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
