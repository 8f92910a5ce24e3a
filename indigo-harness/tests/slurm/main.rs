//! `hirace-indigo submit` and `status` with a real Slurm, if it is installed.

mod cluster;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cluster::Cluster;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hirace-indigo");

/// The cluster, and a sweep on it.
struct Sweep {
    cluster: Cluster,
    directory: PathBuf,
}

impl Sweep {
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.cluster.command(PROGRAM);
        command.args(arguments).current_dir(self.cluster.folder());
        command.output().expect("it starts")
    }

    /// What the command prints; it must succeed.
    #[track_caller]
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {stderr}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn status(&self) -> String {
        self.text(&["status", self.directory.to_str().unwrap()])
    }

    /// Waits until the status has a line that begins with `line`.
    #[track_caller]
    fn wait_for(&self, line: &str) {
        let there = || self.status().lines().any(|it| it.starts_with(line));
        if let Err(error) = self.cluster.wait(line, there) {
            let log = std::fs::read_to_string(self.directory.join("shard-1.log"));
            panic!("{error}\n{}\n{log:?}", self.status());
        }
    }

    /// The table of verdicts of databases.
    #[track_caller]
    fn verdicts(&self, databases: &str) -> String {
        let out = self.cluster.folder().join("tables");
        self.text(&["report", databases, "--format=csv", "--output", path(&out)]);
        std::fs::read_to_string(out.join("verdicts.csv")).expect("a table")
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Only a killed shard is submitted again, and all shards together are the whole sweep.
#[test]
fn a_sweep_in_shards_survives_a_kill() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let directory = cluster.folder().join("a sweep");
    let sweep = Sweep { cluster, directory };
    let directory = path(&sweep.directory);
    let options = [
        "--graph=star:4",
        "--shape=32x4",
        "--tool=hirace-cpu",
        "--cache=cache",
        "--exact=conditional_edge_block",
        "--exact=conditional_edge_block_atomicBug",
        "--exact=conditional_edge_block_guardBug",
        "--exact=conditional_edge_block_persistent_break_long",
    ];
    let submit = ["submit", "--array=2", "--directory", directory, "--"];
    let submitted = sweep.text(&[&submit[..], &options].concat());
    assert!(submitted.contains(": 2 shards"), "{submitted}");
    let job = submitted.split([' ', ':']).nth(1).expect("a number");

    sweep.wait_for("shard 2: running");
    sweep.cluster.output("scancel", &[&format!("{job}_2")]);
    sweep.wait_for("shard 2: stopped");
    sweep.wait_for("shard 1: done");

    let again = sweep.text(&["submit", "--resume", directory]);
    assert!(again.contains(": 1 of 2 shards submitted again"), "{again}");
    sweep.wait_for("shard 2: done");
    let nothing = sweep.text(&["submit", "--resume", directory]);
    assert_eq!(nothing, "all 2 shards are done or in the queue\n");

    let shards = [1, 2].map(|number| format!("{directory}/shard-{number}.sqlite"));
    sweep.text(&["merge", "all.sqlite", &shards[0], &shards[1]]);
    let whole = ["sweep", "--database=whole.sqlite"];
    sweep.text(&[&whole[..], &options].concat());
    let table = sweep.verdicts("whole.sqlite");
    assert_eq!(sweep.verdicts("all.sqlite"), table);
    // Races were found, and some programs have none.
    assert!(
        table.contains("hirace-cpu,any graph,2,0,1,0,2,0\n"),
        "{table}"
    );
}

/// Without Slurm, the message says so, and no submission is left.
#[test]
fn without_slurm_nothing_is_submitted() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(folder.path());
        let output = command.env("PATH", folder.path()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), stderr)
    };
    let submit = ["submit", "--array=3", "--directory=shards"];
    for _ in 0..2 {
        let (code, stderr) = run(&submit);
        assert_eq!(code, Some(2));
        assert!(stderr.contains("sbatch: it is not installed"), "{stderr}");
    }
    for (option, expected) in [
        (
            "--grph",
            "options of the sweep: unexpected argument '--grph'",
        ),
        ("--shard=1/3", "`submit` passes --shard to each job"),
    ] {
        let (code, stderr) = run(&[&submit[..], &["--", option]].concat());
        assert_eq!(code, Some(2));
        assert!(stderr.contains(expected), "{stderr}");
    }
    let (code, stderr) = run(&["status", "shards"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("cannot read `shards/submission.json`"),
        "{stderr}"
    );
}
