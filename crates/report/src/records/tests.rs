use super::*;
use hirace_model::wire::records::Char;
use hirace_model::wire::schema::Text;

/// Builds the content of a records file.
pub struct Builder {
    header: RecordHeader,
    kernels: Vec<KernelEntry>,
    records: Vec<Record>,
    /// The only entry of the array of processes.
    process: Option<ProcessEntry>,
    /// Of the last record.
    whereabouts: Option<Whereabouts>,
}

/// Records lie this far apart, as in a hash table.
const STRIDE: usize = 7;

fn nowhere() -> Whereabouts {
    Whereabouts::read(&[0; Whereabouts::SIZE])
}

impl Builder {
    pub(crate) fn new() -> Self {
        let mut header = RecordHeader::read(&[0; RecordHeader::SIZE]);
        header.magic = MAGIC.map(Char);
        header.kernel_capacity = KERNEL_CAPACITY;
        header.record_capacity = RECORD_CAPACITY;
        Self {
            header,
            kernels: Vec::new(),
            records: Vec::new(),
            whereabouts: None,
            process: None,
        }
    }

    /// Changes the header.
    pub fn header(mut self, change: impl FnOnce(&mut RecordHeader)) -> Self {
        change(&mut self.header);
        self
    }

    fn last_kernel(mut self, change: impl FnOnce(&mut KernelEntry)) -> Self {
        change(self.kernels.last_mut().expect("a kernel"));
        self
    }

    fn last_record(mut self, change: impl FnOnce(&mut Record)) -> Self {
        change(self.records.last_mut().expect("a record"));
        self
    }

    pub fn totals(self, launches: u64, accesses: u64) -> Self {
        self.header(|it| (it.launches, it.accesses) = (launches, accesses))
    }

    /// Three launches with ten accesses each.
    pub fn kernel(mut self, name: &str) -> Self {
        let mut kernel = KernelEntry::read(&[0; KernelEntry::SIZE]);
        kernel.name = Text(name.to_owned());
        (kernel.launches, kernel.accesses) = (3, 30);
        self.kernels.push(kernel);
        self.header(|it| it.kernels += 1)
    }

    /// Of the last kernel no access was seen; so many launches were switched off.
    pub fn unseen(self, switched_off: u32) -> Self {
        self.last_kernel(|it| (it.accesses, it.unmonitored_launches) = (0, switched_off))
    }

    /// The last kernel reached a limit: blocks and threads with numbers of so many bits.
    pub fn number_bits(self, limit: Limits, bits: [u8; 2]) -> Self {
        self.header(|it| it.limits = limit).last_kernel(|it| {
            it.limits = limit;
            [it.block_bits, it.thread_bits] = bits;
        })
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
        let mut record = Record::read(&[0; Record::SIZE]);
        record.ready = COMPLETE;
        let [kind, space, relation, prior_known] = kinds.map(u64::from);
        record.type_ = RecordType::of(kind);
        record.space = Space::of(space);
        record.relation = RaceScope::of(relation);
        record.prior_known = PriorKnown::of(prior_known);
        [record.site_prior, record.site_current] = sites;
        [record.prior_access, record.current_access] = accesses.map(|it| AccessKind::of(it.into()));
        (record.prior_size, record.current_size) = (4, 4);
        [record.prior_thread.x, record.current_thread.x] = threads;
        record.count = count;
        self.records.push(record);
        self
    }

    /// The launch and the transition of the last record.
    pub fn launch(self, grid: [u16; 3], block: [u32; 3], transition: u16) -> Self {
        self.last_record(|it| {
            (it.warp_size, it.transition) = (32, transition);
            (it.grid_dim.x, it.grid_dim.y, it.grid_dim.z) = (grid[0].into(), grid[1], grid[2]);
            [it.block_dim.x, it.block_dim.y, it.block_dim.z] = block;
        })
    }

    /// The last record is about shared memory.
    pub fn shared(self) -> Self {
        self.last_record(|it| it.space = Some(Space::Shared))
    }

    /// Where the last record was seen.
    pub fn seen_at(mut self, change: impl FnOnce(&mut Whereabouts)) -> Self {
        let place = self.whereabouts.get_or_insert_with(nowhere);
        change(place);
        self
    }

    /// The last record is of this process, one of two.
    pub fn process(mut self, command: &str, test: &str) -> Self {
        self.process = Some(ProcessEntry {
            executable: Text(format!("/project/{command}")),
            command: Text(command.to_owned()),
            test: Text(test.to_owned()),
        });
        self.header(|it| it.processes = 2)
            .seen_at(|it| it.process = 1)
    }

    /// Constructs that might have ordered the two ends of the last record.
    pub fn not_modelled(self, constructs: u32) -> Self {
        self.last_record(|it| it.not_modelled = NotModelled(constructs))
    }

    pub fn fault(self, fault: Fault, site: u32) -> Self {
        let builder = self.record([2, 0, 0, 0], [0, site], [0, 0], [0, 5], 1);
        builder.last_record(|it| (it.fault, it.ended) = (Some(fault), 1))
    }

    pub fn bytes(self) -> Vec<u8> {
        let layout = FileLayout::of(KERNEL_CAPACITY, RECORD_CAPACITY).expect("a layout");
        let mut bytes = vec![0; layout.tables];
        let mut put = |at: usize, write: &dyn Fn(&mut Vec<u8>)| {
            let mut value = Vec::new();
            write(&mut value);
            bytes[at..at + value.len()].copy_from_slice(&value);
        };
        put(0, &|out| self.header.write(out));
        for (index, kernel) in self.kernels.iter().enumerate() {
            let at = layout.kernels + index * KernelEntry::SIZE;
            put(at, &|out| kernel.write(out));
        }
        for (index, record) in self.records.iter().enumerate() {
            let at = layout.records + index * STRIDE * Record::SIZE;
            put(at, &|out| record.write(out));
        }
        if let Some(process) = &self.process {
            put(layout.processes, &|out| process.write(out));
        }
        if let (Some(place), Some(last)) = (&self.whereabouts, self.records.len().checked_sub(1)) {
            let at = layout.whereabouts + last * STRIDE * Whereabouts::SIZE;
            put(at, &|out| place.write(out));
        }
        bytes
    }

    pub fn records(self) -> Records {
        parse(&self.bytes()).unwrap()
    }
}

#[test]
fn a_fresh_file_has_not_started() {
    let mut bytes = vec![0; usize::try_from(file_size()).unwrap()];
    let header = fresh_header();
    bytes[..header.len()].copy_from_slice(&header);
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
    assert_eq!(entry.space, Some(Space::Global));
    assert_eq!((entry.relation, entry.count), (Some(RaceScope::Grid), 9));
    assert_eq!(entry.not_modelled, NotModelled(5));
    assert_eq!((entry.grid, entry.block), ([70, 80, 90], [32, 4, 2]));
    assert_eq!((entry.warp_size, entry.transition), (32, 777));
    let prior = entry.prior.unwrap();
    assert_eq!((prior.site, prior.size), (0x10_0001, 4));
    assert_eq!(prior.access, Some(AccessKind::Write));
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
    let half = Builder::new()
        .record([1, 1, 1, 2], [1, 2], [1, 0], [7, 8], 1)
        .last_record(|it| it.ready = 1);
    assert!(half.records().entries.is_empty());
    let senseless = Builder::new().record([9, 1, 1, 2], [1, 2], [1, 0], [7, 8], 1);
    assert!(senseless.records().entries.is_empty());
}

#[test]
fn sizes_are_not_trusted() {
    for (kernels, records) in [
        (u32::MAX, RECORD_CAPACITY),
        (KERNEL_CAPACITY, u32::MAX),
        (KERNEL_CAPACITY + 4096, RECORD_CAPACITY),
    ] {
        let bytes = Builder::new()
            .header(|it| (it.kernel_capacity, it.record_capacity) = (kernels, records))
            .bytes();
        assert!(parse(&bytes).is_err(), "{kernels} {records}");
    }
    // More kernels in use than there is room for.
    let records = Builder::new().header(|it| it.kernels = u32::MAX).records();
    assert_eq!(records.kernels.len(), KERNEL_CAPACITY as usize);
    assert!(parse(b"HIRACE01").is_err());
}
