//! The processes that share the records of a run.

use super::{Entry, Line, ProcessEntry, Records};

impl Records {
    /// The source line of an instruction that an entry names.
    pub(crate) fn line(&self, entry: &Entry, instruction: u64) -> Option<&Line> {
        self.lines.get(&(entry.whereabouts.process, instruction))
    }

    /// The process of an entry.
    pub(crate) fn process(&self, entry: &Entry) -> Option<&ProcessEntry> {
        let index = (entry.whereabouts.process as usize).checked_sub(1)?;
        self.process_list.get(index)
    }

    /// The processes that saw what an entry says, and whether there are more that cannot be told.
    pub(crate) fn all_processes(&self, entry: &Entry) -> (Vec<&ProcessEntry>, bool) {
        let seen = entry.whereabouts.processes;
        let told = self.process_list.iter().take(LAST_BIT);
        let told = told.enumerate().filter(|(bit, _)| seen >> bit & 1 != 0);
        (told.map(|it| it.1).collect(), seen >> LAST_BIT != 0)
    }
}

/// The bit that stands for several processes.
const LAST_BIT: usize = 63;
