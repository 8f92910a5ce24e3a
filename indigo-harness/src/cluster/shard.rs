//! How far a shard is.

use std::fmt;

use super::Submission;
use super::slurm::{Place, Queue};
use crate::error::{Error, Result};
use crate::store::Store;

/// A shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// What it does.
    pub state: State,
    /// Runs that are there.
    pub runs: u64,
    /// Runs that it was asked for; `None` where that is not known yet.
    pub planned: Option<u64>,
    /// The last line that its jobs wrote, where it has stopped.
    pub last_line: Option<String>,
}

/// What a shard does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// All its runs are there.
    Done,
    /// Slurm runs it.
    Running,
    /// Slurm will run it.
    Pending,
    /// It began, is not done, and Slurm does not run it.
    Stopped,
    /// It left no trace, and Slurm does not know it.
    NotStarted,
    /// It is not done, and nobody knows whether Slurm runs it.
    Unfinished,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Done,
        Self::Running,
        Self::Pending,
        Self::Stopped,
        Self::NotStarted,
        Self::Unfinished,
    ];
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done => "done",
            Self::Running => "running",
            Self::Pending => "pending",
            Self::Stopped => "stopped",
            Self::NotStarted => "not started",
            Self::Unfinished => "not done",
        })
    }
}

impl Shard {
    /// Reads how far a shard is. Where `queue` is missing, Slurm could not be asked.
    ///
    /// # Errors
    /// Its database cannot be read.
    pub fn read(submission: &Submission, number: u32, queue: Option<&Queue>) -> Result<Self> {
        let path = submission.database(number);
        // A job that has just made the file has not written its layout yet.
        let begun = path.metadata().is_ok_and(|it| it.len() > 0);
        let (mut runs, mut planned, mut finished) = (0, None, false);
        if begun {
            let store = Store::open_to_read(&path)?;
            let count = "SELECT count(*) FROM run";
            runs = store
                .connection()
                .query_row(count, [], |row| row.get(0).map(i64::cast_unsigned))
                .map_err(|source| Error::store(&path, source))?;
            if let Some(last) = store.sessions()?.pop() {
                planned = last.planned;
                finished = last.finished.is_some();
            }
        }
        let place = queue.map(|queue| queue.get(&number));
        let log = || std::fs::read_to_string(submission.log(number)).ok();
        let state = match place {
            // A job that has just ended may be in the queue for a moment, with nothing left to do.
            _ if finished => State::Done,
            Some(Some(Place::Running)) => State::Running,
            Some(Some(Place::Pending)) => State::Pending,
            Some(None) if begun || log().is_some() => State::Stopped,
            Some(None) => State::NotStarted,
            None => State::Unfinished,
        };
        let last_line = log().filter(|_| state == State::Stopped).and_then(|text| {
            let line = text.lines().rev().find(|line| !line.trim().is_empty());
            line.map(|line| line.trim().to_owned())
        });
        Ok(Self {
            number,
            state,
            runs,
            planned,
            last_line,
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {}: {}", self.number, self.state)?;
        match self.planned {
            Some(planned) => write!(f, ", {} of {planned} runs", self.runs)?,
            None if self.runs > 0 => write!(f, ", {} runs", self.runs)?,
            None => {}
        }
        match &self.last_line {
            Some(line) => write!(f, "; {line}"),
            None => Ok(()),
        }
    }
}
