//! C++ writes the bytes that Rust reads.
//!
//! `wire/write.cpp` writes `wire/records.bin` and `wire/table.bin` with the generated header. They
//! are committed, so that a change of a layout shows; `UPDATE_EXPECT=1` updates them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hirace_model::SiteKind;
use hirace_model::table::carried;
use hirace_model::wire::cpp;
use hirace_model::wire::file_layout::FileLayout;
use hirace_model::wire::numbers::{
    AccessKind, Backend, Fault, Limits, NotModelled, PriorKnown, RaceCause, RaceFacts, RaceScope,
    RecordType, Space,
};
use hirace_model::wire::records::{
    COMPLETE, KernelEntry, MAGIC, ProcessEntry, Record, RecordHeader, Spread, Whereabouts,
};
use hirace_model::wire::schema::Wire;

fn here(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn golden(name: &str) -> Vec<u8> {
    let path = here("tests/wire").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_committed_header_is_current() {
    let committed = fs::read_to_string(here("../../device/hirace/generated/wire.h"));
    assert!(
        committed.expect("the header") == cpp::header(),
        "device/hirace/generated/wire.h differs from the schema; run `cargo xtask codegen`"
    );
}

#[test]
fn cpp_writes_the_golden_bytes() {
    let folder = tempfile::tempdir().expect("a directory");
    let program = folder.path().join("write");
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let status = Command::new(compiler)
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0", "-I"])
        .arg(here("../../device"))
        .arg(here("tests/wire/write.cpp"))
        .arg("-o")
        .arg(&program)
        .status();
    assert!(status.expect("a compiler").success());
    let status = Command::new(&program).arg(folder.path()).status();
    assert!(status.expect("it starts").success());
    for name in ["records.bin", "table.bin"] {
        let written = fs::read(folder.path().join(name)).expect("it has written");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(here("tests/wire").join(name), &written).expect("it can be written");
        }
        assert!(written == golden(name), "C++ writes another {name}");
    }
}

#[test]
fn rust_reads_the_golden_records() {
    let bytes = golden("records.bin");
    let header = RecordHeader::read(&bytes);
    assert_eq!(header.magic.map(|it| it.0), MAGIC);
    let layout = FileLayout::of(header.kernel_capacity, header.record_capacity).expect("a layout");
    assert_eq!(layout.tables, bytes.len());
    assert_eq!((header.kernels, header.records), (1, 1));
    assert_eq!(
        (header.dropped, header.launches, header.accesses),
        (5, 6, 7)
    );
    assert_eq!((header.unmonitored_launches, header.outside), (8, 9));
    assert_eq!(
        header.limits,
        Limits::GRID_TOO_LARGE | Limits::SHADOW_CACHED
    );
    assert_eq!((header.finished, header.seed, header.workers), (1, 10, 11));
    assert_eq!(header.backend, Some(Backend::Gpu));
    assert_eq!(
        (header.processes, header.process, header.halted),
        (12, -13, 14)
    );
    assert_eq!((header.launch_nanoseconds, header.peak_bytes), (15, 16));

    let kernel = KernelEntry::read(&bytes[layout.kernels..]);
    assert_eq!(kernel.name.0, "block_sum");
    assert_eq!((kernel.launches, kernel.accesses), (17, 18));
    assert_eq!(kernel.not_modelled, NotModelled::PARTIAL_WARP_BARRIER);
    assert_eq!(kernel.limits, Limits::LAUNCH_REFUSED);
    assert_eq!(kernel.unmonitored_launches, 19);
    assert_eq!((kernel.block_clock_bits, kernel.warp_clock_bits), (20, 21));
    assert_eq!((kernel.block_bits, kernel.thread_bits), (22, 23));
    assert_eq!(kernel.unsampled_launches, 63);
    assert_eq!((kernel.blocks, kernel.checked_blocks), (64, 65));

    let record = Record::read(&bytes[layout.records + Record::SIZE..]);
    assert_eq!(record.ready, COMPLETE);
    assert_eq!(record.type_, Some(RecordType::Race));
    assert_eq!(record.space, Some(Space::Global));
    assert_eq!(record.relation, Some(RaceScope::Launch));
    assert_eq!(record.prior_known, Some(PriorKnown::SiteAndThread));
    assert_eq!(
        (record.kernel, record.site_prior, record.site_current),
        (24, 25, 26)
    );
    assert_eq!(record.prior_access, Some(AccessKind::DeviceAtomic));
    assert_eq!(record.current_access, Some(AccessKind::VolatileWrite));
    assert_eq!((record.prior_size, record.current_size), (27, 28));
    assert_eq!(record.fault, Some(Fault::Misaligned));
    assert_eq!(record.cause, Some(RaceCause::NarrowScope));
    assert_eq!((record.flag_written, record.flag_read), (60, 61));
    assert_eq!(record.facts, RaceFacts::COOPERATIVE);
    assert_eq!((record.code_current, record.variable), (62, 78));
    assert_eq!(record.not_modelled, NotModelled::MEMORY_FENCE);
    assert_eq!(record.prior_block.array(), [29, 30, 31]);
    assert_eq!(record.prior_thread.array(), [32, 33, 34]);
    assert_eq!(record.current_block.array(), [35, 36, 37]);
    assert_eq!(record.current_thread.array(), [38, 39, 40]);
    assert_eq!((record.count, record.address), (41, 42));
    assert_eq!(record.block_dim.array(), [43, 44, 45]);
    assert_eq!(
        (record.ended, record.warp_size, record.transition),
        (46, 47, 48)
    );
    let race = &record.details.race;
    assert_eq!((race.prior_begin, race.prior_kernel), (-49, 50));
    assert_eq!((race.prior_stream, race.current_stream), (51, 0xffff));
    let grid = &record.grid_dim;
    assert_eq!((grid.x, grid.y, grid.z), (52, 53, 54));

    let spread = Spread::read(&bytes[layout.spreads + Spread::SIZE..]);
    assert_eq!(
        (spread.min_place, spread.max_place, spread.max_block),
        (55, 56, 57)
    );
    assert_eq!((spread.places[63], spread.blocks[31]), (58, 59));

    let place = Whereabouts::read(&bytes[layout.whereabouts + Whereabouts::SIZE..]);
    assert_eq!((place.launch, place.launch_site), (68, 69));
    assert_eq!((place.prior_launch, place.prior_launch_site), (70, 71));
    assert_eq!((place.object_bytes, place.object_offset), (66, 67));
    assert_eq!((place.variable, place.allocated_by), (72, 73));
    assert_eq!(
        (place.element_bytes, place.extents),
        (74, [75, 0, 0, 0, 76])
    );
    assert_eq!((place.process, place.processes), (77, 81));
    assert_eq!((place.launch_code, place.prior_launch_code), (88, 89));
    assert_eq!(place.origin, 90);
    let other = &place.elsewhere[3];
    assert_eq!((other.origin, other.allocated_by), (91, 92));
    assert_eq!((place.parameter, other.parameter), (98, 99));
    assert_eq!((other.object_bytes, other.launch_code), (93, 94));
    assert_eq!((other.launch, other.launch_site), (95, 96));
    assert_eq!(other.calls[..2], [0, 97]);
    let grid = &place.prior_grid;
    assert_eq!((grid.x, grid.y, grid.z), (82, 83, 84));
    assert_eq!(place.prior_block.array(), [85, 86, 87]);
    assert_eq!((place.calls[0], place.calls[15]), (79, 80));

    let process = ProcessEntry::read(&bytes[layout.processes..]);
    assert_eq!(process.executable.0, "/b/app");
    assert_eq!(process.command.0, "b/app 256");
    assert_eq!(process.test.0, "scan");
}

#[test]
fn rust_reads_the_golden_table() {
    let bytes = golden("table.bin");
    let (tables, whole) = carried::parse(&bytes);
    assert!(whole);
    let [table] = tables.as_slice() else {
        panic!("{} tables", tables.len());
    };
    assert_eq!((table.base, table.key), (7, 8));
    assert_eq!(table.path, "dir/a.cu");
    assert_eq!(table.notes.kernels, ["k"]);
    let [first, second] = table.sites.as_slice() else {
        panic!("{} sites", table.sites.len());
    };
    assert_eq!((first.line, first.column, first.range.len()), (9, 10, 11));
    assert_eq!(first.kind, SiteKind::Update);
    assert_eq!(
        (
            first.text.as_str(),
            first.variable.as_str(),
            first.function.as_str()
        ),
        ("a[i] += 1", "a", "k")
    );
    assert_eq!((second.line, second.kind), (12, SiteKind::Launch));

    for end in 1..bytes.len() {
        assert_eq!(carried::parse(&bytes[..end]), (Vec::new(), false), "{end}");
    }
}
