//! The sentences for a missing barrier: where one orders the two accesses.
//!
//! The places of the accesses say only that it must be between them. Who has read the source can name a
//! place that all threads reach ([`Race::name_barrier`]).

use crate::model::{Position, Race};

/// A place where a barrier orders the accesses of a race; all threads of its group reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierPlace {
    /// The barrier, such as `__syncthreads()`.
    pub call: &'static str,
    /// Where it is.
    pub at: BarrierAt,
}

/// Where a barrier is missing. The texts are fragments such as `before line 18` and
/// `at the end of the loop of line 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarrierAt {
    /// Between the two, which no loop repeats.
    Between(String),
    /// The two are in a loop, whose iterations have no barrier between them either.
    BetweenAndEnd(String, String),
    /// Only between iterations: within one, there is a barrier between the two.
    End(String),
    /// Between iterations. For one iteration, there is no such place.
    EndAtLeast(String),
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
            Self::EndAtLeast(end) => Self::EndAtLeast(place(end)),
        }
    }
}

/// The help for a missing barrier of the block or the warp.
pub(super) fn help(code: &str, positions: [&Position; 2]) -> String {
    match code {
        "HR002" => {
            let help = between(positions, "__syncwarp()", LANES);
            help + "; a `__syncthreads()` serves as well"
        }
        _ => between(positions, "__syncthreads()", THREADS),
    }
}

const THREADS: &str = "every thread of the block";
const LANES: &str = "every lane of the warp";

impl Race {
    /// Whether its help asks for a barrier of the block or the warp, and names no place for it.
    #[must_use]
    pub fn lacks_barrier_place(&self) -> bool {
        let positions = self.accesses.each_ref().map(|it| &it.position);
        matches!(self.code.as_ref(), "HR001" | "HR002") && self.help == help(&self.code, positions)
    }

    /// Names the place in the help of a race that lacks it.
    pub fn name_barrier(&mut self, place: &BarrierPlace) {
        let call = place.call;
        let everyone = match call {
            "__syncwarp()" => LANES,
            _ => THREADS,
        };
        let one = |at: &str| {
            format!("a `{call}` {at}, which {everyone} reaches, orders the two accesses")
        };
        self.help = match &place.at {
            BarrierAt::Between(at) => one(at),
            BarrierAt::BetweenAndEnd(at, end) => format!(
                "a `{call}` {at} orders the two accesses of one iteration, and another {end} those of \
                 different iterations; {everyone} reaches both places"
            ),
            BarrierAt::End(end) => format!("{}: they belong to different iterations", one(end)),
            BarrierAt::EndAtLeast(end) => {
                let [first, second] = self.accesses.each_ref().map(|it| it.position.line);
                let within = match first == second {
                    true => format!("load into a local variable, pass a `{call}`, then store"),
                    false => format!("one that {everyone} reaches has to come between them"),
                };
                format!(
                    "{} if they belong to different iterations; within one iteration, {within}",
                    one(end)
                )
            }
        };
    }
}

/// The barriers of a grid and of a cluster, for which no place is searched.
pub(super) const GRID_BARRIER: &str = "grid.sync()";
pub(super) const CLUSTER_BARRIER: &str = "cluster.sync()";

/// A barrier somewhere between two places.
pub(super) fn between([first, second]: [&Position; 2], call: &str, everyone: &str) -> String {
    let (Some(from), Some(to)) = (first.line, second.line) else {
        return format!("a `{call}` that {everyone} reaches between the two accesses orders them");
    };
    if first.file != second.file || first.function != second.function {
        let functions = [first, second].map(|position| {
            let name = position.function.as_deref().unwrap_or("its function");
            format!("`{name}`")
        });
        return format!(
            "a `{call}` that {everyone} reaches after the access in {} and before the one in {} \
             orders them",
            functions[0], functions[1]
        );
    }
    if from == to {
        return format!(
            "if the two belong to different iterations of a loop, a `{call}` that {everyone} reaches \
             at the end of its body orders them; within one iteration, load into a local variable, \
             pass a `{call}`, then store"
        );
    }
    // Which of the two ran first is chance; the text names them in a fixed order.
    let (above, below) = (from.min(to), from.max(to));
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
