//! The sentences for a race: why the two accesses are unordered, and what would order them.
//!
//! They describe what this run did. Whether two lines are in a loop or in branches is unknown here,
//! so every sentence must be true in either case.

use super::model::{Access, AccessKind, Relation, Stream};
use super::pair::{Overlap, Pair};
use super::phrases;

mod synchronisation;

/// Why the two accesses are unordered.
pub(super) fn reason(code: &str, pair: Pair<'_>) -> String {
    let why = synchronisation::reason(pair).unwrap_or_else(|| unordered(code, pair));
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
    match code {
        "HR008" => between_launches(pair),
        "HR005" => {
            "the two threads are in different blocks, and an atomic operation of block scope \
             is atomic only among the threads of its own block"
                .to_owned()
        }
        "HR004" => format!(
            "{whose}, {}; an atomic operation orders nothing for a plain access of the same location",
            nothing_between(pair.relation)
        ),
        "HR006" if pair.current.access == AccessKind::Update => format!(
            "{whose} and both update the same location here; each may read the old value before \
             the other has stored its own, and then one update is lost"
        ),
        "HR006" => format!(
            "{whose} and both write the same location here; which value remains depends on which thread writes last"
        ),
        _ => format!("{whose}, {}", nothing_between(pair.relation)),
    }
}

/// The streams of the prior and the current access.
fn streams(pair: Pair<'_>) -> [Option<Stream>; 2] {
    [pair.prior, pair.current].map(|it| it.origin.as_ref().map(|it| it.stream))
}

fn between_launches(pair: Pair<'_>) -> String {
    match streams(pair) {
        [Some(Stream::Graph), Some(Stream::Graph)] => {
            "the graph has no edges that lead from one of the two kernels to the other, so that \
             they may run at the same time"
                .to_owned()
        }
        streams => {
            let [first, second] =
                streams.map(|it| it.map_or_else(|| "another stream".to_owned(), phrases::stream));
            format!(
                "the two kernels are launched on {first} and on {second}, nothing makes one of \
                 them wait for the other, and they may run at the same time"
            )
        }
    }
}

fn order_launches(pair: Pair<'_>) -> String {
    let [first, second] = [pair.prior, pair.current].map(|it| {
        let kernel = it.origin.as_ref().map(|it| it.kernel.as_str());
        kernel.unwrap_or("the kernel")
    });
    match streams(pair) {
        [Some(Stream::Graph), Some(Stream::Graph)] => format!(
            "make the node of `{second}` depend on that of `{first}`; in a captured stream, by \
             `cudaStreamWaitEvent` for an event that is recorded after `{first}`"
        ),
        _ => format!(
            "record an event after the launch of `{first}` (`cudaEventRecord`) and let the other \
             stream wait for it before `{second}` is launched (`cudaStreamWaitEvent`); or launch \
             both on one stream"
        ),
    }
}

fn threads(relation: Relation) -> &'static str {
    match relation {
        Relation::Warp => "the two threads are lanes of one warp, which run independently",
        Relation::Block => "the two threads are in different warps of one block",
        Relation::Grid => "the two threads are in different blocks",
        Relation::Launch => "the two threads are in different launches",
    }
}

fn nothing_between(relation: Relation) -> &'static str {
    match relation {
        Relation::Warp => {
            "and neither `__syncwarp()` nor `__syncthreads()` came between the two accesses"
        }
        Relation::Block => "and no `__syncthreads()` came between the two accesses",
        Relation::Grid => "and nothing orders the blocks of one launch",
        Relation::Launch => "and nothing orders the two launches",
    }
}

/// What would order the two accesses, or make their order irrelevant.
pub(super) fn help(code: &str, pair: Pair<'_>) -> String {
    if let Some(help) = synchronisation::help(pair) {
        return help;
    }
    match code {
        "HR001" => barrier(pair, "__syncthreads()", "every thread of the block"),
        "HR002" => {
            let help = barrier(pair, "__syncwarp()", "every lane of the warp");
            help + "; a `__syncthreads()` serves as well"
        }
        "HR003" => across_blocks(pair),
        "HR007" => bytes_of_its_own(pair),
        "HR008" => order_launches(pair),
        "HR004" => mixed(pair),
        "HR005" => {
            "use the device-wide form (the same name without `_block`, `.gpu` in inline PTX, \
             `thread_scope_device`), or give each block its own location"
                .to_owned()
        }
        _ => many_writers(pair),
    }
}

fn barrier(pair: Pair<'_>, call: &str, everyone: &str) -> String {
    let (first, second) = (&pair.prior.position, &pair.current.position);
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
            "where the two belong to different passes of a loop, a `{call}` that {everyone} reaches \
             at the end of its body orders them; within one pass, load into a local variable, \
             pass a `{call}`, then store"
        );
    }
    // Which of the two ran first is chance; the text names them in a fixed order.
    let (above, below) = (from.min(to), from.max(to));
    let between = format!(
        "a `{call}` between line {above} and line {below} that {everyone} reaches orders the two accesses"
    );
    if from < to {
        return between;
    }
    format!(
        "{between}; if a loop comes back from line {below} to line {above}, one at the end of its body does, too"
    )
}

fn across_blocks(pair: Pair<'_>) -> String {
    let variable = variable(pair);
    if let Some(update) = updating(pair) {
        return format!(
            "make both accesses atomic, such as `atomicAdd({}, ...)` for the update; or end the \
             kernel between the two accesses; a `__syncthreads()` does not order different blocks",
            address(update)
        );
    }
    format!(
        "end the kernel between the two accesses, or give each block its own part of {variable}; \
         where any order will do, make both atomic; a `__syncthreads()` does not order different blocks"
    )
}

fn mixed(pair: Pair<'_>) -> String {
    let plain = if pair.prior.access.is_atomic() {
        pair.current
    } else {
        pair.prior
    };
    let place = address(plain);
    let atomic = match plain.access {
        AccessKind::Read | AccessKind::VolatileRead => {
            format!("the read as `atomicAdd({place}, 0)`")
        }
        AccessKind::Write | AccessKind::VolatileWrite => {
            format!("the write as `atomicExch({place}, ...)`")
        }
        _ => format!("the update as `atomicAdd({place}, ...)` or the like"),
    };
    format!(
        "make the plain access atomic, too ({atomic}), or {}",
        order(pair.relation)
    )
}

fn many_writers(pair: Pair<'_>) -> String {
    if pair.current.access == AccessKind::Update {
        return format!(
            "make the update one atomic operation, such as `atomicAdd({}, ...)` for `+=`",
            address(pair.current)
        );
    }
    let passes = match pair.relation {
        Relation::Warp => {
            "; if the writes belong to different passes of a loop, a `__syncwarp()` between the passes orders them"
        }
        Relation::Block => {
            "; if the writes belong to different passes of a loop, a `__syncthreads()` between the passes orders them"
        }
        Relation::Grid | Relation::Launch => "",
    };
    // There is no atomic for bytes and short integers.
    let needs = match pair.current.size {
        Some(..4) => ", which needs elements of 4 or 8 bytes",
        _ => "",
    };
    format!(
        "let one thread write, or give each its own element of {}; where any of the values will \
         do, say so with `atomicExch`{needs}{passes}",
        variable(pair)
    )
}

fn bytes_of_its_own(pair: Pair<'_>) -> String {
    format!(
        "make index and size of the two accesses fit, so that each thread has bytes of its own: \
         {}; where they are meant to share bytes, {}",
        misfit(pair),
        order(pair.relation)
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

fn order(relation: Relation) -> &'static str {
    match relation {
        Relation::Warp => "put a `__syncwarp()` between the two",
        Relation::Block => "put a `__syncthreads()` between the two",
        Relation::Grid | Relation::Launch => "end the kernel between the two",
    }
}

fn updating<'a>(pair: Pair<'a>) -> Option<&'a Access> {
    [pair.prior, pair.current]
        .into_iter()
        .find(|access| access.access == AccessKind::Update)
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
    access.position.text.as_deref().unwrap_or("x")
}
