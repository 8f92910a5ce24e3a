//! Random programs, run once with skipped checks and once with every access checked: both reports
//! show the same races and faults.
//!
//! A sample has one program. `HIRACE_SKIPS=FIRST..LAST` runs the programs of these seeds instead, and
//! stops at the first difference.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use hirace::check::{self, RunOptions};
use hirace::config::{Config, Engine};
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::{Report, Role};
use hirace::rewrite::Skip;
use hirace::toolchain::Output;
use hirace_sample::Sample;

mod generate;

/// Kernels in each program. One large program compiles faster than many small ones.
const KERNELS: usize = 40;

/// Time limit of one run, in seconds.
const TIMEOUT: f64 = 300.0;

/// The races and faults of a report. The size of a prior access is left out, and so is where the two
/// begin, because both are known only if the word remembered several accesses.
fn found(report: &Report) -> Vec<String> {
    let mut races = report.races.clone();
    for access in races.iter_mut().flat_map(|it| &mut it.accesses) {
        access.size = access.size.filter(|_| access.role == Role::Current);
        access.begin = None;
    }
    let races = races.iter().map(|it| format!("{it:#?}"));
    let faults = report.faults.iter().map(|it| format!("{it:#?}"));
    races.chain(faults).collect()
}

fn seeds() -> Range<u64> {
    let given = std::env::var("HIRACE_SKIPS").ok();
    given.map_or_else(
        || Sample::current().seeds(1, 21),
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
        let (usual, checked) = (
            run(&path, Skip::default(), &arguments),
            run(&path, Skip::NOTHING, &arguments),
        );
        let (some, all) = (found(&usual), found(&checked));
        if some != all {
            let missing: Vec<_> = all.iter().filter(|it| !some.contains(it)).collect();
            let added: Vec<_> = some.iter().filter(|it| !all.contains(it)).collect();
            panic!(
                "{}: not found without all checks: {missing:#?}\nfound only so: {added:#?}",
                path.display()
            );
        }
        let ended = usual.faults.iter().find(|it| it.ended);
        assert!(ended.is_none(), "{}: {ended:#?}", path.display());
        let kernels: BTreeSet<_> = usual.races.iter().map(|it| &it.kernel).collect();
        racy += kernels.len();
        if std::env::var_os("HIRACE_SKIPS").is_some() {
            println!(
                "seed {seed}: {} races, {} faults, {} and {} accesses",
                all.len(),
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

fn run(path: &Path, skip: Skip, arguments: &[String]) -> Report {
    let mut config = Config::builtin();
    // The order engine reports further pairs of lines if every access is checked.
    config.semantics.engine = Engine::Machine;
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
    let options = RunOptions {
        arguments: &[],
        seed: 0,
        jobs: Some(1),
        timeout: Some(TIMEOUT),
        block_order: None,
        output: Output::Discarded,
        control: &ProgramOptions::default(),
    };
    program.run(&config, &options).expect("the program runs")
}
