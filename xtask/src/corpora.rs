//! Measures third-party code: source distributions with CUDA code from PyPI, and CCCL's headers
//! from the toolkit.
//!
//! Each corpus is instrumented as a whole. The results are counted per corpus: files, files without
//! a function that had to stay unchanged, the share of accesses that are monitored or known to be
//! private, and the speed.

mod compile;
mod page;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bench::build_hirace;
use crate::files::{self, below, has_extension};
use crate::process::{self, children_time};

/// The extensions that `hirace` treats as source text in a directory; the speed covers all of it.
const SOURCES: [&str; 16] = [
    "cu", "cuh", "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "inl", "inc",
    "ipp", "tpp",
];

/// A source tree.
struct Corpus {
    /// Its name, here and in the index.
    name: String,
    version: String,
    root: PathBuf,
    /// Directories below it that its files include from; none if compiling is not tried.
    include: Vec<String>,
}

/// The counts.
#[derive(Default)]
struct Numbers {
    /// `.cu` and `.cuh` files.
    cuda_files: usize,
    /// Files with device functions.
    device_files: usize,
    /// Files with device functions, none of which is left unchanged.
    whole_files: usize,
    functions: u64,
    untouched: u64,
    monitored: u64,
    private: u64,
    not_monitored: u64,
    /// The size of all source files.
    bytes: u64,
    /// The time of all cores together.
    busy: Duration,
    wall: Duration,
}

pub use compile::Depth;

/// The result for one corpus.
struct Measured {
    corpus: Corpus,
    numbers: Numbers,
    compiled: Option<compile::Outcome>,
}

/// Measures the corpora, prints a table, and writes it if `write` is set.
///
/// Returns whether every file that compiles as it is also compiles instrumented.
///
/// # Errors
/// A download fails, or `hirace` fails on a corpus.
pub fn run(only: &[String], depth: Option<Depth>, write: bool) -> Result<bool> {
    let corpora = fetch(only)?;
    let hirace = build_hirace()?;
    let mut all = Vec::new();
    for corpus in corpora {
        println!("{} {}", corpus.name, corpus.version);
        let numbers = measure(&hirace, &corpus)?;
        let compiled = depth
            .filter(|_| !corpus.include.is_empty())
            .map(|depth| compile::run(&hirace, &corpus, depth))
            .transpose()?;
        all.push(Measured {
            corpus,
            numbers,
            compiled,
        });
    }
    println!("{}", page::numbers(&all)?);
    if depth.is_some() {
        println!("{}", page::compiled(&all)?);
    }
    if write {
        page::write(&all, only.is_empty())?;
    }
    let broken = |it: &Measured| it.compiled.as_ref().is_some_and(|it| !it.broken.is_empty());
    Ok(!all.iter().any(broken))
}

/// Downloads the corpora to `target/corpora`; CCCL comes with the toolkit.
fn fetch(only: &[String]) -> Result<Vec<Corpus>> {
    let directory = crate::root().join("target/corpora");
    let scripts = crate::root().join("xtask/python");
    let pins = scripts.join("corpora.txt");
    let wanted = |name: &str| only.is_empty() || only.iter().any(|it| it == name);

    let text = files::read_text(&pins)?;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let mut corpora: Vec<Corpus> = lines
        .filter_map(|line| corpus(line, &directory))
        .filter(|it| wanted(&it.name))
        .collect();
    if !corpora.is_empty() {
        let mut command = Command::new("python3");
        command
            .arg(scripts.join("fetch_sdists.py"))
            .args([&pins, &directory]);
        process::run(command.args(corpora.iter().map(|it| &it.name)))?;
    }
    if wanted("cccl") {
        corpora.push(cccl()?);
    }
    if corpora.is_empty() {
        bail!("no such corpus: {}", only.join(", "));
    }
    Ok(corpora)
}

/// A line of `corpora.txt`.
fn corpus(line: &str, directory: &Path) -> Option<Corpus> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_owned();
    let version = words.next()?.to_owned();
    let include = words.nth(1).unwrap_or_default();
    Some(Corpus {
        root: directory.join(&name),
        name,
        version,
        include: include
            .split(',')
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect(),
    })
}

/// The headers of cub, thrust and libcu++.
fn cccl() -> Result<Corpus> {
    let nvcc = crate::nvcc::locate().map_err(anyhow::Error::msg)?;
    let toolkit = nvcc.path.parent().and_then(Path::parent);
    let root = toolkit.map_or_else(PathBuf::new, |it| it.join("include/cccl"));
    let file = root.join("cuda/std/__cccl/version.h");
    let text = fs::read_to_string(&file)
        .or_else(|_| fs::read_to_string(root.join("cub/version.cuh")))
        .with_context(|| format!("failed to read {}", file.display()))?;
    let number = text
        .lines()
        .find_map(|line| line.strip_prefix("#define CCCL_VERSION "))
        .and_then(|it| it.trim().parse::<u32>().ok());
    let version = number.map_or_else(
        || "of the toolkit".to_owned(),
        |it| format!("{}.{}.{}", it / 1_000_000, it / 1000 % 1000, it % 1000),
    );
    Ok(Corpus {
        name: "cccl".to_owned(),
        version,
        root,
        include: Vec::new(),
    })
}

/// Instruments a corpus and counts.
fn measure(hirace: &Path, corpus: &Corpus) -> Result<Numbers> {
    let sources: Vec<PathBuf> = below(&corpus.root)?
        .into_iter()
        // Library headers have no extension.
        .filter(|it| has_extension(it, &SOURCES))
        .collect();
    let mut numbers = Numbers {
        cuda_files: sources
            .iter()
            .filter(|it| has_extension(it, &["cu", "cuh"]))
            .count(),
        bytes: sources
            .iter()
            .map(|it| fs::metadata(it).map(|it| it.len()))
            .sum::<io::Result<u64>>()?,
        ..Numbers::default()
    };

    let mut command = Command::new(hirace);
    command
        .arg("instrument")
        .arg(&corpus.root)
        .args(["--coverage", "--format", "json"]);
    let (before, start) = (children_time(), Instant::now());
    let output = command
        .output()
        .with_context(|| format!("failed to start {}", process::show(&command)))?;
    numbers.wall = start.elapsed();
    numbers.busy = children_time().saturating_sub(before);
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed:\n{messages}", process::show(&command));
    }
    let statement: Value =
        serde_json::from_slice(&output.stdout).context("failed to read the coverage")?;
    numbers.add(&statement);
    Ok(numbers)
}

impl Numbers {
    /// Adds the output of `hirace`.
    fn add(&mut self, statement: &Value) {
        let count = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0);
        let total = &statement["total"];
        self.functions = count(total, "functions");
        self.untouched = count(total, "untouched");
        self.monitored = count(total, "monitored");
        self.private = count(total, "private");
        self.not_monitored = count(total, "not_monitored");
        for file in statement["files"].as_array().into_iter().flatten() {
            let coverage = &file["coverage"];
            let device = count(coverage, "functions") > 0;
            self.device_files += usize::from(device);
            self.whole_files += usize::from(device && count(coverage, "untouched") == 0);
        }
    }

    /// The share of functions that were parsed, in percent.
    fn read(&self) -> f64 {
        percent(self.functions - self.untouched, self.functions)
    }

    /// The share of accesses that are monitored or known to be private, in percent.
    fn covered(&self) -> f64 {
        let covered = self.monitored + self.private;
        percent(covered, covered + self.not_monitored)
    }

    /// Size of the source text in millions of bytes.
    #[expect(clippy::cast_precision_loss, reason = "it is rounded anyway")]
    fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }

    /// Megabytes per second of one core.
    fn rate(&self) -> f64 {
        self.megabytes() / self.busy.as_secs_f64().max(1e-3)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share is rounded anyway")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 100.0;
    }
    100.0 * part as f64 / whole as f64
}
