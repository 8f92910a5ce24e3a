//! Which arrays a kernel can only read, as far as its instructions show.

use std::io::Write as _;

use hirace_instrument::rewrite::{MonitorAll, Skip};
use hirace_ptx::{Checks, loaded};

/// The parameters that the code at the beginning of a kernel names, with a `*` after those that it can write through.
fn pointers(body: &str) -> String {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 tile[];\n.global .f32 total;\n\
         .visible .entry k(.param .u64 a, .param .u64 b, .param .align 8 .b8 c[16])\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n\
         ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c+8];\n\
         cvta.to.global.u64 %rd4, %rd1;\nadd.s64 %rd5, %rd2, 16;\n\
         ld.global.f32 %f1, [%rd4];\n{body}\nret;\n}}\n"
    );
    let checks = Checks {
        monitor: &MonitorAll,
        skip: Skip::default(),
    };
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("written");
    let made = loaded::translate(file.path(), Some(checks));
    let made = made.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let call = made.lines().find_map(|it| it.split_once("enter_kernel("));
    let parts = call.map_or("", |it| it.1).split("pointer_in<").skip(1);
    let names = parts.map(|it| {
        let name = it.split(['(', ')']).nth(1).unwrap_or("");
        let end = if it.starts_with("const ") { "" } else { "*" };
        format!("{}{end}", &name[name.len() - 1..])
    });
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_a_kernel_stores_to_shows_what_it_only_reads() {
    for (body, expected) in [
        ("st.global.f32 [%rd5], %f1;", "a b*"),
        ("st.f32 [%rd4], %f1;", "a* b"),
        ("red.global.add.f32 [%rd5+4], %f1;", "a b*"),
        ("st.global.f32 [total], %f1;", "a b"),
        ("mov.u32 %r1, tile; st.shared.f32 [%r1], %f1;", "a b"),
        (
            "mov.u32 %r1, tile; cp.async.ca.shared.global [%r1], [%rd4], 4;",
            "a b",
        ),
        (
            "mov.u32 %r1, tile; cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r1], 16;",
            "a b*",
        ),
        // Both are written.
        ("st.global.f32 [%rd5], %f1; st.global.f32 [%rd4], %f1;", ""),
        // Either may be written.
        (
            "selp.b64 %rd6, %rd4, %rd5, %p1; st.global.f32 [%rd6], %f1;",
            "",
        ),
        // What is written is not known: a pointer in memory, in a structure, or from an unknown computation.
        ("ld.global.u64 %rd6, [%rd5]; st.global.f32 [%rd6], %f1;", ""),
        ("st.global.f32 [%rd3], %f1;", ""),
        ("shl.b64 %rd6, %rd5, 1; st.global.f32 [%rd6], %f1;", ""),
    ] {
        assert_eq!(pointers(body), expected, "{body}");
    }
}
