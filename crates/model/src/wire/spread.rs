//! The extent of a race: locations in memory and blocks, as sets of bits.

use super::records::{BLOCK_WORDS, PLACE_WORDS, Spread};

impl Default for Spread {
    /// No location and no block.
    fn default() -> Self {
        Self {
            min_place: 0,
            max_place: 0,
            max_block: 0,
            places: [0; PLACE_WORDS],
            blocks: [0; BLOCK_WORDS],
        }
    }
}

impl Spread {
    /// The locations and blocks of both.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        // The larger complement is that of the lower address.
        self.min_place = self.min_place.max(other.min_place);
        self.max_place = self.max_place.max(other.max_place);
        self.max_block = self.max_block.max(other.max_block);
        let places = self.places.iter_mut().zip(&other.places);
        let blocks = self.blocks.iter_mut().zip(&other.blocks);
        places.chain(blocks).for_each(|(word, bits)| *word |= bits);
        self
    }

    /// The number of locations, and whether there may be more.
    #[must_use]
    pub fn count_places(&self) -> (u32, bool) {
        let range = self.max_place.saturating_sub(!self.min_place);
        (ones(&self.places), range >= 32 * PLACE_WORDS as u64)
    }

    /// The number of blocks, and whether there may be more.
    #[must_use]
    pub fn count_blocks(&self) -> (u32, bool) {
        let more = self.max_block >= 32 * BLOCK_WORDS as u64;
        (ones(&self.blocks), more)
    }
}

fn ones(words: &[u32]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Like `note_spread` of `device/hirace/checker/spread.h`.
    fn seen(
        places: impl IntoIterator<Item = u64>,
        blocks: impl IntoIterator<Item = u64>,
    ) -> Spread {
        let mut spread = Spread::default();
        for place in places {
            spread.min_place = spread.min_place.max(!place);
            spread.max_place = spread.max_place.max(place);
            spread.places[(place / 32) as usize % PLACE_WORDS] |= 1 << (place % 32);
        }
        for block in blocks {
            spread.max_block = spread.max_block.max(block);
            spread.blocks[(block / 32) as usize % BLOCK_WORDS] |= 1 << (block % 32);
        }
        spread
    }

    #[test]
    fn numbers_are_exact_while_no_two_can_share_a_bit() {
        let spread = seen(1_000_000..1_002_048, [0, 1023]);
        assert_eq!(spread.count_places(), (2048, false));
        assert_eq!(spread.count_blocks(), (2, false));
        let spread = seen([7, 7 + 2048, 9], [3, 1024]);
        assert_eq!(spread.count_places(), (2, true));
        assert_eq!(spread.count_blocks(), (2, true));
        assert_eq!(Spread::default().count_places(), (0, false));
    }

    #[test]
    fn together() {
        let spread = seen([5, 6], [1])
            .with(&seen([6, 7], [2]))
            .with(&Spread::default());
        assert_eq!(spread.count_places(), (3, false));
        assert_eq!(spread.count_blocks(), (2, false));
    }
}
