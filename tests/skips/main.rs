//! Random programs, run by each engine once with skipped checks and once with every access checked: both
//! reports show the same pairs of lines that race, and the same faults.
//!
//! A sample has one program. `HIRACE_SKIPS=FIRST..LAST` runs the programs of these seeds instead, and
//! stops at the first difference.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use hirace::check::{self, Program, RunOptions};
use hirace::config::{Config, Engine};
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::Report;
use hirace::rewrite::Skip;
use hirace::toolchain::Output;
use hirace_sample::Sample;

mod generate;
#[path = "../support/pairs.rs"]
mod pairs;

/// Kernels in each program. One large program compiles faster than many small ones.
const KERNELS: usize = 40;

/// Time limit of one run, in seconds.
const TIMEOUT: f64 = 300.0;

fn faults(report: &Report) -> Vec<String> {
    report.faults.iter().map(|it| format!("{it:#?}")).collect()
}

fn seeds() -> Range<u64> {
    let given = std::env::var("HIRACE_SKIPS").ok();
    given.map_or_else(
        || Sample::current().seeds(1, 42),
        |text| {
            let (first, last) = text.split_once("..").expect("HIRACE_SKIPS=FIRST..LAST");
            first.parse().expect("a seed")..last.parse().expect("a seed")
        },
    )
}

#[test]
fn the_same_races_with_every_access_checked() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skips");
    fs::create_dir_all(&directory).expect("a directory");
    let arguments = ["-O0", "-g0"].map(str::to_owned).to_vec();
    let (mut racy, mut skipped) = (0, 0);
    let seeds = seeds();
    for seed in seeds.clone() {
        let text = generate::program(seed, KERNELS);
        let path = directory.join(format!("{seed}.cu"));
        fs::write(&path, &text).expect("the program is written");
        let built = [Skip::default(), Skip::NOTHING].map(|skip| Built::of(&path, skip, &arguments));
        let [usual, checked] = built.each_ref().map(|it| it.run(Engine::Machine));
        let by_engine = built.each_ref().map(|it| it.run(Engine::Order));
        for [some, all] in [[&usual, &checked], by_engine.each_ref()] {
            let compared = pairs::same(some, all);
            compared.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            assert_eq!(faults(some), faults(all), "{}", path.display());
        }
        let ended = usual.faults.iter().find(|it| it.ended);
        assert!(ended.is_none(), "{}: {ended:#?}", path.display());
        let kernels: BTreeSet<_> = usual.races.iter().map(|it| &it.kernel).collect();
        racy += kernels.len();
        if std::env::var_os("HIRACE_SKIPS").is_some() {
            println!(
                "seed {seed}: {} races, {} faults, {} and {} accesses",
                checked.races.len(),
                usual.faults.len(),
                usual.summary.accesses,
                checked.summary.accesses
            );
        }
        skipped += usize::from(usual.summary.accesses < checked.summary.accesses);
    }
    // The comparison is not vacuous: there were races to miss, and checks were skipped.
    let programs = seeds.count();
    let kernels = programs * KERNELS;
    println!(
        "{kernels} kernels, {racy} with races; accesses skipped in {skipped} of {programs} programs"
    );
    assert!(
        racy >= kernels / 4 && racy <= kernels * 9 / 10,
        "{racy} of {kernels}"
    );
    assert!(skipped * 2 > programs, "{skipped} of {programs}");
}

struct Built {
    program: Program,
    config: Config,
}

impl Built {
    fn of(path: &Path, skip: Skip, arguments: &[String]) -> Self {
        let mut config = Config::builtin();
        config.skip = skip;
        let program = check::build(&[path.to_owned()], Backend::Cpu, arguments, &config);
        let program = program.unwrap_or_else(|error| match error {
            hirace::error::Error::Compile { output, .. } => panic!(
                "{}: {output}\n{}",
                path.display(),
                fs::read_to_string(path).unwrap_or_default()
            ),
            other => panic!("{}: {other}", path.display()),
        });
        Self { program, config }
    }

    fn run(&self, engine: Engine) -> Report {
        let mut config = self.config.clone();
        config.semantics.engine = engine;
        let options = RunOptions {
            arguments: &[],
            seed: 0,
            jobs: Some(1),
            timeout: Some(TIMEOUT),
            block_order: None,
            output: Output::Discarded,
            control: &ProgramOptions::default(),
        };
        self.program
            .run(&config, &options)
            .expect("the program runs")
    }
}
