//! The schema against itself; `tests/wire.rs` holds it against C++.

use super::cpp::{ENUMERATIONS, LAYOUTS};
use super::file_layout::FileLayout;
use super::numbers::{AccessKind, Fault, Limits, SiteKind};
use super::records::{
    Details, KERNEL_CAPACITY, RECORD_CAPACITY, RaceDetails, Record, RecordHeader,
};
use super::schema::{Cpp, Wire};
use super::stream::Stream;
use super::tables::SiteRow;

/// C++ puts no bytes between members, so that offsets are sums of sizes.
#[test]
fn members_are_aligned() {
    for layout in &LAYOUTS {
        let (mut at, mut most) = (0, 1);
        for field in layout.fields {
            assert_eq!(at % field.align, 0, "{}::{}", layout.name, field.name);
            assert_ne!((field.cpp)(), Cpp::Array("void", 0));
            at += field.size;
            most = most.max(field.align);
        }
        assert_eq!(at, layout.size);
        assert_eq!(at % most, 0, "{}", layout.name);
    }
}

#[test]
fn numbers_are_one_thing_each() {
    for it in &ENUMERATIONS {
        let mut numbers: Vec<u32> = it.members.iter().map(|it| it.1).collect();
        if it.is_flags {
            assert!(numbers.iter().all(|it| it.is_power_of_two()), "{}", it.name);
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), it.members.len(), "{}", it.name);
    }
    assert_eq!(AccessKind::of(4), Some(AccessKind::Update));
    assert_eq!(AccessKind::of(7), None);
    assert_eq!(Fault::of(1 << 40), None);
    assert!((Limits::GRID_TOO_LARGE | Limits::SHADOW_CACHED).has(Limits::SHADOW_CACHED));
    assert!(
        SiteKind::ALL
            .iter()
            .all(|it| it.name() == it.name().to_lowercase())
    );
}

#[test]
fn what_is_written_is_read() {
    let bytes: Vec<u8> = (0..168).collect();
    let record = Record::read(&bytes);
    assert_eq!(record.site_prior, 0x0f0e_0d0c);
    // No access is of kind 20.
    assert_eq!(record.prior_access, None);
    let race = RaceDetails {
        prior_begin: -4,
        prior_kernel: 1,
        prior_stream: 2,
        current_stream: 3,
    };
    let details = Details {
        code_address: 0,
        race,
    };
    let mut written = Vec::new();
    Record { details, ..record }.write(&mut written);
    let back = Record::read(&written);
    assert_eq!(back.details.race.prior_begin, -4);
    assert_eq!(back.details.code_address, 0x0003_0002_0001_fffc);
    assert_eq!(back.grid_dim, Record::read(&bytes).grid_dim);
}

#[test]
fn a_file_has_room_for_its_capacities() {
    let layout = FileLayout::of(KERNEL_CAPACITY, RECORD_CAPACITY).expect("a layout");
    assert_eq!(layout.kernels, RecordHeader::SIZE);
    assert_eq!(layout.records, 128 + 1024 * 280);
    assert_eq!(layout.whereabouts, layout.spreads + 4096 * 408);
    assert_eq!(layout.processes, layout.whereabouts + 4096 * 968);
    assert_eq!(layout.tables, layout.processes + 1024 * 1024);
}

#[test]
fn a_stream_that_ends_too_soon_is_none() {
    let row = SiteRow {
        line: 3,
        column: 5,
        length: 4,
        kind: SiteKind::Write as u32,
        text: "a[i]".to_owned(),
        variable: "ä".to_owned(),
        function: String::new(),
    };
    let mut bytes = Vec::new();
    row.write(&mut bytes);
    let mut rest = bytes.as_slice();
    assert_eq!(SiteRow::read(&mut rest).as_ref(), Some(&row));
    assert_eq!(rest, [0; 0]);
    for end in 0..bytes.len() {
        assert_eq!(SiteRow::read(&mut &bytes[..end]), None, "{end}");
    }
}
