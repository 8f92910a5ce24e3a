//! `hirace-indigo sweep`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hirace::progress;

use super::output::print;
use super::suite::SuiteChoice;
use crate::error::Result;
use crate::shell::quoted;
use crate::sweep::{self, Options, Shard, Summary, Tool};

/// Arguments of `hirace-indigo sweep`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct SweepCommand {
    /// The selection of programs.
    #[command(flatten)]
    pub choice: SuiteChoice,

    /// Only the program with this name; repeatable
    #[arg(long, value_name = "NAME")]
    pub exact: Vec<String>,

    /// A graph specification (see `hirace-indigo graph --list`) or an .egr file; repeatable
    /// [default: the six small ones]
    #[arg(long, value_name = "GRAPH")]
    pub graph: Vec<String>,

    /// Threads per block and blocks per grid; repeatable [default: 64x256]
    #[arg(long, value_name = "TxB", value_parser = shape)]
    pub shape: Vec<(u32, u32)>,

    /// Lanes per warp: a power of two up to 32, for the CPU executor; repeatable [default: 32]
    ///
    /// Programs that do not use `warpSize` assume 32, and run only with 32.
    #[arg(long, value_name = "LANES", value_parser = lanes)]
    pub warp_size: Vec<u32>,

    /// Also try more shapes and smaller warps
    #[arg(long)]
    pub explore: bool,

    /// A tool to run; repeatable
    #[arg(long, value_enum, value_name = "TOOL", default_values_t = [Tool::Baseline, Tool::HiraceCpu])]
    pub tool: Vec<Tool>,

    /// Only every N-th program, starting with the K-th: a part of a sweep that several machines
    /// share
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub shard: Option<Shard>,

    /// Stop a run after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub timeout: f64,

    /// Number of programs to run and compile at a time [default: one per core]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Keep compiled programs in DIR [default: hirace-indigo in the user's cache directory]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// The database of results: created if it does not exist, resumed if it does
    #[arg(long, value_name = "FILE")]
    pub database: PathBuf,
}

const NOTES: &str = "\
A finished run is stored in the database at once. If a sweep is stopped, rerun the command to resume
it: finished runs are not repeated. Compiled programs are kept too.

Without a GPU, tools for a GPU only compile, and the database gets no runs of them.";

/// Runs a sweep.
///
/// # Errors
/// See [`sweep::run`].
pub fn run(command: SweepCommand) -> Result<()> {
    let options = Options {
        suite: command.choice.suite,
        filter: command.choice.filter,
        exact: command.exact,
        graphs: command.graph,
        shapes: command.shape,
        warp_sizes: command.warp_size,
        explore: command.explore,
        tools: command.tool,
        shard: command.shard,
        timeout: command.timeout,
        jobs: command.jobs,
        cache: command.cache,
        database: command.database,
        command: quoted(without_local_options(
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()),
        )),
    };
    let bar = progress::bar(
        0,
        "{elapsed} {bar:24} {pos} of {len} runs, {per_sec}, {eta} left  {wide_msg}",
    );
    let outcome = sweep::run(&options, &bar);
    bar.finish_and_clear();
    print_summary(&outcome?, &options)
}

fn print_summary(summary: &Summary, options: &Options) -> Result<()> {
    for note in &summary.notes {
        eprintln!("hirace-indigo: {note}");
    }
    warn_about("could not be compiled", &summary.not_built);
    warn_about("could not be checked", &summary.errors);
    for (tool, count) in &summary.compiled {
        print(&format!(
            "{tool}: {count} compiled but not run, because there is no GPU\n"
        ))?;
    }
    for &tool in Tool::value_variants() {
        let verdicts: Vec<String> = summary
            .verdicts
            .iter()
            .filter(|((of, _), _)| *of == tool)
            .map(|((_, verdict), count)| format!("{count} {verdict}"))
            .collect();
        if !verdicts.is_empty() {
            print(&format!("{tool}: {}\n", verdicts.join(", ")))?;
        }
    }
    let made: u64 = summary.verdicts.values().sum();
    let before = match summary.before {
        0 => String::new(),
        before => format!(", {before} were done before"),
    };
    print(&format!(
        "{}: {made} runs{before}; `hirace-indigo report {}` shows the results\n",
        options.database.display(),
        quoted([options.database.as_os_str()])
    ))
}

/// Reports the outcome of the first few programs, and the number of the others.
fn warn_about(what: &str, programs: &[(String, String)]) {
    const MAX_LISTED: usize = 5;
    for (program, reason) in programs.iter().take(MAX_LISTED) {
        eprintln!("hirace-indigo: `{program}` {what}: {reason}");
    }
    if programs.len() > MAX_LISTED {
        let more = programs.len() - MAX_LISTED;
        eprintln!("hirace-indigo: {more} more {what}; the database has the messages");
    }
}

/// The command line without options that do not affect results, so that a sweep that resumes with
/// other cores or another path counts as the same sweep.
fn without_local_options(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut kept = vec!["hirace-indigo".to_owned()];
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if ["-j", "--jobs", "--cache"].contains(&word.as_str()) {
            words.next();
        } else if !(word.starts_with("-j")
            || word.starts_with("--jobs=")
            || word.starts_with("--cache="))
        {
            kept.push(word);
        }
    }
    kept
}

fn shape(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('x').and_then(|(threads, blocks)| {
        let shape = (threads.parse().ok()?, blocks.parse().ok()?);
        (shape.0 > 0 && shape.1 > 0).then_some(shape)
    });
    let shape = parsed.ok_or("a shape is written THREADSxBLOCKS, such as 64x256")?;
    match shape.0 {
        1..=1024 => Ok(shape),
        _ => Err("a block has 1024 threads at most".into()),
    }
}

fn lanes(text: &str) -> Result<u32, String> {
    let lanes = text.parse().ok().filter(|it: &u32| it.is_power_of_two());
    lanes
        .filter(|&it| it <= 32)
        .ok_or_else(|| "a warp has 1, 2, 4, 8, 16 or 32 lanes".into())
}

fn shard(text: &str) -> Result<Shard, String> {
    text.split_once('/')
        .and_then(|(number, count)| {
            Some(Shard {
                number: number.parse().ok()?,
                count: count.parse().ok()?,
            })
        })
        .filter(|it| (1..=it.count).contains(&it.number))
        .ok_or_else(|| "a shard is written K/N, from 1/N to N/N".into())
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&it: &f64| it > 0.0 && it <= 1e6)
        .ok_or_else(|| "a time limit is a number of seconds above 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_and_caches_do_not_make_another_sweep() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let without_local_options = |text: &str| without_local_options(words(text)).join(" ");
        let plain = "hirace-indigo sweep --database a.sqlite";
        for text in [
            "./hirace-indigo sweep -j 2 --database a.sqlite",
            "/bin/hirace-indigo sweep --database a.sqlite --cache dir",
            "hirace-indigo sweep --jobs=3 -j4 --cache=dir --database a.sqlite",
        ] {
            assert_eq!(without_local_options(text), plain);
        }
    }
}
