//! Compiling many small files, two or more at a time, and only those that changed.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use anyhow::{Context, Result};

use crate::process;
use crate::tally::Tally;

/// One compilation that must succeed.
pub struct Compilation {
    /// What to call it in the output.
    pub name: String,
    /// Changes whenever an input changes; see [`Inputs`].
    pub key: u64,
    /// The compiler call.
    pub command: Command,
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

    /// Adds a file: its path and what it holds.
    pub fn file(&mut self, path: &Path) -> Result<&mut Self> {
        let bytes = fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
        path.hash(&mut self.0);
        bytes.hash(&mut self.0);
        Ok(self)
    }

    /// The hash of all that was added, and of the command itself.
    pub fn key(&self, command: &Command) -> u64 {
        let mut hasher = self.0.clone();
        process::show(command).hash(&mut hasher);
        hasher.finish()
    }
}

/// Runs the compilations that `stamps` does not know to have succeeded unchanged.
pub fn all(compilations: Vec<Compilation>, stamps: &Path) -> Result<Tally> {
    fs::create_dir_all(stamps).with_context(|| format!("failed to create {}", stamps.display()))?;
    let stamp = |key: u64| stamps.join(format!("{key:016x}"));
    let keep: BTreeSet<PathBuf> = compilations.iter().map(|c| stamp(c.key)).collect();

    let total = compilations.len();
    let tally = Mutex::new(Tally::default());
    let unchanged = AtomicUsize::new(0);
    let queue = Mutex::new(compilations.into_iter());
    let work = || {
        while let Some(mut next) = { queue.lock().expect("no worker panics").next() } {
            let stamp = stamp(next.key);
            let verdict = if stamp.exists() {
                unchanged.fetch_add(1, Ordering::Relaxed);
                Tally::pass()
            } else {
                compile(&mut next, &stamp)
            };
            tally.lock().expect("no worker panics").add(verdict);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers.min(total) {
            scope.spawn(work);
        }
    });

    let unchanged = unchanged.into_inner();
    println!("{} compiled, {unchanged} unchanged", total - unchanged);
    forget_all_but(&keep, stamps)?;
    let mut tally = tally.into_inner().expect("no worker panics");
    tally.failed.sort();
    Ok(tally)
}

fn compile(compilation: &mut Compilation, stamp: &Path) -> Tally {
    let name = &compilation.name;
    match process::capture(&mut compilation.command) {
        Ok(output) if output.success => {
            if let Err(error) = fs::write(stamp, name) {
                return Tally::fail(format!("{name}: failed to write its stamp: {error}"));
            }
            println!("ok      {name}");
            Tally::pass()
        }
        Ok(output) => {
            let command = process::show(&compilation.command);
            println!("FAILED  {name}\n$ {command}\n{}", output.text.trim_end());
            Tally::fail(name)
        }
        Err(error) => {
            println!("FAILED  {name}: {error:#}");
            Tally::fail(name)
        }
    }
}

/// Removes the stamps of inputs that are no longer there.
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
        let compilation = Compilation {
            name: program.to_owned(),
            key,
            command: Command::new(program),
        };
        assert_eq!(&all(vec![compilation], stamps).unwrap(), expect);
    }

    #[test]
    fn only_success_is_remembered() {
        let stamps = std::env::temp_dir().join(format!("hirace-stamps-{}", std::process::id()));
        check(&stamps, "false", 1, &Tally::fail("false"));
        check(&stamps, "true", 1, &Tally::pass());
        // Key 1 is known to succeed, so this command is not started.
        check(&stamps, "false", 1, &Tally::pass());
        // The run with key 2 forgets key 1.
        check(&stamps, "false", 2, &Tally::fail("false"));
        check(&stamps, "false", 1, &Tally::fail("false"));
        fs::remove_dir_all(&stamps).unwrap();
    }
}
