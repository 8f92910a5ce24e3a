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
}
