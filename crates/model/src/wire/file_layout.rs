//! The parts of a file of records: a header and arrays.

use super::records::{KernelEntry, ProcessEntry, Record, RecordHeader, Spread, Whereabouts};
use super::schema::Wire;

/// An array in the file.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// The type of its entries in C++.
    pub entry: &'static str,
    /// The bytes of an entry.
    pub size: usize,
    /// The capacity that counts its entries.
    pub capacity: &'static str,
}

/// The arrays after the header, in order.
pub const SECTIONS: [Section; 5] = [
    Section {
        name: "kernels",
        entry: "KernelEntry",
        size: KernelEntry::SIZE,
        capacity: "kernel_capacity",
    },
    // A hash table: a race that repeats finds its record again and counts.
    Section {
        name: "records",
        entry: "Record",
        size: Record::SIZE,
        capacity: "record_capacity",
    },
    // One for each record.
    Section {
        name: "spreads",
        entry: "Spread",
        size: Spread::SIZE,
        capacity: "record_capacity",
    },
    // Likewise.
    Section {
        name: "whereabouts",
        entry: "Whereabouts",
        size: Whereabouts::SIZE,
        capacity: "record_capacity",
    },
    // As many as kernels: few programs have more processes.
    Section {
        name: "processes",
        entry: "ProcessEntry",
        size: ProcessEntry::SIZE,
        capacity: "kernel_capacity",
    },
];

/// Where the parts of a file begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileLayout {
    /// The array of kernels.
    pub kernels: usize,
    /// The array of records.
    pub records: usize,
    /// The array of spreads.
    pub spreads: usize,
    /// The array of whereabouts.
    pub whereabouts: usize,
    /// The array of processes.
    pub processes: usize,
    /// The tables of sites, which is where a fresh file ends.
    pub tables: usize,
}

impl FileLayout {
    /// The layout of a file with these capacities; `None` if it would be too large.
    #[must_use]
    pub fn of(kernel_capacity: u32, record_capacity: u32) -> Option<Self> {
        let mut at = RecordHeader::SIZE;
        let [kernels, records, spreads, whereabouts, processes] = SECTIONS.map(|section| {
            let count = match section.capacity {
                "kernel_capacity" => kernel_capacity,
                _ => record_capacity,
            };
            let begin = at;
            at = at.saturating_add(section.size.saturating_mul(count as usize));
            begin
        });
        (at < usize::MAX).then_some(Self {
            kernels,
            records,
            spreads,
            whereabouts,
            processes,
            tables: at,
        })
    }
}
