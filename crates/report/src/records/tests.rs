use super::*;

/// Builds the content of a records file.
pub struct Builder {
    bytes: Vec<u8>,
    kernels: u32,
    records: usize,
}

impl Builder {
    pub(crate) fn new() -> Self {
        let mut bytes = vec![0; usize::try_from(file_size()).unwrap()];
        bytes[..16].copy_from_slice(&fresh_header());
        bytes[..8].copy_from_slice(MAGIC);
        Self {
            bytes,
            kernels: 0,
            records: 0,
        }
    }

    pub fn u32(mut self, at: usize, value: u32) -> Self {
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    pub fn u64(mut self, at: usize, value: u64) -> Self {
        self.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        self
    }

    pub fn totals(self, launches: u64, accesses: u64) -> Self {
        self.u64(32, launches).u64(40, accesses)
    }

    pub fn kernel(mut self, name: &str) -> Self {
        let at = HEADER_SIZE + self.kernels as usize * KERNEL_SIZE;
        self.bytes[at..at + name.len()].copy_from_slice(name.as_bytes());
        self.kernels += 1;
        let kernels = self.kernels;
        // Three launches with ten accesses each.
        self.u64(at + 224, 3).u64(at + 232, 30).u32(16, kernels)
    }

    /// Of the last kernel no access was seen; so many launches were switched off.
    pub fn unseen(self, switched_off: u32) -> Self {
        let at = HEADER_SIZE + (self.kernels as usize - 1) * KERNEL_SIZE;
        self.u64(at + 232, 0).u32(at + 248, switched_off)
    }

    /// The last kernel reached a limit: blocks and threads with numbers of so many bits.
    pub fn number_bits(self, limit: u32, bits: [u8; 2]) -> Self {
        let at = HEADER_SIZE + (self.kernels as usize - 1) * KERNEL_SIZE;
        self.u32(64, limit)
            .u32(at + 244, limit)
            .u32(at + 252, u32::from_le_bytes([0, 0, bits[0], bits[1]]))
    }

    /// A record: `[type, space, relation, prior_known]`, kernel 0, sites, accesses, count.
    pub fn record(
        mut self,
        kinds: [u8; 4],
        sites: [u32; 2],
        accesses: [u8; 2],
        threads: [u32; 2],
        count: u64,
    ) -> Self {
        // Spread, as a hash table would.
        let slot = self.records * 7;
        self.records += 1;
        let at = HEADER_SIZE + KERNEL_CAPACITY as usize * KERNEL_SIZE + slot * RECORD_SIZE;
        self.bytes[at + 4..at + 8].copy_from_slice(&kinds);
        self.bytes[at + 20..at + 24].copy_from_slice(&[accesses[0], accesses[1], 4, 4]);
        self.u32(at, 2)
            .u32(at + 12, sites[0])
            .u32(at + 16, sites[1])
            .u32(at + 44, threads[0])
            .u32(at + 68, threads[1])
            .u64(at + 80, count)
    }

    /// The launch and the transition of the last record.
    pub fn launch(mut self, grid: [u16; 3], block: [u32; 3], transition: u16) -> Self {
        let slot = (self.records - 1) * 7;
        let at = HEADER_SIZE + KERNEL_CAPACITY as usize * KERNEL_SIZE + slot * RECORD_SIZE;
        self.bytes[at + 109] = 32;
        self.bytes[at + 110..at + 112].copy_from_slice(&transition.to_le_bytes());
        self.bytes[at + 124..at + 126].copy_from_slice(&grid[1].to_le_bytes());
        self.bytes[at + 126..at + 128].copy_from_slice(&grid[2].to_le_bytes());
        (0..3)
            .fold(self, |it, axis| it.u32(at + 96 + 4 * axis, block[axis]))
            .u32(at + 120, grid[0].into())
    }

    /// Constructs that might have ordered the two ends of the last record.
    pub fn not_modelled(self, constructs: u32) -> Self {
        let slot = (self.records - 1) * 7;
        let at = HEADER_SIZE + KERNEL_CAPACITY as usize * KERNEL_SIZE + slot * RECORD_SIZE;
        self.u32(at + 28, constructs)
    }

    pub fn fault(self, number: u32, site: u32) -> Self {
        let builder = self.record([2, 0, 0, 0], [0, site], [0, 0], [0, 5], 1);
        let at = HEADER_SIZE
            + KERNEL_CAPACITY as usize * KERNEL_SIZE
            + (builder.records - 1) * 7 * RECORD_SIZE;
        builder.u32(at + 24, number).u32(at + 108, 1)
    }

    pub fn bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn records(self) -> Records {
        parse(&self.bytes).unwrap()
    }
}

#[test]
fn a_fresh_file_has_not_started() {
    let mut bytes = vec![0; usize::try_from(file_size()).unwrap()];
    bytes[..16].copy_from_slice(&fresh_header());
    assert!(!parse(&bytes).unwrap().started);
}

#[test]
fn fields() {
    let records = Builder::new()
        .totals(3, 70)
        .kernel("first")
        .kernel("second")
        .record([1, 2, 3, 2], [0x10_0001, 0x10_0002], [1, 0], [7, 8], 9)
        .not_modelled(5)
        .launch([70, 80, 90], [32, 4, 2], 777)
        .records();
    assert!(records.started && !records.finished);
    assert_eq!((records.totals.launches, records.totals.accesses), (3, 70));
    assert_eq!(records.kernels[1].name, "second");
    let entry = &records.entries[0];
    assert_eq!((entry.space, entry.relation, entry.count), (2, 3, 9));
    assert_eq!(entry.not_modelled, 5);
    assert_eq!((entry.grid, entry.block), ([70, 80, 90], [32, 4, 2]));
    assert_eq!((entry.warp_size, entry.transition), (32, 777));
    let prior = entry.prior.unwrap();
    assert_eq!((prior.site, prior.access, prior.size), (0x10_0001, 1, 4));
    assert_eq!(prior.thread, Some(([0; 3], [7, 0, 0])));
    assert_eq!(entry.current.thread, Some(([0; 3], [8, 0, 0])));
}

#[test]
fn an_unknown_prior_has_no_site_and_no_thread() {
    let records = Builder::new()
        .record([1, 1, 1, 0], [77, 0x10_0002], [1, 0], [7, 8], 1)
        .records();
    let prior = records.entries[0].prior.unwrap();
    assert_eq!((prior.site, prior.thread), (0, None));
}

#[test]
fn half_written_and_senseless_records_are_passed_over() {
    let at = HEADER_SIZE + KERNEL_CAPACITY as usize * KERNEL_SIZE;
    let half = Builder::new()
        .record([1, 1, 1, 2], [1, 2], [1, 0], [7, 8], 1)
        .u32(at, 1);
    assert!(half.records().entries.is_empty());
    let senseless = Builder::new().record([9, 1, 1, 2], [1, 2], [1, 0], [7, 8], 1);
    assert!(senseless.records().entries.is_empty());
}

#[test]
fn sizes_are_not_trusted() {
    for (at, value) in [(8, u32::MAX), (12, u32::MAX), (8, KERNEL_CAPACITY + 4096)] {
        let bytes = Builder::new().u32(at, value).bytes();
        assert!(parse(&bytes).is_err(), "{at} {value}");
    }
    // More kernels in use than there is room for.
    let records = Builder::new().u32(16, u32::MAX).records();
    assert_eq!(records.kernels.len(), KERNEL_CAPACITY as usize);
    assert!(parse(b"HIRACE01").is_err());
}
