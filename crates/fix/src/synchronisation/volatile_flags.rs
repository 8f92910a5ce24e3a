//! Fences for flags that are volatile variables.
//!
//! Without any fence or atomic, nothing in a run shows that a variable is a flag; the text does: one access is followed
//! by a write of the variable, and a read of it precedes the other access.

use hirace_report::Race;
use hirace_syntax::tree::{Kind, Node};

use super::{Change, after_read, fence_for, fenced, place};
use crate::barriers;
use crate::calls::AccessPlaces;
use crate::insert;
use crate::syntax::{Sources, Syntax};

/// Fences before the write and after the read of the flag, and barriers for the threads that neither writes nor reads it.
pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let [prior, current] = race.accesses.each_ref().map(|it| &it.position);
    let Some((prior, current)) = place(prior, sources).zip(place(current, sources)) else {
        return Vec::new();
    };
    // Without order, either may have come first.
    let orders = [(prior, current), (current, prior)];
    let mut found = Vec::new();
    for ((from, sent), (to, received)) in orders {
        let writes = volatile_accesses(sources, from, sent).into_iter();
        let mut writes = writes.filter(|it| it.is_write && it.node.start() >= sent.end());
        let reads = volatile_accesses(sources, to, received).into_iter();
        let reads = reads.filter(|it| !it.is_write && it.node.end() <= received.start());
        let reads: Vec<_> = reads.collect();
        let pair = writes.find_map(|write| {
            let read = reads.iter().rfind(|it| it.name == write.name)?;
            Some((write.node, read.node))
        });
        let Some((write, read)) = pair else {
            continue;
        };
        let fence = fence_for(race);
        let release = insert::statement_of(write)
            .and_then(|it| fenced(fence, insert::before(from, it, fence)));
        let acquire = after_read(to, read, fence).and_then(|it| fenced(fence, it));
        let both = release.clone().zip(acquire.clone());
        let both = both.map(|((release, before), (acquire, after))| {
            (format!("{release} and {acquire}"), [before, after].concat())
        });
        found.extend(both.into_iter().chain(release).chain(acquire));
        for (syntax, prior, current) in [(from, sent, write), (to, read, received)] {
            let accesses = AccessPlaces {
                syntax,
                prior,
                current,
            };
            found.extend(barriers::of_block(&accesses, sources));
        }
    }
    found
}

/// An access of a volatile variable.
struct VolatileAccess<'t> {
    name: &'t str,
    node: Node<'t>,
    is_write: bool,
}

/// The accesses of volatile variables in the function around a place.
fn volatile_accesses<'t>(
    sources: &Sources<'_>,
    syntax: &'t Syntax<'_>,
    place: Node<'t>,
) -> Vec<VolatileAccess<'t>> {
    let Some(function) = place.enclosing_function() else {
        return Vec::new();
    };
    let names = function.descendants_of(Kind::Identifier);
    let certain = names.filter(|it| !syntax.is_uncertain(it.start()));
    let accesses = certain.filter_map(|node| {
        let statement = insert::statement_of(node)?;
        let name = syntax.node_text(node);
        let mut around = node.ancestors_within(statement);
        // As in `*(volatile int*)&flag`.
        let is_cast =
            |it: Node<'_>| it.is(Kind::CastExpression) && syntax.node_text(it).contains("volatile");
        if !around.any(is_cast) && !sources.is_volatile(name) {
            return None;
        }
        let is_target = |it: Node<'_>| it.assigned().is_some_and(|it| it.encloses(node));
        let is_write = node.ancestors_within(statement).any(is_target);
        Some(VolatileAccess {
            name,
            node,
            is_write,
        })
    });
    accesses.collect()
}
