//! One text for the two variants of a program.
//!
//! The generator marks accesses and barriers: `«r:s[t]»` is a read of `s[t]`. The checked variant is the text
//! without the marks, so hirace sees what a programmer would write. In the traced variant each mark is a macro of
//! `trace.h`, which notes what happens, with the line of the mark: in the body of a macro, that of its definition, as
//! in reports. Marks contain no line breaks, so both variants have the same lines.

/// A variant of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// What hirace checks.
    Checked,
    /// What writes a log of its accesses and barriers.
    Traced,
}

/// The header of traced programs.
pub const TRACE: &str = include_str!("trace.h");

/// The marks and the macros that they stand for.
const MARKS: [(&str, &str); 7] = [
    ("«r:", "TRACE_READ"),
    ("«w:", "TRACE_WRITE"),
    ("«u:", "TRACE_UPDATE"),
    ("«a:", "TRACE_ATOMIC"),
    ("«b:", "TRACE_BARRIER"),
    ("«v:", "TRACE_VOTE"),
    ("«y:", "TRACE_WARP_BARRIER"),
];

pub fn read(place: &str) -> String {
    format!("«r:{place}»")
}

pub fn write(place: &str) -> String {
    format!("«w:{place}»")
}

/// A read and a write that are not atomic together.
pub fn update(place: &str) -> String {
    format!("«u:{place}»")
}

pub fn atomic(place: &str) -> String {
    format!("«a:{place}»")
}

/// `__syncthreads()`, which has no value.
pub const BARRIER: &str = "«b:__syncthreads()»";

/// A barrier with a value, such as `__syncthreads_or`.
pub fn vote(name: &str, argument: &str) -> String {
    format!("«v:{name}({argument})»")
}

/// Text that only the traced variant has.
pub fn traced_only(text: &str) -> String {
    format!("‹{text}›")
}

/// The text of a variant.
pub fn render(text: &str, variant: Variant) -> String {
    let lines = text.lines().zip(1..);
    lines
        .map(|(line, number)| match variant {
            Variant::Checked => checked(line),
            Variant::Traced => traced(line, number),
        })
        .collect()
}

fn checked(line: &str) -> String {
    let mut line = line.replace('»', "");
    for (mark, _) in MARKS {
        line = line.replace(mark, "");
    }
    let mut parts = line.split('‹');
    let first = parts.next().unwrap_or("");
    let others = parts.map(|it| it.split_once('›').map_or(it, |(_, after)| after));
    let mut kept = first.to_owned();
    kept.extend(others);
    kept + "\n"
}

fn traced(line: &str, number: usize) -> String {
    let mut line = line.replace('»', ")").replace(['‹', '›'], "");
    for (mark, name) in MARKS {
        line = line.replace(mark, &format!("{name}({number}, "));
    }
    line + "\n"
}
