//! The progress of a shard.

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
    /// Its state.
    pub state: State,
    /// Runs in its database.
    pub runs: u64,
    /// Number of planned runs; `None` if it is not known yet.
    pub planned: Option<u64>,
    /// The last line of its jobs' output, if it has stopped.
    pub last_line: Option<String>,
}

/// The state of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// All its runs are in the database.
    Done,
    /// Slurm runs it.
    Running,
    /// Slurm will run it.
    Pending,
    /// It started, is not done, and Slurm does not run it.
    Stopped,
    /// It has no database, and Slurm does not know it.
    NotStarted,
    /// It is not done, and whether Slurm runs it is unknown.
    Unfinished,
}

impl State {
    /// All states.
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
    /// Reads the progress of a shard. `queue` is none if Slurm could not be queried.
    ///
    /// # Errors
    /// Its database cannot be read.
    pub fn read(submission: &Submission, number: u32, queue: Option<&Queue>) -> Result<Self> {
        let path = submission.database(number);
        // A job that has just created the file has not written its schema yet.
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
            // A job that has just ended may still be in the queue for a moment.
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
