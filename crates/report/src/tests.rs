//! From synthetic records to the text of a report.

use expect_test::{Expect, expect};
use hirace_fsm::Transition;

use super::human::{Style, render};
use super::records::tests::Builder;
use super::records::{Records, Whereabouts};
use super::{
    BarrierAt, BarrierGroup, BarrierPlace, Certainty, Count, Input, Relation, Report, Run, Status,
    assemble, json, merge, read,
};
use hirace_model::Ended;
use hirace_model::table::{Call, Notes, Table, Tables, Texts, Variable, variable_key};
use hirace_model::wire::numbers::{Fault, Limits};
use hirace_model::{
    Backend, Coverage, NotModelled, NotMonitored, ResultUse, Site, SiteKind, SwitchedOff, Warning,
};

mod json_format;
mod limits;
mod outcomes;
mod places;
mod races;

const SOURCE: &str = "\
__global__ void block_sum(const int* in, int* out) {
  __shared__ int s_sum[256];
  int t = threadIdx.x;
  s_sum[t] = in[t];
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s_sum[t] += s_sum[t + stride];
  }
  *out = s_sum[0];
}
";

const HEADER: &str = "__device__ inline void put(int* p, int v) { *p = v; }\n";

/// Sites of `a.cu` by their number: 1 write, 2 update, 3 read, 4 write of `*out`, 5 read;
/// site 1 of `b.cuh` is the write in `put`.
fn tables() -> Tables {
    let mut tables = Tables::default();
    let texts = [
        ("s_sum[t] =", "s_sum[t]", SiteKind::Write),
        ("s_sum[t] +=", "s_sum[t]", SiteKind::Update),
        ("s_sum[t + stride]", "s_sum[t + stride]", SiteKind::Read),
        ("*out = ", "*out", SiteKind::Write),
        ("s_sum[0]", "s_sum[0]", SiteKind::Read),
    ];
    let mut in_a = vec![site(SOURCE, "int* in", "in", SiteKind::Read, "block_sum")];
    in_a.extend(texts.map(|(find, text, kind)| site(SOURCE, find, text, kind, "block_sum")));
    in_a.push(site(
        SOURCE,
        "block_sum",
        "block_sum",
        SiteKind::Launch,
        "main",
    ));
    let notes = Notes {
        variables: vec![Variable {
            number: 3,
            name: "tile".to_owned(),
            ..Variable::default()
        }],
        ..Notes::default()
    };
    tables.add(Table {
        key: KEY,
        notes,
        ..table("a.cu", a(0), in_a)
    });
    let in_b = vec![site(HEADER, "*p = v", "*p", SiteKind::Write, "put")];
    tables.add(table("b.cuh", B, in_b));
    tables
}

/// Of the table of `a.cu`.
const KEY: u64 = 5;

fn table(path: &str, base: u32, sites: Vec<Site>) -> Table {
    Table {
        path: path.to_owned(),
        base,
        sites,
        notes: Notes {
            kernels: vec!["block_sum".to_owned()],
            ..Notes::default()
        },
        ..Table::default()
    }
}

fn site(source: &str, find: &str, text: &str, kind: SiteKind, function: &str) -> Site {
    let start = source.find(find).unwrap();
    let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let variable = text.trim_start_matches('*').split('[').next().unwrap();
    Site {
        range: start..start + text.len(),
        line: u32::try_from(1 + source[..start].matches('\n').count()).unwrap(),
        column: u32::try_from(1 + start - line_start).unwrap(),
        text: text.to_owned(),
        variable: variable.to_owned(),
        function: function.to_owned(),
        kind,
        result: ResultUse::Used,
    }
}

fn a(index: u32) -> u32 {
    1 << 20 | index
}

const B: u32 = 2 << 20;

fn texts() -> Texts {
    [("a.cu", SOURCE), ("b.cuh", HEADER)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
}

fn report_ended(records: &Records, ended: Ended) -> Report {
    assemble(&Run {
        backend: Backend::Cpu,
        seed: 0,
        ended,
        timeout: Some(2.0),
        init_check: false,
        names_process: false,
        records,
        tables: &tables(),
    })
}

fn report(builder: Builder) -> Report {
    report_ended(&builder.records(), Ended::Exited(0))
}

fn one_kernel() -> Builder {
    Builder::new().totals(1, 1000).kernel("block_sum")
}

const SHARED_WARP: [u8; 4] = [1, 1, 1, 2];
const SHARED_BLOCK: [u8; 4] = [1, 1, 2, 2];
const GLOBAL_GRID: [u8; 4] = [1, 2, 3, 2];

#[track_caller]
fn check(builder: Builder, expected: &Expect) {
    let style = Style {
        width: 100,
        color: false,
        unicode: true,
    };
    expected.assert_eq(&render(&report(builder), &texts(), None, style));
}

#[track_caller]
fn check_code(builder: Builder, code: &str) {
    let report = report(builder);
    assert_eq!(report.races.len(), 1);
    assert_eq!(report.races[0].code, code);
}
