//! What `hirace fix` does about the programs of `tests/ui/race`.
//!
//! `tests/fix/NAME.diff` holds the repair that has to be offered, and nothing where none may be;
//! `UPDATE_EXPECT=1` writes it anew. Compiling takes its time, so that a quarter of the programs that
//! have such a file are tried. `HIRACE_FIX=all` tries all racy programs; where one has no file,
//! nothing may be offered.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use hirace::check::RunOptions;
use hirace::config::Config;
use hirace::fix::{self, Fixed, Outcome, Settings};
use hirace::instrument;
use hirace::options::ProgramOptions;
use hirace::toolchain::{Arguments as CompilerArguments, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use xtask::verdict::Expected;

const PROGRAMS: &str = "tests/ui/race";

/// Of which the program that is offered has to be clean.
const SCHEDULES: u32 = 3;

/// Seconds for one run.
const TIMEOUT: f64 = 60.0;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let all = std::env::var_os("HIRACE_FIX").is_some_and(|it| it == "all");
    let entries = std::fs::read_dir(PROGRAMS).expect("the programs");
    let mut names: Vec<String> = entries
        .map(|entry| PathBuf::from(entry.expect("an entry").file_name()))
        .filter(|it| it.extension().is_some_and(|it| it == "cu"))
        .filter_map(|it| Some(it.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    let trials = names
        .into_iter()
        .filter(|name| all || repair(name).exists() && is_one_of_four(name))
        .map(|name| Trial::test(name.clone(), move || run(&name).map_err(Failed::from)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Where the expected repair of a program stands.
fn repair(name: &str) -> PathBuf {
    Path::new("tests/fix").join(name).with_extension("diff")
}

/// By its name alone, so that a new program moves no other.
fn is_one_of_four(name: &str) -> bool {
    let sum: u32 = name.bytes().map(u32::from).sum();
    sum.is_multiple_of(4)
}

fn run(name: &str) -> Result<(), String> {
    let path = Path::new(PROGRAMS).join(name).with_extension("cu");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let program_arguments = arguments(&Expected::parse(&text)?.arguments);
    let compiler_arguments = compiler_arguments();
    let collected = instrument::collect(&[path], &CompilerArguments::parse(compiler_arguments));
    let settings = Settings {
        compiler_arguments,
        config: &Config::builtin(),
        run: RunOptions {
            arguments: &program_arguments,
            seed: 0,
            jobs: Some(1),
            timeout: Some(TIMEOUT),
            block_order: None,
            output: Output::Discarded,
            control: &ProgramOptions::default(),
        },
        schedules: SCHEDULES,
    };
    let outcome = collected.and_then(|tree| fix::find(&tree, &settings, &mut |_| {}));
    match outcome.map_err(|error| error.to_string())? {
        Outcome::Clean(_) => Err("no race was found".to_owned()),
        Outcome::Fixed(fixed) => compare(name, &offered(&fixed)),
        Outcome::NotFixed(_) => compare(name, ""),
    }
}

/// What is offered, as text.
fn offered(fixed: &Fixed) -> String {
    let mut shown = String::new();
    for repair in &fixed.repairs {
        shown += &format!("{}: {}\n", repair.code, repair.what);
    }
    for file in &fixed.files {
        let diff = TextDiff::from_lines(&file.before, &file.after);
        shown += &diff.unified_diff().to_string();
    }
    shown
}

/// Compares with the file.
fn compare(name: &str, shown: &str) -> Result<(), String> {
    let absolute = std::path::absolute(repair(name)).map_err(|error| error.to_string())?;
    let file = expect_test::expect_file![absolute];
    std::panic::catch_unwind(|| file.assert_eq(shown))
        .map_err(|_| "the repair is not the expected one; UPDATE_EXPECT=1 accepts it".to_owned())
}

/// Programs run for a moment only: what takes time is compiling them.
fn compiler_arguments() -> &'static [String] {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| ["-O0", "-g0"].map(str::to_owned).to_vec())
}

/// Arguments of a program. `graph:NAME` becomes the path of a generated graph.
fn arguments(words: &[String]) -> Vec<OsString> {
    words
        .iter()
        .map(|word| match word.strip_prefix("graph:") {
            Some(name) => graphs().join(format!("{name}.egr")).into_os_string(),
            None => word.into(),
        })
        .collect()
}

fn graphs() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = xtask::root().join("target/graphs");
        xtask::graphs::ensure(&directory).expect("the generator writes its graphs");
        directory
    })
}
