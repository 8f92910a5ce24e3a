//! The sentences for a missing barrier: where one orders the two accesses.
//!
//! The places of the accesses say only that it must be between them. Who has read the source can name a
//! place that all threads reach ([`Race::name_barrier`]).

use crate::model::{Position, Race, Relation};

/// A place where a barrier orders the accesses of a race; all threads of its group reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierPlace {
    /// The barrier, such as `__syncthreads()`.
    pub call: String,
    /// Those who must reach it.
    pub group: BarrierGroup,
    /// Where it is.
    pub at: BarrierAt,
}

/// The threads that a barrier joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarrierGroup {
    /// The lanes of a warp.
    Warp,
    /// The threads of a block.
    Block,
    /// The threads of a cluster.
    Cluster,
    /// The threads of a grid.
    Grid,
    /// The threads of an object of cooperative groups: its name.
    Named(String),
}

impl BarrierGroup {
    /// All of them, in a sentence.
    fn everyone(&self) -> String {
        match self {
            Self::Warp => LANES.to_owned(),
            Self::Block => THREADS.to_owned(),
            Self::Cluster => OF_CLUSTER.to_owned(),
            Self::Grid => OF_GRID.to_owned(),
            Self::Named(name) => format!("every thread of `{name}`"),
        }
    }
}

/// Where a barrier is missing. The texts are fragments such as `before line 18` and
/// `at the end of the loop of line 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarrierAt {
    /// Between the two, which no loop repeats.
    Between(String),
    /// The two are in a loop, whose iterations have no barrier between them either.
    BetweenAndEnd(String, String),
    /// Only between iterations: within one, there is a barrier between the two, or they access different
    /// elements.
    End(String),
    /// Only between calls of a function, which is named: within one, there is a barrier between the two.
    BetweenCalls(String, String),
    /// Between iterations. For one iteration, there is no such place.
    EndAtLeast(String),
    /// Perhaps between the two, if no barrier is there already, and at the end of the loop around them. Not all
    /// threads may reach these places.
    InLoop(Option<String>, String),
    /// Within one statement, which no loop repeats.
    Statement,
    /// Within a branch that not all threads may enter, such as `the `if` of line 24`, and that no loop repeats.
    /// The two may be in one statement.
    Branch(String, bool),
    /// Somewhere between the two; their lines are not in the order in which they run, as in lambdas.
    Somewhere,
    /// No place can be named, only the barrier.
    Unknown,
}

impl BarrierAt {
    /// The same, with the file that the lines are in.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        let place = |at: String| format!("{at} in {file}");
        match self {
            Self::Between(at) => Self::Between(place(at)),
            Self::BetweenAndEnd(at, end) => Self::BetweenAndEnd(place(at), end),
            Self::End(end) => Self::End(place(end)),
            Self::BetweenCalls(at, function) => Self::BetweenCalls(place(at), function),
            Self::EndAtLeast(end) => Self::EndAtLeast(place(end)),
            Self::InLoop(between, end) => Self::InLoop(between, place(end)),
            Self::Branch(branch, one) => Self::Branch(place(branch), one),
            Self::Statement | Self::Somewhere | Self::Unknown => self,
        }
    }
}

/// The help for a missing barrier of the block or the warp.
pub(super) fn help(code: &str, positions: [&Position; 2]) -> String {
    match code {
        "HR002" => between(positions, "__syncwarp()", LANES) + OF_BLOCK_TOO,
        _ => between(positions, "__syncthreads()", THREADS),
    }
}

/// The help for threads in different branches of an `if`, named as "`if` on line 14".
pub(super) fn help_for_branches(code: &str, branch: &str) -> String {
    let (call, everyone, or_else) = match code {
        "HR002" => ("__syncwarp()", LANES, OF_BLOCK_TOO),
        _ => ("__syncthreads()", THREADS, OF_BRANCHES_TOO),
    };
    format!("{MOVE}{branch}, with a `{call}` before it that {everyone} reaches{or_else}")
}

/// The alternative to atomic accesses, without a place.
pub(super) const OR_ORDER: &str = ", or ";
pub(super) const BY_WARP: &str = "put a `__syncwarp()` between the two";
pub(super) const BY_BLOCK: &str = "put a `__syncthreads()` between the two";
/// The same, before a sentence that names a place.
const OR_LET: &str = ", or let a barrier order them: ";

/// The beginning of [`help_for_branches`].
const MOVE: &str = "move the access that must come second to after the ";

const OF_BRANCHES_TOO: &str =
    "; or let the branches meet at a barrier of their own, such as a `cuda::barrier`";
const OF_BLOCK_TOO: &str = "; a `__syncthreads()` serves as well";
const THREADS: &str = "every thread of the block";
const LANES: &str = "every lane of the warp";
pub(super) const OF_CLUSTER: &str = "every thread of the cluster";
pub(super) const OF_GRID: &str = "every thread of the grid";

impl Race {
    /// Whether its help asks for a barrier, and names no place for it.
    #[must_use]
    pub fn lacks_barrier_place(&self) -> bool {
        self.barrier_somewhere().is_some()
    }

    /// The part of its help that asks for a barrier and names no place.
    fn barrier_somewhere(&self) -> Option<String> {
        let positions = self.accesses.each_ref().map(|it| &it.position);
        let text = match self.code.as_ref() {
            "HR001" | "HR002" if self.help.starts_with(MOVE) => self.help.clone(),
            "HR001" | "HR002" => help(&self.code, positions),
            "HR004" => match self.relation {
                Relation::Block => format!("{OR_ORDER}{BY_BLOCK}"),
                Relation::Warp => format!("{OR_ORDER}{BY_WARP}"),
                Relation::Grid | Relation::Launch | Relation::Host => return None,
            },
            "HR003" if self.relation == Relation::Grid => {
                let of_grid = between(positions, GRID_BARRIER, OF_GRID);
                match self.help.contains(&of_grid) {
                    true => of_grid,
                    false => between(positions, CLUSTER_BARRIER, OF_CLUSTER),
                }
            }
            _ => return None,
        };
        self.help.contains(&text).then_some(text)
    }

    /// Names the place in the help of a race that lacks it.
    pub fn name_barrier(&mut self, place: &BarrierPlace) {
        let Some(somewhere) = self.barrier_somewhere() else {
            return;
        };
        let mut named =
            self.named_barrier(place, somewhere.starts_with(MOVE).then_some(&somewhere));
        if somewhere.starts_with(OR_ORDER) {
            named.insert_str(0, OR_LET);
        }
        self.help = self.help.replacen(&somewhere, &named, 1);
    }

    /// The help with a place. `moved` is that for two branches, which applies within one iteration.
    fn named_barrier(&self, place: &BarrierPlace, moved: Option<&String>) -> String {
        let call = &place.call;
        let everyone = place.group.everyone();
        let positions = self.accesses.each_ref().map(|it| &it.position);
        let [first, second] = positions.map(|it| it.line);
        let within = match first == second {
            true => format!("load into a local variable, pass a `{call}`, then store"),
            false => format!("one that {everyone} reaches has to come between them"),
        };
        let one = |at: &str| {
            format!("a `{call}` {at}, which {everyone} reaches, orders the two accesses")
        };
        match &place.at {
            BarrierAt::Between(at) => one(at),
            BarrierAt::BetweenAndEnd(at, end) => format!(
                "a `{call}` {at} orders the two accesses of one iteration, and another {end} those of \
                 different iterations; {everyone} reaches both places"
            ),
            BarrierAt::End(end) => format!("{}: they belong to different iterations", one(end)),
            BarrierAt::BetweenCalls(at, function) => {
                format!(
                    "{}: they belong to different calls of `{function}`",
                    one(at)
                )
            }
            BarrierAt::EndAtLeast(end) => {
                let within = moved.unwrap_or(&within);
                format!(
                    "{} if they belong to different iterations; within one iteration, {within}",
                    one(end)
                )
            }
            BarrierAt::InLoop(Some(at), end) => format!(
                "a `{call}` {at} orders the two accesses if they belong to one iteration, and one {end} if they \
                 belong to different iterations; {everyone} has to reach it"
            ),
            BarrierAt::InLoop(None, end) => format!(
                "a `{call}` {end} orders the two accesses, which belong to different iterations; {everyone} has to \
                 reach it"
            ),
            BarrierAt::Statement => within,
            BarrierAt::Branch(branch, is_one_statement) => {
                let within = match is_one_statement {
                    true => within,
                    false => format!("put a `{call}` between the two accesses"),
                };
                let otherwise = match place.group {
                    BarrierGroup::Warp => "give the barrier a mask of those that do",
                    _ => "end it before the barrier, and begin it again after",
                };
                format!("{within}; if not {everyone} enters {branch}, {otherwise}")
            }
            BarrierAt::Somewhere => somewhere(call, &everyone),
            BarrierAt::Unknown => between(positions, call, &everyone),
        }
    }
}

/// The barriers of a grid and of a cluster, for which no place is searched.
pub(super) const GRID_BARRIER: &str = "grid.sync()";
pub(super) const CLUSTER_BARRIER: &str = "cluster.sync()";

/// A barrier between two accesses whose lines say nothing.
fn somewhere(call: &str, everyone: &str) -> String {
    format!("a `{call}` that {everyone} reaches between the two accesses orders them")
}

/// A barrier somewhere between two places.
pub(super) fn between([first, second]: [&Position; 2], call: &str, everyone: &str) -> String {
    let (Some(from), Some(to)) = (first.line, second.line) else {
        return somewhere(call, everyone);
    };
    if first.file != second.file || first.function != second.function {
        let functions = [first, second].map(|position| {
            let name = position.function.as_deref().unwrap_or("its function");
            format!("`{name}`")
        });
        // Which of the two ran first is chance here, too.
        return format!(
            "a `{call}` that {everyone} reaches between the access in {} and the one in {} orders them",
            functions[0], functions[1]
        );
    }
    // The call of the one that ran first may be unknown.
    let are_several =
        [first, second].map(|it| it.calls.iter().any(|call| !call.alternatives.is_empty()));
    let may_be_of_two_calls = are_several.contains(&true) || first.calls != second.calls;
    if from == to {
        if may_be_of_two_calls {
            return format!(
                "if the two belong to different calls of their function, or different iterations of a \
                 loop, a `{call}` that {everyone} reaches between these orders them; within one, load \
                 into a local variable, pass a `{call}`, then store"
            );
        }
        return format!(
            "if the two belong to different iterations of a loop, a `{call}` that {everyone} reaches \
             at the end of its body orders them; within one iteration, load into a local variable, \
             pass a `{call}`, then store"
        );
    }
    // Which of the two ran first is chance; the text names them in a fixed order.
    let (above, below) = (from.min(to), from.max(to));
    // One that has no calls is in the kernel itself, or in what it is not known to call.
    let are_called = !first.calls.is_empty() && !second.calls.is_empty();
    if may_be_of_two_calls && are_called {
        return format!(
            "if the two belong to different calls of their function, or different iterations of a loop, a `{call}` \
             that {everyone} reaches between these orders them; within one, a `{call}` between line {above} and line \
             {below}"
        );
    }
    let between = format!(
        "a `{call}` between line {above} and line {below} that {everyone} reaches orders the two accesses"
    );
    if from < to && matches!(call, GRID_BARRIER | CLUSTER_BARRIER) {
        return format!(
            "{between}; if one is there already, they belong to different iterations of a loop, and \
             one at the end of its body does"
        );
    }
    if from < to {
        return between;
    }
    format!(
        "{between}; if a loop returns from line {below} to line {above}, so does one at the end of its body"
    )
}
