//! Compiles many small files, two or more at a time, and only those that changed.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, iter, thread};

use anyhow::{Context, Result};

use crate::process;
use crate::tally::Tally;

/// One compilation that must succeed.
pub struct Compilation {
    /// Its name in the output.
    pub name: String,
    /// Changes whenever an input changes; see [`Inputs`].
    pub key: u64,
    /// The compiler call.
    pub command: Command,
    /// Its parts, each compiled on its own if the call fails. Their results then count.
    pub parts: Vec<Compilation>,
}

/// A hash over everything that a compilation reads.
#[derive(Clone, Default)]
pub struct Inputs(DefaultHasher);

impl Inputs {
    /// Adds a compiler version, a flag or a name.
    pub fn text(&mut self, text: &str) -> &mut Self {
        text.hash(&mut self.0);
        self
    }

    /// Adds a file: its path and its content.
    pub fn file(&mut self, path: &Path) -> Result<&mut Self> {
        let bytes = fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
        path.hash(&mut self.0);
        bytes.hash(&mut self.0);
        Ok(self)
    }

    /// The hash of all additions and of the command itself.
    pub fn key(&self, command: &Command) -> u64 {
        let mut hasher = self.0.clone();
        process::show(command).hash(&mut hasher);
        hasher.finish()
    }
}

/// Runs the compilations, except those that `stamps` records as successful and unchanged.
pub fn all(compilations: Vec<Compilation>, stamps: &Path) -> Result<Tally> {
    fs::create_dir_all(stamps).with_context(|| format!("failed to create {}", stamps.display()))?;
    let keep: BTreeSet<PathBuf> = compilations
        .iter()
        .flat_map(|it| iter::once(it).chain(&it.parts))
        .map(|it| it.stamp(stamps))
        .collect();

    let total = compilations.len();
    let tally = Mutex::new(Tally::default());
    let counts = Counts::default();
    let queue = Mutex::new(compilations.into_iter());
    let work = || {
        while let Some(mut next) = { queue.lock().expect("no worker panics").next() } {
            let verdict = next.run(stamps, &counts);
            tally.lock().expect("no worker panics").add(verdict);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers.min(total) {
            scope.spawn(work);
        }
    });

    let (compiled, unchanged) = (counts.compiled.into_inner(), counts.unchanged.into_inner());
    println!("{compiled} compiled, {unchanged} unchanged");
    forget_all_but(&keep, stamps)?;
    let mut tally = tally.into_inner().expect("no worker panics");
    tally.failed.sort();
    Ok(tally)
}

/// Compiler calls: made and avoided.
#[derive(Default)]
struct Counts {
    compiled: AtomicUsize,
    unchanged: AtomicUsize,
}

impl Compilation {
    /// A call that reads `sources` besides `inputs`.
    pub fn new(
        name: String,
        command: Command,
        mut inputs: Inputs,
        sources: &[&Path],
    ) -> Result<Self> {
        for source in sources {
            inputs.file(source)?;
        }
        Ok(Self {
            key: inputs.key(&command),
            name,
            command,
            parts: Vec::new(),
        })
    }

    /// The file that records success.
    fn stamp(&self, stamps: &Path) -> PathBuf {
        stamps.join(format!("{:016x}", self.key))
    }

    fn run(&mut self, stamps: &Path, counts: &Counts) -> Tally {
        let stamp = self.stamp(stamps);
        let success = Tally {
            passed: self.parts.len().max(1),
            ..Tally::default()
        };
        if stamp.exists() {
            counts.unchanged.fetch_add(1, Ordering::Relaxed);
            return success;
        }
        counts.compiled.fetch_add(1, Ordering::Relaxed);
        let name = &self.name;
        match process::capture(&mut self.command) {
            Ok(output) if output.success => {
                if let Err(error) = fs::write(stamp, name) {
                    return Tally::fail(format!("{name}: failed to write its stamp: {error}"));
                }
                println!("ok      {name}");
                success
            }
            Ok(output) if self.parts.is_empty() => {
                let command = process::show(&self.command);
                println!("FAILED  {name}\n$ {command}\n{}", output.text.trim_end());
                Tally::fail(name)
            }
            Ok(output) => {
                let why = output.text.lines().find(|line| line.contains("error"));
                println!("apart   {name}: {}", why.unwrap_or("no message"));
                let mut tally = Tally::default();
                for part in &mut self.parts {
                    tally.add(part.run(stamps, counts));
                }
                tally
            }
            Err(error) => {
                println!("FAILED  {name}: {error:#}");
                Tally::fail(name)
            }
        }
    }
}

/// Removes the stamps of inputs that no longer exist.
fn forget_all_but(keep: &BTreeSet<PathBuf>, stamps: &Path) -> Result<()> {
    for path in crate::files::below(stamps)? {
        if !keep.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stamps: &Path, program: &str, key: u64, expect: &Tally) {
        assert_eq!(&all(vec![of(program, key)], stamps).unwrap(), expect);
    }

    fn of(program: &str, key: u64) -> Compilation {
        Compilation {
            name: program.to_owned(),
            key,
            command: Command::new(program),
            parts: Vec::new(),
        }
    }

    fn stamps(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("hirace-{name}-{}", std::process::id()))
    }

    #[test]
    fn only_success_is_remembered() {
        let stamps = stamps("stamps");
        check(&stamps, "false", 1, &Tally::fail("false"));
        check(&stamps, "true", 1, &Tally::pass());
        // Key 1 is known to succeed, so this command is not started.
        check(&stamps, "false", 1, &Tally::pass());
        // The run with key 2 forgets key 1.
        check(&stamps, "false", 2, &Tally::fail("false"));
        check(&stamps, "false", 1, &Tally::fail("false"));
        fs::remove_dir_all(&stamps).unwrap();
    }

    #[test]
    fn what_fails_at_once_is_compiled_apart() {
        let stamps = stamps("parts");
        let whole = |program, parts| Compilation {
            parts,
            ..of(program, 1)
        };
        let passed = |passed| Tally {
            passed,
            ..Tally::default()
        };
        let parts = vec![of("true", 2), of("false", 3), of("true", 4)];
        let tally = all(vec![whole("false", parts)], &stamps).unwrap();
        assert_eq!(tally.failed, ["false"]);
        assert_eq!(tally.passed, 2);
        // Successful ones are not compiled again; this command would fail.
        let parts = vec![of("false", 2), of("false", 4)];
        let tally = all(vec![whole("false", parts)], &stamps).unwrap();
        assert_eq!(tally, passed(2));
        // If all together succeed, none is compiled alone.
        let parts = vec![of("false", 5), of("false", 6)];
        let tally = all(vec![whole("true", parts)], &stamps).unwrap();
        assert_eq!(tally, passed(2));
        fs::remove_dir_all(&stamps).unwrap();
    }
}
