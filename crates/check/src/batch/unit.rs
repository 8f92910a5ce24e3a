//! The translation unit of a batch, and which programs its errors concern.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::flat::Flat;

/// Includes of the executor and of all external headers.
pub(super) fn headers(programs: &[(usize, &Flat)]) -> String {
    let mut text = "#include <hirace/hirace.cuh>\n".to_owned();
    let mut seen = BTreeSet::new();
    for name in programs.iter().flat_map(|(_, flat)| flat.headers.iter()) {
        if seen.insert(name) {
            // The include may be in a branch that this compiler would not have taken.
            let _ = writeln!(text, "#if __has_include({name})\n#include {name}\n#endif");
        }
    }
    text
}

/// The whole unit. `shadowed` are the functions that both programs and headers declare.
pub fn text(programs: &[(usize, &Flat)], shadowed: &BTreeSet<String>) -> String {
    let mut text = headers(programs);
    text += "#include <hirace/executor/members.h>\n";
    for (number, flat) in programs {
        let _ = writeln!(text, "namespace hirace_member_{number} {{");
        for name in flat.functions.iter().collect::<BTreeSet<_>>() {
            if shadowed.contains(name) {
                let _ = writeln!(text, "using ::{name};");
            }
        }
        for name in &flat.macros {
            let _ = writeln!(text, "#pragma push_macro(\"{name}\")");
        }
        text += &flat.text;
        for name in &flat.macros {
            let _ = writeln!(text, "#undef {name}\n#pragma pop_macro(\"{name}\")");
        }
        text += "inline int hirace_run(int count, char** values, char** variables) {\n\
                 return ::hirace::cpu::run_main(main, count, values, variables);\n}\n}\n";
    }
    let count = programs.last().map_or(0, |(number, _)| number + 1);
    text += "int main(int count, char** values, char** variables) {\n\
             static const ::hirace::cpu::RunMember members[] = {\n";
    let mut programs = programs.iter().map(|(number, _)| *number).peekable();
    for number in 0..count {
        // The number of a program that is compiled separately stays unused.
        if programs.next_if_eq(&number).is_some() {
            let _ = writeln!(text, "hirace_member_{number}::hirace_run,");
        } else {
            text += "nullptr,\n";
        }
    }
    let _ = writeln!(
        text,
        "}};\nreturn ::hirace::cpu::run_member(members, {count}, count, values, variables);\n}}"
    );
    text
}

/// The numbers of the programs that the compiler's messages name.
pub(super) fn culprits(messages: &str) -> BTreeSet<usize> {
    messages
        .lines()
        .filter(|line| line.contains("error"))
        .filter_map(|line| line.split_once(':')?.0.parse().ok())
        .collect()
}
