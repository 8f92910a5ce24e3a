//! Sweeps that are killed and resumed.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hirace_sample::Sample;
use hirace_sample::random::Random;

use crate::harness::{cache, query, succeed, sweep, table};

/// One of so many of these tests runs: each needs some minutes of processor time.
const SAMPLE: u64 = 20;

const KILLS: u32 = 20;

/// A few programs in two shapes: some two hundred runs.
fn some(command: &mut Command) -> &mut Command {
    command
        .args(["--filter", "pull_thread_cond", "--filter", "pull_warp_cond"])
        .args(["--shape", "64x16", "--shape", "32x32"])
}

/// Killed twenty times at random points, in builds and in runs, a sweep ends with the table of an
/// undisturbed one, and with the runs that were finished before each kill as they were.
#[test]
fn a_killed_sweep_loses_and_repeats_nothing() {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let killed = folder.path().join("killed.sqlite");
    let start = || {
        let mut command = sweep(&killed);
        some(&mut command).arg("--cache").arg(&cache);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let mut random = Random::new(0);
    let mut kills = 0;
    while kills < KILLS {
        let mut sweep = start();
        // The first kills hit the compiler, as there are no runs yet; the others hit the runs.
        let before = runs(&killed);
        if kills < KILLS / 4 {
            sleep(Duration::from_millis(random.below(1500)));
        } else {
            let more = 1 + random.below(12);
            wait_for(&killed, before + more, &mut sweep);
        }
        if sweep.try_wait().unwrap().is_some() {
            // It was faster. Too little is left for another kill, so some runs are removed.
            forget(&killed, 60);
            continue;
        }
        sweep.kill().unwrap();
        sweep.wait().unwrap();
        kills += 1;
        let kept = finished(&killed);
        assert!(kept.len() as u64 >= before, "kill {kills} lost runs");
        if kills == KILLS {
            succeed(
                some(&mut crate::harness::sweep(&killed))
                    .arg("--cache")
                    .arg(&cache),
            );
            let all = finished(&killed);
            assert!(
                kept.iter().all(|run| all.contains(run)),
                "a run was repeated"
            );
        }
    }
    let undisturbed = folder.path().join("undisturbed.sqlite");
    succeed(some(&mut sweep(&undisturbed)).arg("--cache").arg(&cache));
    let table_of_killed = table(&killed);
    assert!(table_of_killed.len() > 100, "{}", table_of_killed.len());
    assert_eq!(table_of_killed, table(&undisturbed));
    assert_eq!(query(&undisturbed, "SELECT count(*) FROM build"), [0.0]);
}

/// Ctrl-C ends a sweep as it ends any program, and the unfinished runs are not stored.
#[test]
fn an_interrupted_sweep_is_resumed() {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sweep.sqlite");
    let command = || {
        let mut command = sweep(&database);
        some(&mut command).arg("--cache").arg(cache());
        command
    };
    let mut child = command().stderr(Stdio::null()).spawn().unwrap();
    wait_for(&database, 5, &mut child);
    let pid = child.id().to_string();
    succeed(Command::new("kill").args(["-INT", &pid]));
    let status = child.wait().unwrap();
    use std::os::unix::process::ExitStatusExt as _;
    assert_eq!(status.signal(), Some(2), "{status}");
    let unfinished = "SELECT count(*) FROM session WHERE finished IS NULL";
    assert_eq!(query(&database, unfinished), [1.0]);
    let odd = "SELECT count(*) FROM run WHERE verdict NOT IN ('race', 'clean', 'match', 'differ', 'fault')";
    assert_eq!(query(&database, odd), [0.0]);
    succeed(&mut command());
    let last = "SELECT finished IS NOT NULL FROM session ORDER BY id DESC LIMIT 1";
    assert_eq!(query(&database, last), [1.0]);
}

/// Shards together have the results of one sweep.
#[test]
fn shards_make_a_whole() {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.sqlite");
    let joined = folder.path().join("joined.sqlite");
    let shard = |number: u32| folder.path().join(format!("shard-{number}.sqlite"));
    succeed(some(&mut sweep(&whole)).arg("--cache").arg(cache()));
    for number in [1, 2, 3] {
        let mut command = sweep(&shard(number));
        succeed(
            some(&mut command)
                .arg("--cache")
                .arg(cache())
                .args(["--shard", &format!("{number}/3")]),
        );
    }
    let mut merge = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    succeed(
        merge
            .arg("merge")
            .arg(&joined)
            .args([shard(3), shard(1), shard(2)]),
    );
    assert_eq!(table(&joined), table(&whole));
}

fn runs(database: &Path) -> u64 {
    match database.exists() {
        true => finished(database).len() as u64,
        false => 0,
    }
}

/// Each stored run, identified by its time.
fn finished(database: &Path) -> Vec<String> {
    let open = || -> rusqlite::Result<Vec<String>> {
        let connection = rusqlite::Connection::open(database)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection
            .prepare("SELECT program || ' ' || graph || ' ' || shape || ' ' || tool || ' ' || seconds FROM run")?
            .query_map([], |row| row.get(0))?
            .collect()
    };
    // A new database has no tables yet.
    open().unwrap_or_default()
}

fn wait_for(database: &Path, count: u64, sweep: &mut Child) {
    let end = Instant::now() + Duration::from_secs(300);
    while runs(database) < count && sweep.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "no progress");
        sleep(Duration::from_millis(5));
    }
}

fn forget(database: &Path, count: u32) {
    let connection = rusqlite::Connection::open(database).unwrap();
    let sql = format!("DELETE FROM run WHERE id IN (SELECT id FROM run ORDER BY id LIMIT {count})");
    connection.execute(&sql, []).unwrap();
}
