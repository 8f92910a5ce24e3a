//! The lines before and after the user's text.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use hirace_model::table::{Notes, Table};
use hirace_model::{Backend, Site};

use super::facts::synchronisation::Synchronisation;
use super::sites::{escape, kind_name};
use super::{Facts, Instrumented, Options, is_header};

/// The line that every instrumented file begins with, unless the command line defines macros.
pub(crate) const INCLUDE: &str = "#include <hirace/hirace.cuh>\n";

/// Maximum bytes of one string literal. Compilers need not accept longer ones; they join adjacent
/// literals.
const LITERAL_LIMIT: usize = 16 << 10;

/// With this line before the device headers, checks are not inlined.
const BY_CALL: &str = "#define HIRACE_CHECKS_BY_CALL\n";

/// Prefixes of macros on the command line that choose what headers declare.
const CHOICES: [&str; 8] = [
    "_", "HIRACE_", "CUDA", "THRUST_", "CUB_", "CCCL_", "CUSPARSE", "CURAND",
];

/// The lines before the user's text: the device headers and those of `options.prelude`, while macros
/// of the command line are not defined.
pub(crate) fn header(path: &str, facts: &Facts, options: &Options<'_>) -> String {
    // The file that includes a header has these lines.
    if is_header(path) {
        return format!("{INCLUDE}#line 1 \"{}\"\n", escape(path));
    }
    let own = |it: &&str| !CHOICES.iter().any(|prefix| it.starts_with(prefix));
    let mut macros: Vec<&str> = options.defines.given().filter(own).collect();
    macros.sort_unstable();
    let mut lines = String::new();
    for name in &macros {
        let _ = writeln!(lines, "#pragma push_macro(\"{name}\")\n#undef {name}");
    }
    if facts.checks_by_call {
        lines += BY_CALL;
    }
    lines += INCLUDE;
    for name in options.prelude {
        let _ = writeln!(lines, "#include <{name}>");
    }
    for name in &macros {
        let _ = writeln!(lines, "#pragma pop_macro(\"{name}\")");
    }
    format!("{lines}#line 1 \"{}\"\n", escape(path))
}

/// `text` without the lines of [`header`].
pub(crate) fn without_header(text: &str) -> &str {
    text.find("#line 1 \"").map_or(text, |at| &text[at..])
}

/// Whether `text` begins with the lines of [`header`].
pub(crate) fn is_after_header(text: &str) -> bool {
    let mut includes = false;
    for line in text.split_inclusive('\n') {
        includes |= line == INCLUDE;
        if line == BY_CALL {
            continue;
        }
        let own = [
            "#pragma push_macro(",
            "#undef ",
            "#include <",
            "#pragma pop_macro(",
        ];
        if !own.iter().any(|it| line.starts_with(it)) {
            return includes && line.starts_with("#line 1 \"");
        }
    }
    false
}

/// Constructs that tell device code the size of its block's shared memory: inline PTX, libcu++
/// functions, and functions for launches.
const SHARED_SIZES: [&str; 3] = [
    "dynamic_smem_size",
    "total_smem_size",
    "dynamic_shared_memory",
];

/// Registers a file with the GPU runtime: its device variables, and whether it may query the size
/// of shared memory.
pub(crate) fn registrations(number: u64, source: &str, symbols: &[(usize, String)]) -> Vec<String> {
    let symbols = symbols.iter();
    let mut lines: Vec<String> = symbols
        .map(|(index, symbol)| symbol_registration(number, *index, symbol))
        .collect();
    if SHARED_SIZES.iter().any(|it| source.contains(it)) {
        lines.push(format!(
            "const ::hirace::gpu::SharedSizeUse hirace_shared_size_{number};"
        ));
    }
    lines
}

/// The file's site table and, for the GPU, its registrations.
pub(crate) fn trailer(
    backend: Backend,
    path: &str,
    file: &Instrumented,
    notes: (&Notes, &str),
    registrations: Vec<String>,
) -> String {
    let registrations = if backend == Backend::Gpu {
        registrations
    } else {
        Vec::new()
    };
    let has_table = !file.sites.is_empty() || !notes.0.is_empty();
    if !has_table && registrations.is_empty() {
        return String::new();
    }
    let number = file.key;
    let mut out = format!("\n#ifndef HIRACE_SITES_{number}\n#define HIRACE_SITES_{number}\n");
    if has_table {
        table(&mut out, path, (file.base, number), &file.sites, notes);
    }
    if !registrations.is_empty() {
        out.push_str("namespace {\n");
        for line in registrations {
            out.push_str(&line);
            out.push('\n');
        }
        out.push_str("}\n");
    }
    out.push_str("#endif\n");
    out
}

/// The site table of a file that the instrumenter did not write, as C++.
#[must_use]
pub fn carried_table(table: &Table) -> String {
    let mut out = String::new();
    let numbers = (table.base, table.key);
    self::table(
        &mut out,
        &table.path,
        numbers,
        &table.sites,
        (&table.notes, ""),
    );
    out
}

/// What the executor is told of a file's kernels: on each line what one may order accesses by, its name, and its shared
/// variables that are atomic for a time.
pub(crate) fn kernels(
    names: &[String],
    known: &Synchronisation,
    atomic: &HashMap<String, BTreeSet<String>>,
) -> String {
    let line = |kernel: &String| {
        let variables = atomic.get(kernel).into_iter().flatten();
        let variables: String = variables.map(|it| format!(" {it}")).collect();
        format!("{} {kernel}{variables}\n", known.reach(kernel))
    };
    names.iter().map(line).collect()
}

/// Writes a table; `numbers` are its base and its key, `notes` the notes and what [`kernels`] returns.
fn table(
    out: &mut String,
    path: &str,
    numbers: (u32, u64),
    all: &[Site],
    (notes, kernels): (&Notes, &str),
) {
    let (base, number) = numbers;
    out.push_str("namespace { ");
    let mut sites = "nullptr".to_owned();
    if !all.is_empty() {
        sites = format!("hirace_sites_{number}");
        let _ = write!(out, "const ::hirace::Site {sites}[] = {{");
        for site in all {
            let _ = write!(
                out,
                "\n{{\"{}\",\"{}\",\"{}\",{},{},{},::hirace::SiteKind::{},::hirace::ResultUse::{}}},",
                escape(&site.text),
                escape(&site.variable),
                escape(&site.function),
                site.line,
                site.column,
                site.range.len(),
                kind_name(site.kind),
                site.result.name(),
            );
        }
        out.push_str("\n};\n");
    }
    let _ = writeln!(
        out,
        "const bool hirace_sites_registered_{number} = ::hirace::register_sites(\
         {{{}u, {number}u, \"{}\", {sites}, {}, {}, {}}}); }}",
        base,
        escape(path),
        all.len(),
        literal(&notes.carried()),
        literal(kernels),
    );
}

/// `text` as string literals.
fn literal(text: &str) -> String {
    let mut out = "\"".to_owned();
    let mut length = 0;
    for character in text.chars() {
        if length > LITERAL_LIMIT {
            out.push_str("\"\n\"");
            length = 0;
        }
        out.push_str(&escape(character.encode_utf8(&mut [0; 4])));
        length += character.len_utf8();
    }
    out.push('"');
    out
}

/// Registers one device variable with the GPU runtime.
pub(crate) fn symbol_registration(number: u64, index: usize, symbol: &str) -> String {
    format!(
        "const ::hirace::gpu::DeviceSymbol hirace_symbol_{number}_{index}\
         {{[](auto monitor) {{ monitor({symbol}); }}}};"
    )
}
