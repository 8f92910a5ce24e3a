//! The definition of a race, on sets of kinds of accesses with one bit each.

use crate::alphabet::Access;

/// The bit of a kind.
pub(super) const fn bit(access: Access) -> u16 {
    1 << access as u16
}

/// For each kind of access, whether one by this thread races if these accesses of other threads of
/// its block and of other blocks are not ordered before it.
pub(super) fn races(in_block: u16, elsewhere: u16) -> [bool; Access::ALL.len()] {
    Access::ALL.map(|access| {
        Access::ALL.into_iter().any(|earlier| {
            in_block & bit(earlier) != 0 && conflict(earlier, access, true)
                || elsewhere & bit(earlier) != 0 && conflict(earlier, access, false)
        })
    })
}

/// Whether two accesses by different threads race if nothing orders them.
///
/// `history.rs` defines this separately, on purpose: the two definitions are tested against each
/// other.
fn conflict(one: Access, other: Access, same_block: bool) -> bool {
    use Access::{BlockAtomic, GridAtomic, Read};
    match (one, other) {
        (Read, Read) | (GridAtomic, GridAtomic) => false,
        (BlockAtomic | GridAtomic, BlockAtomic | GridAtomic) => !same_block,
        _ => true,
    }
}
