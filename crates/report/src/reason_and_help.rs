//! The sentences for a race: why the two accesses are unordered, and what would order them.
//!
//! They describe what this run did. Whether two lines are in a loop or in branches is unknown here,
//! so every sentence must be true in either case.

use super::model::{Access, AccessKind, Position, Race, Relation, Space};
use super::pair::{Overlap, Pair};
use hirace_model::table::Branch;
use hirace_model::wire::numbers::RaceFacts;

mod barriers;
mod copies;
mod host;
mod launches;
mod ptx;
mod synchronisation;
mod texels;

pub use barriers::{BarrierAt, BarrierGroup, BarrierPlace};

/// Why the two accesses are unordered.
pub(super) fn reason(code: &str, pair: Pair<'_>) -> String {
    let why = synchronisation::reason(pair)
        .or_else(|| copies::reason(pair))
        .unwrap_or_else(|| unordered(code, pair));
    match Overlap::of(pair) {
        Some(overlap) => format!("{why}; {}", bytes(&overlap)),
        None => why,
    }
}

/// The bytes that the two accesses share.
fn bytes(overlap: &Overlap) -> String {
    let (prior, current) = (overlap.prior.len(), overlap.current.len());
    let shared = overlap.shared();
    if shared == prior {
        format!("(2) accesses {current} bytes, and (1) {shared} of them")
    } else if shared == current {
        format!("(1) accesses {prior} bytes, and (2) {shared} of them")
    } else if prior == current {
        format!("both access {prior} bytes, {shared} of them the same")
    } else {
        format!("(1) accesses {prior} bytes, (2) {current}, and {shared} are the same")
    }
}

fn unordered(code: &str, pair: Pair<'_>) -> String {
    let whose = threads(pair.relation);
    if let ("HR002", Some(branch)) = (code, pair.branch) {
        return format!(
            "{whose}; they are in different branches of the {}, neither of which waits for the \
             other, {}",
            named(branch),
            nothing_between(pair.relation)
        );
    }
    match code {
        "HR008" => launches::reason(pair),
        "HR017" => host::reason(pair),
        "HR018" => texels::reason(pair),
        "HR005" => {
            "the two threads are in different blocks, and an atomic operation of block scope \
             is atomic only among the threads of its own block"
                .to_owned()
        }
        "HR004" => format!(
            "{whose}, {}; an atomic operation orders nothing for a plain access of the same location",
            unsynchronised(pair)
        ),
        "HR006" if pair.current.access == AccessKind::Update => format!("{whose}{BOTH_UPDATE}"),
        "HR006" if stores_same(pair) => format!(
            "{whose}{BOTH_WRITE}; in this run, each stored the value that the other had stored"
        ),
        "HR006" => {
            format!("{whose}{BOTH_WRITE}; which value remains depends on which thread writes last")
        }
        _ if stores_same(pair) => format!(
            "{whose}, {}; in this run, both stored the same value",
            unsynchronised(pair)
        ),
        _ => format!("{whose}, {}", unsynchronised(pair)),
    }
}

const BOTH_WRITE: &str = " and both write the same location here";
const BOTH_UPDATE: &str = " and both update the same location here; each may read the old value before the other has \
                           stored its own, and then one update is lost";

impl Race {
    /// Says in the reason of two writes that they are halves of updates, as the source shows.
    pub fn say_that_updates(&mut self) {
        if let Some(at) = self.reason.find(BOTH_WRITE) {
            self.reason.truncate(at);
            self.reason += BOTH_UPDATE;
        }
    }
}

fn named(branch: &Branch) -> String {
    format!("`{}` on line {}", branch.construct, branch.line)
}

/// Whether the two accesses stored the same value, each time that it was compared.
fn stores_same(pair: Pair<'_>) -> bool {
    pair.facts.has(RaceFacts::EQUAL_VALUES) && !pair.facts.has(RaceFacts::OTHER_VALUES)
}

/// What did not come between the two accesses.
fn unsynchronised(pair: Pair<'_>) -> &'static str {
    match has_grid_barriers(pair) {
        true => "and no barrier of the whole grid came between the two accesses",
        false => nothing_between(pair.relation),
    }
}

/// Whether a barrier of the grid can order the two.
fn has_grid_barriers(pair: Pair<'_>) -> bool {
    pair.relation == Relation::Grid && pair.facts.has(RaceFacts::COOPERATIVE)
}

fn threads(relation: Relation) -> &'static str {
    match relation {
        Relation::Warp => "the two threads are lanes of one warp, which run independently",
        Relation::Block => "the two threads are in different warps of one block",
        Relation::Grid => "the two threads are in different blocks",
        Relation::Launch => "the two threads are in different launches",
        Relation::Host => "one of the accesses is by the host",
    }
}

fn nothing_between(relation: Relation) -> &'static str {
    match relation {
        Relation::Warp => {
            "and neither `__syncwarp()` nor `__syncthreads()` came between the two accesses"
        }
        Relation::Block => "and no `__syncthreads()` came between the two accesses",
        Relation::Grid => "and nothing orders the two accesses",
        Relation::Launch => "and nothing orders the two launches",
        Relation::Host => "and the host has not waited",
    }
}

/// What would order the two accesses, or make their order irrelevant.
pub(super) fn help(code: &str, pair: Pair<'_>) -> String {
    if let Some(help) = synchronisation::help(pair).or_else(|| copies::help(pair)) {
        return help;
    }
    if let ("HR001" | "HR002", Some(branch)) = (code, pair.branch) {
        return barriers::help_for_branches(code, &named(branch));
    }
    match code {
        "HR001" | "HR002" => barriers::help(code, positions(pair)),
        "HR003" if in_cluster(pair) => barriers::between(
            positions(pair),
            barriers::CLUSTER_BARRIER,
            barriers::OF_CLUSTER,
        ),
        "HR003" => across_blocks(pair),
        "HR007" => bytes_of_its_own(pair),
        "HR008" => launches::help(pair),
        "HR017" => host::help(pair),
        "HR018" => texels::help(pair),
        "HR004" => mixed(pair),
        "HR005" => {
            "use the device-wide form (the same name without `_block`, `.gpu` in inline PTX, \
             `thread_scope_device`), or give each block its own location"
                .to_owned()
        }
        _ => many_writers(pair),
    }
}

fn positions(pair: Pair<'_>) -> [&Position; 2] {
    [&pair.prior.position, &pair.current.position]
}

fn across_blocks(pair: Pair<'_>) -> String {
    let variable = variable(pair);
    if let Some(update) = updating(pair) {
        return format!(
            "make both accesses atomic, such as `atomicAdd({}, ...)` for the update; or {}; \
             a `__syncthreads()` does not order different blocks",
            address(update),
            between_blocks(pair)
        );
    }
    format!(
        "{}; or give each block its own part of {variable}; if any order will do, make both atomic; \
         a `__syncthreads()` does not order different blocks",
        between_blocks(pair)
    )
}

/// The beginning of the help for an update that has an atomic form.
pub const ATOMIC_UPDATE: &str = "make the update one atomic operation";

/// What orders different blocks in a launch that has no barriers of the grid.
const ANOTHER_LAUNCH: &str = "end the kernel between the two accesses, or launch it cooperatively and put a \
                              `grid.sync()` between them";

impl Race {
    /// Whether its help names the place of a barrier of the grid or the cluster.
    pub(crate) fn has_place_of_grid_barrier(&self) -> bool {
        self.code == "HR003"
            && self.relation == Relation::Grid
            && !self.lacks_barrier_place()
            && !self.help.contains(ANOTHER_LAUNCH)
    }
}

/// What orders different blocks.
fn between_blocks(pair: Pair<'_>) -> String {
    match has_grid_barriers(pair) {
        true => barriers::between(positions(pair), barriers::GRID_BARRIER, barriers::OF_GRID),
        false => ANOTHER_LAUNCH.to_owned(),
    }
}

fn mixed(pair: Pair<'_>) -> String {
    let plain = if pair.prior.access.is_atomic() {
        pair.current
    } else {
        pair.prior
    };
    let text = plain.position.text.as_deref().unwrap_or("");
    if text.starts_with("init(") {
        // The initialisation of a barrier object (libcu++).
        return format!(
            "initialise the object before others use it: {}",
            order(pair)
        );
    }
    let place = address(plain);
    let atomic = match plain.access {
        AccessKind::VolatileRead => {
            format!("the read as `load()` of a `cuda::atomic_ref`, or as `atomicAdd({place}, 0)`")
        }
        AccessKind::Read => {
            format!(
                "the read as `load()` of a `cuda::atomic_ref`, as a volatile read, or as \
                 `atomicAdd({place}, 0)`"
            )
        }
        AccessKind::Write | AccessKind::VolatileWrite => {
            format!(
                "the write as `store()` of a `cuda::atomic_ref`, or as `atomicExch({place}, ...)`"
            )
        }
        _ => format!("the update as `atomicAdd({place}, ...)` or the like"),
    };
    format!(
        "make the plain access atomic, too ({atomic}){}{}",
        barriers::OR_ORDER,
        order(pair)
    )
}

fn many_writers(pair: Pair<'_>) -> String {
    if pair.current.access == AccessKind::Update {
        // No atomic operation is this wide: an object, such as the state of a random number generator.
        if let Some(bytes @ 17..) = pair.current.size {
            return format!(
                "give each thread an object of its own: no atomic operation updates {bytes} bytes"
            );
        }
        return format!(
            "{ATOMIC_UPDATE}, such as `atomicAdd({}, ...)` for `+=`",
            address(pair.current)
        );
    }
    let iterations = match pair.relation {
        Relation::Warp => {
            "; if the writes belong to different iterations of a loop, a `__syncwarp()` between the iterations orders them"
        }
        Relation::Block => {
            "; if the writes belong to different iterations of a loop, a `__syncthreads()` between the iterations orders them"
        }
        Relation::Grid | Relation::Launch | Relation::Host => "",
    };
    // There is no atomic for bytes and short integers.
    let needs = match pair.current.size {
        Some(..4) => ", which needs elements of 4 or 8 bytes",
        _ => "",
    };
    let one = format!(
        "let one thread write, or give each its own element of {}",
        variable(pair)
    );
    let text = pair.current.position.text.as_deref().unwrap_or("");
    if text.contains("store_matrix_sync") {
        return format!(
            "let one warp write, or give each its own part of {}{iterations}",
            variable(pair)
        );
    }
    if stores_same(pair) {
        return format!(
            "{one}; or write it with `atomicExch`{needs}{iterations}; to accept writes of one value, \
             set `same-value-writes = \"benign\"` under `[check]` in `hirace.toml`"
        );
    }
    format!("{one}; if any of the values will do, write it with `atomicExch`{needs}{iterations}")
}

fn bytes_of_its_own(pair: Pair<'_>) -> String {
    format!(
        "align both accesses so that each thread touches only its own bytes: {}; if they are meant \
         to share bytes, {}",
        misfit(pair),
        order(pair)
    )
}

/// How two partly overlapping accesses differ.
fn misfit(pair: Pair<'_>) -> String {
    let size = |access: &Access| access.size.unwrap_or_default();
    let (prior, current) = (size(pair.prior), size(pair.current));
    if prior == current {
        let apart = pair.prior.begin.unwrap_or_default().abs();
        return format!("they begin {apart} bytes apart");
    }
    let wide = if prior > current {
        pair.prior
    } else {
        pair.current
    };
    format!(
        "`{}` accesses {} bytes, the other {}",
        text(wide),
        prior.max(current),
        prior.min(current)
    )
}

fn order(pair: Pair<'_>) -> &'static str {
    match pair.relation {
        Relation::Grid if in_cluster(pair) => "put a `cluster.sync()` between the two",
        Relation::Grid if has_grid_barriers(pair) => "put a `grid.sync()` between the two",
        Relation::Warp => barriers::BY_WARP,
        Relation::Block => barriers::BY_BLOCK,
        Relation::Grid | Relation::Launch | Relation::Host => "end the kernel between the two",
    }
}

/// Whether the threads are in different blocks of a cluster: only those share shared memory.
fn in_cluster(pair: Pair<'_>) -> bool {
    pair.relation == Relation::Grid && pair.space == Space::Shared
}

fn updating<'a>(pair: Pair<'a>) -> Option<&'a Access> {
    [pair.prior, pair.current]
        .into_iter()
        .find(|access| access.access == AccessKind::Update)
}

/// The help for two parts of dynamic shared memory, each with a name of its own in the kernel, that share bytes; `None`
/// if one name has both. Two parameters of a function may have been passed the same part.
pub(super) fn overlap_of_parts(prior: &Access, current: &Access) -> Option<String> {
    let [one, other] = [prior, current].map(|it| &it.position);
    let [first, second] = [one, other].map(|it| it.variable.as_deref().unwrap_or_default());
    let has_both = !first.is_empty() && !second.is_empty() && first != second;
    let is_in_kernel = one.calls.is_empty() && other.calls.is_empty();
    (has_both && is_in_kernel && one.file == other.file && one.function == other.function).then(|| {
        format!(
            "`{first}` and `{second}` overlap in dynamic shared memory: check where each begins, and how long it is"
        )
    })
}

fn variable(pair: Pair<'_>) -> String {
    let name = pair.current.position.variable.as_deref();
    name.filter(|name| !name.is_empty())
        .map_or_else(|| "the array".to_owned(), |name| format!("`{name}`"))
}

/// The address of an access as source code.
fn address(access: &Access) -> String {
    let text = text(access);
    match text.strip_prefix('*') {
        Some(pointer) => pointer.trim_start().to_owned(),
        None => format!("&{text}"),
    }
}

fn text(access: &Access) -> &str {
    // An `asm` statement is no expression.
    let text = access.position.text.as_deref();
    text.filter(|it| !ptx::is_assembly(it)).unwrap_or("x")
}
