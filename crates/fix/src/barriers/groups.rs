//! The groups of threads whose barrier may order the accesses of a race.

use hirace_report::{Race, Relation, Space};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::Words;

use super::{Barrier, call, statements};
use crate::calls::AccessPlaces;
use crate::syntax::Sources;
use crate::uniform::{Group, is_of_one, object_for};

/// The barrier of the tile that the function around two lanes' accesses got from its caller: what the function does for a
/// tile is for the threads of that tile.
pub(crate) fn of_parameter<'s>(
    race: &Race,
    accesses: &AccessPlaces<'_>,
    sources: &'s Sources<'s>,
) -> Option<Barrier<'s>> {
    let tile = tile(accesses).filter(|_| race.relation == Relation::Warp)?;
    Some(Barrier {
        call: format!("{tile}.sync();"),
        group: Group::Warp,
        sources,
        of_one: true,
    })
}

/// The parameter that is a tile of threads, of the function around the accesses.
fn tile<'t>(accesses: &AccessPlaces<'t>) -> Option<&'t str> {
    let syntax = accesses.syntax;
    let function = accesses.prior.enclosing_function()?;
    let body = function.child(Field::Body)?;
    let is_tile = |it: &Node<'_>| {
        let class_text = it.child_text(Field::Type, syntax.text);
        let name = class_text.rsplit("::").next().unwrap_or(class_text);
        name.split('<')
            .next()
            .is_some_and(|it| it.trim() == "thread_block_tile")
    };
    let mut parameters = function
        .descendants_of(Kind::ParameterDeclaration)
        .filter(|it| it.end() <= body.start());
    let found = parameters.find(is_tile)?;
    syntax.declared(found)
}

/// Whether the text shows that both accesses are those of one warp or tile: by their places, or because only its threads
/// meet in the block of statements around the two.
pub(crate) fn are_of_one(places: &AccessPlaces<'_>, sources: &Sources<'_>, group: Group) -> bool {
    let of_one = |place| is_of_one(sources, places.syntax, place, group);
    let meets = || {
        let call = call(group, places, sources)?;
        let block = statements(places)?.0.parent()?;
        let mut statements = block.named_children();
        Some(group.lanes().is_some() && statements.any(|it| places.syntax.node_text(it) == call))
    };
    of_one(places.prior) && of_one(places.current) || meets().unwrap_or(false)
}

/// Functions of barrier objects, latches and semaphores. One thread may call them for its warp or block,
/// whose other threads then need a barrier of their own.
const BY_A_LEADER: Words =
    Words::of("acquire arrive arrive_and_wait count_down release try_wait wait wait_parity");

/// The groups whose barrier may order the accesses of a race, the smallest that suffices first.
pub(crate) fn suited(
    race: &Race,
    places: &[AccessPlaces<'_>],
    sources: &Sources<'_>,
) -> Vec<Group> {
    match race.relation {
        Relation::Warp => {
            let tiles = [2, 4, 8, 16].map(Group::Tile).into_iter();
            let has_object = |group: &Group| {
                let mut all = places.iter();
                all.any(|it| object_for(sources, it.syntax, it.first(), *group).is_some())
            };
            let others = [Group::Warp, Group::Block];
            tiles.filter(has_object).chain(others).collect()
        }
        Relation::Block => vec![Group::Block],
        // Shared memory of another block is in reach within a cluster.
        Relation::Grid if race.space == Space::Shared => vec![Group::Cluster],
        Relation::Grid => vec![Group::Cluster, Group::Grid],
        // Only the host can order these.
        Relation::Launch | Relation::Host => Vec::new(),
    }
}

/// The same, and smaller groups if one of their threads acts for all.
pub(super) fn groups(
    race: &Race,
    places: &[AccessPlaces<'_>],
    sources: &Sources<'_>,
) -> Vec<Group> {
    let is_led = || {
        let functions = places.iter().filter_map(|it| {
            let function = it.current.enclosing_function()?;
            Some((it.syntax, function))
        });
        let mut calls = functions.flat_map(|(syntax, function)| {
            let calls = function.descendants_of(Kind::CallExpression);
            calls.map(move |call| call.child_text(Field::Function, syntax.text))
        });
        calls.any(|it| BY_A_LEADER.has(it.rsplit(['.', '>']).next().unwrap_or(it)))
    };
    let mut groups = suited(race, places, sources);
    match race.relation {
        Relation::Block if is_led() => groups.push(Group::Warp),
        Relation::Grid if race.space != Space::Shared && is_led() => groups.push(Group::Block),
        _ => {}
    }
    groups
}
