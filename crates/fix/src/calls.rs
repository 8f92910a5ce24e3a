//! Where each function contains the accesses of a race, or calls that lead to them.

use hirace_report::{Access, Race};
use hirace_syntax::tree::Node;

use super::syntax::{Sources, Syntax};

/// The maximum number of pairs of places to consider in one function.
const MAX_PAIRS: usize = 16;

/// A function, and the places in it of the prior and of the current access.
pub(super) struct AccessPlaces<'t> {
    pub syntax: &'t Syntax<'t>,
    pub prior: Node<'t>,
    pub current: Node<'t>,
}

impl<'t> AccessPlaces<'t> {
    /// The place that comes first in the text.
    pub fn first(&self) -> Node<'t> {
        match self.prior.start() < self.current.start() {
            true => self.prior,
            false => self.current,
        }
    }
}

/// All functions that may order the accesses: first the one that contains both, then those with
/// calls that lead to them.
pub(super) fn access_places<'t>(race: &Race, sources: &'t Sources<'_>) -> Vec<AccessPlaces<'t>> {
    let [prior, current] = &race.accesses;
    let [to_prior, to_current] = race.accesses.each_ref().map(|access| {
        let name = access.position.function.as_deref();
        name.map_or_else(Vec::new, |it| sources.leading_to(last_word(it)))
    });
    let mut found = Vec::new();
    for syntax in sources.all() {
        for function in syntax.functions() {
            let priors = places(syntax, function, prior, &to_prior);
            let currents = places(syntax, function, current, &to_current);
            let pairs = priors
                .iter()
                .flat_map(|a| currents.iter().map(move |b| (*a, *b)));
            // Of two calls that may be either, take one order only.
            let has_reverse =
                |(a, b): &(Node<'_>, Node<'_>)| priors.contains(b) && currents.contains(a);
            let pairs = pairs.filter(|it| it.0.start() <= it.1.start() || !has_reverse(it));
            let pairs = pairs.take(MAX_PAIRS).map(|(prior, current)| AccessPlaces {
                syntax,
                prior,
                current,
            });
            found.extend(pairs);
        }
    }
    let is_direct = |found: &AccessPlaces<'_>| {
        let direct = |access: &Access, node: Node<'_>| {
            access.position.file.as_deref() == Some(found.syntax.file)
                && node == found.syntax.at(&access.position.range)
        };
        direct(prior, found.prior) && direct(current, found.current)
    };
    found.sort_by_key(|it| !is_direct(it));
    found
}

/// The access itself if the function contains it, or else the calls that may lead to it: those of the functions and
/// macros `leading`.
fn places<'t>(
    syntax: &'t Syntax<'_>,
    function: Node<'t>,
    access: &Access,
    leading: &[&str],
) -> Vec<Node<'t>> {
    let position = &access.position;
    if position.file.as_deref() == Some(syntax.file) {
        let node = syntax.at(&position.range);
        if node.ancestors().any(|it| it == function) {
            return vec![node];
        }
    }
    let calls = leading.iter().flat_map(|it| syntax.calls(function, it));
    calls.collect()
}

/// `f` of `a::f<int>`, the name of a function in a report.
fn last_word(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name).trim();
    name.rsplit([':', '.', '>']).next().unwrap_or(name)
}
