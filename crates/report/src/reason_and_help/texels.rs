//! The sentences for a read through a texture or a surface, of what the same launch has written.

use super::super::pair::Pair;
use super::text;

pub(super) fn reason(pair: Pair<'_>) -> String {
    let (prior, current) = (pair.prior, pair.current);
    let same =
        prior.thread.is_some() && (prior.block, prior.thread) == (current.block, current.thread);
    let whose = if same {
        "(1) and (2) are by one thread of one launch"
    } else {
        "(1) and (2) are by two threads of one launch"
    };
    format!(
        "{whose}, and (2) reads through a cache that does not see what its own launch has written: no \
         barrier or fence changes that"
    )
}

pub(super) fn help(pair: Pair<'_>) -> String {
    let instead = if text(pair.current).starts_with("surf") {
        "keep the value in a variable or in shared memory"
    } else {
        "read with an ordinary load, if the texture is not one of an array"
    };
    format!(
        "end the kernel between the two accesses; or write to other memory, such as a second buffer \
         that changes places with this one after each launch; or {instead}"
    )
}
