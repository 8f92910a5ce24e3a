//! The record of a submission: a file beside the results with everything that later commands need.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::sweep::cache::digest;

/// The file's name.
pub const FILE: &str = "submission.json";

/// A sweep in shards.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The jobs' name in Slurm's queue.
    pub name: String,
    /// Number of shards.
    pub shards: u32,
    /// The program that sweeps: the executable that submitted.
    pub program: PathBuf,
    /// Arguments of `hirace-indigo sweep`, without a shard and a database.
    pub sweep: Vec<String>,
    /// Options of `sbatch`.
    pub sbatch: Vec<String>,
    /// The directory that relative paths in the arguments refer to.
    pub workdir: PathBuf,
    /// Numbers of the jobs, in the order of submission.
    pub jobs: Vec<String>,
    /// The directory of the file.
    #[serde(skip)]
    pub directory: PathBuf,
}

impl Submission {
    /// A submission of this program from this process' directory, not yet written to disk.
    /// `directory` need not exist.
    ///
    /// # Errors
    /// The path of the program or of the directory is unknown, or one of them is not UTF-8.
    pub fn new(directory: &Path, shards: u32, sweep: &[String], sbatch: &[String]) -> Result<Self> {
        let absolute = std::path::absolute(directory);
        let directory = absolute.map_err(|source| Error::write(directory, source))?;
        let unknown = |what, source| Error::Usage(format!("cannot find {what}: {source}"));
        let program = std::env::current_exe().map_err(|it| unknown("this program's file", it))?;
        let workdir = std::env::current_dir().map_err(|it| unknown("this directory", it))?;
        for path in [&directory, &program, &workdir] {
            if path.to_str().is_none_or(|path| path.contains('\n')) {
                return Err(Error::Usage(format!(
                    "`{}` cannot be used in a job script: it is not UTF-8 or contains a line break",
                    path.display()
                )));
            }
        }
        let digest = digest([directory.as_os_str().as_encoded_bytes()]);
        Ok(Self {
            name: format!("hirace-indigo-{}", &digest[..12]),
            shards,
            program,
            sweep: sweep.to_vec(),
            sbatch: sbatch.to_vec(),
            workdir,
            jobs: Vec::new(),
            directory,
        })
    }

    /// Reads the submission in `directory`.
    ///
    /// # Errors
    /// There is none, or it is not one that this program writes.
    pub fn open(directory: &Path) -> Result<Self> {
        let path = directory.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|source| Error::read(&path, source))?;
        let submission = serde_json::from_str(&text).map_err(|error| Error::Mistake {
            path: path.clone(),
            line: error.line(),
            message: error.to_string(),
        })?;
        let directory = std::path::absolute(directory);
        Ok(Self {
            directory: directory.map_err(|source| Error::read(&path, source))?,
            ..submission
        })
    }

    /// Creates the directory with the file in it.
    pub(super) fn create(&self) -> Result<()> {
        let directory = &self.directory;
        std::fs::create_dir_all(directory).map_err(|source| Error::write(directory, source))?;
        if directory.join(FILE).exists() {
            let directory = directory.display();
            return Err(Error::Usage(format!(
                "`{directory}` has a submission already; `hirace-indigo submit --resume {directory}` \
                 submits its unfinished shards"
            )));
        }
        self.save()
    }

    /// Removes the file that [`Self::create`] created.
    pub(super) fn withdraw(&self) {
        // If removing fails, the next submission reports the file.
        drop(std::fs::remove_file(self.directory.join(FILE)));
    }

    /// Writes the file; an existing one stays unchanged until the new one is complete.
    pub(super) fn save(&self) -> Result<()> {
        let path = self.directory.join(FILE);
        let failed = |source| Error::write(&path, source);
        let text = serde_json::to_string_pretty(self).expect("texts and numbers are JSON");
        let fresh = tempfile::NamedTempFile::new_in(&self.directory).map_err(failed)?;
        std::fs::write(fresh.path(), text + "\n").map_err(failed)?;
        fresh.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// The numbers of the shards.
    pub fn shards(&self) -> impl Iterator<Item = u32> + use<> {
        1..=self.shards
    }

    /// The database of a shard.
    #[must_use]
    pub fn database(&self, shard: u32) -> PathBuf {
        self.directory.join(format!("shard-{shard}.sqlite"))
    }

    /// The output files of a shard's jobs.
    #[must_use]
    pub fn log(&self, shard: u32) -> PathBuf {
        self.directory.join(format!("shard-{shard}.log"))
    }

    /// The jobs' script.
    #[must_use]
    pub fn script(&self) -> PathBuf {
        self.directory.join("job.sh")
    }

    /// Arguments of `sbatch` that submit `shards`. Ours come last, so they take precedence.
    #[must_use]
    pub fn sbatch_arguments(&self, shards: &[u32]) -> Vec<String> {
        // Slurm replaces patterns after a percent sign.
        let directory = self.directory.display().to_string().replace('%', "%%");
        let mut arguments = self.sbatch.clone();
        arguments.extend([
            "--parsable".into(),
            format!("--job-name={}", self.name),
            format!("--array={}", ranges(shards)),
            format!("--output={directory}/shard-%a.log"),
            "--open-mode=append".into(),
            self.script().display().to_string(),
        ]);
        arguments
    }
}

/// Ascending numbers in Slurm's notation: `1-3,7`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let texts = ranges.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_ranges() {
        assert_eq!(ranges(&[1]), "1");
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    }

    #[test]
    fn our_options_come_last_and_percent_signs_stay() {
        let sbatch = ["--array=9".to_owned()];
        let submission = Submission::new(Path::new("/a/5%"), 2, &[], &sbatch).unwrap();
        let arguments = submission.sbatch_arguments(&[1, 2]);
        assert_eq!(arguments[0], "--array=9");
        assert!(arguments.contains(&"--array=1-2".into()));
        assert!(arguments.contains(&"--output=/a/5%%/shard-%a.log".into()));
    }

    #[test]
    fn what_was_submitted_is_read_back_and_not_submitted_twice() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["--filter".to_owned(), "it's".to_owned()];
        let directory = folder.path().join("sweep");
        let submission = Submission::new(&directory, 64, &words, &[]).unwrap();
        submission.create().unwrap();
        assert_eq!(Submission::open(&directory).unwrap(), submission);
        let error = submission.create().unwrap_err().to_string();
        assert!(error.contains("submit --resume"), "{error}");
    }
}
