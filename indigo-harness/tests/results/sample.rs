//! A database with made-up results, filled as a sweep fills one.

use std::path::Path;

use hirace_indigo::store::{GraphKey, Run, Shape, Store, Verdict};
use hirace_indigo::suite::{Arguments, Label, Program};

/// A run in few words.
#[derive(Clone, Debug)]
pub struct Line {
    pub program: &'static str,
    pub graph: &'static str,
    pub shape: (u32, u32, u32),
    pub tool: &'static str,
    pub verdict: Verdict,
    pub seconds: f64,
    pub kernel_seconds: Option<f64>,
    pub peak_bytes: Option<u64>,
}

/// A run of 256x8, with arbitrary times.
pub fn line(
    program: &'static str,
    graph: &'static str,
    tool: &'static str,
    verdict: Verdict,
) -> Line {
    Line {
        program,
        graph,
        shape: (256, 8, 32),
        tool,
        verdict,
        seconds: 1.0,
        kernel_seconds: None,
        peak_bytes: None,
    }
}

/// The program of that name: `pull_warp_raceBug`. The first word is the pattern, words with `Bug`
/// are bugs. A program without a bug is clean; `unknown` in the name makes it unlabelled.
pub fn program(name: &str) -> Program {
    let words = || name.split('_').skip(1).map(str::to_owned);
    let bugs: Vec<String> = words().filter(|word| word.ends_with("Bug")).collect();
    let label = match () {
        () if name.contains("unknown") => Label::Unknown,
        () if bugs.is_empty() => Label::Clean,
        () => Label::Racy,
    };
    Program {
        name: name.into(),
        pattern: name.split('_').next().unwrap().into(),
        options: words().filter(|word| !word.ends_with("Bug")).collect(),
        bugs,
        label,
        text: String::new(),
        path: None,
        includes: Vec::new(),
        arguments: Arguments::default(),
        compiler_args: Vec::new(),
    }
}

fn graph(line: &Line) -> GraphKey {
    GraphKey {
        name: line.graph.into(),
        vertices: 5,
        edges: 8,
        digest: format!("digest of {}", line.graph),
    }
}

fn shape(line: &Line) -> Shape {
    let (threads, blocks, warp_size) = line.shape;
    Shape {
        threads,
        blocks,
        warp_size,
    }
}

/// Adds a run to `store`.
pub fn add(store: &Store, line: &Line) {
    let digest = format!("digest of {}", line.program);
    let program = store.program("sample", &program(line.program), &digest);
    let run = Run {
        program: program.unwrap(),
        graph: store.graph(&graph(line)).unwrap(),
        shape: store.shape(shape(line)).unwrap(),
        tool: line.tool,
        verdict: line.verdict,
        detail: "",
        races: u64::from(line.verdict == Verdict::Race),
        seconds: line.seconds,
        kernel_seconds: line.kernel_seconds,
        peak_bytes: line.peak_bytes,
        report: None,
    };
    store.add_run(&run).unwrap();
}

/// A database at `path` with `lines`, of a sweep that has finished.
pub fn database(path: &Path, lines: &[Line]) -> Store {
    shard(path, lines, lines)
}

/// A database at `path` with `lines`, of a shard of a sweep of `all`.
pub fn shard(path: &Path, all: &[Line], lines: &[Line]) -> Store {
    let store = Store::open(path).unwrap();
    let session = store
        .begin_session("hirace-indigo sweep", "0.1.0", "a machine")
        .unwrap();
    store.plan_session(session, lines.len() as u64).unwrap();
    for line in all {
        store.graph(&graph(line)).unwrap();
        store.shape(shape(line)).unwrap();
    }
    for line in lines {
        add(&store, line);
    }
    store.finish_session(session).unwrap();
    store
}
