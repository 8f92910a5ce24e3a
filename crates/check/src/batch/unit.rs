//! Translation units of several programs, and which programs a compiler's errors concern.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Runnable;
use super::flat::Flat;

/// What a unit begins with.
pub(super) const BEGINNING: &str = "#include <hirace/hirace.cuh>\n";

/// The entry point of a program in its namespace.
const RUN: &str = "inline int hirace_run(int count, char** values, char** variables) {\n\
                   return ::hirace::cpu::run_main(main, count, values, variables);\n}\n";

/// A unit to compile and not to run: the programs, and an empty `main`.
#[must_use]
pub fn compile_only(programs: &[&Flat]) -> String {
    let mut text = headers(programs.iter().copied());
    for program in programs {
        namespace(&mut text, program, "", "");
    }
    text + "int main() {}\n"
}

/// A unit whose `main` runs the program that the environment selects. `shadowed` are the functions
/// that both programs and headers declare.
pub(super) fn executable(programs: &[&Runnable], shadowed: &BTreeSet<String>) -> String {
    let mut text = BEGINNING.to_owned();
    text += &headers(programs.iter().map(|it| &it.flat));
    text += "#include <hirace/executor/batched_programs.h>\n";
    for program in programs {
        let functions: BTreeSet<_> = program.functions.iter().collect();
        let overloads = functions.into_iter().filter(|it| shadowed.contains(*it));
        let overloads: String = overloads.map(|it| format!("using ::{it};\n")).collect();
        namespace(&mut text, &program.flat, &overloads, RUN);
    }
    let numbers: BTreeSet<_> = programs.iter().map(|it| it.flat.number).collect();
    let count = numbers.last().map_or(0, |last| last + 1);
    text += "int main(int count, char** values, char** variables) {\n\
             static const ::hirace::cpu::RunMember members[] = {\n";
    for number in 0..count {
        // The number of a program that is compiled separately stays unused.
        text += &match numbers.contains(&number) {
            true => format!("{}::hirace_run,\n", scope(number)),
            false => "nullptr,\n".to_owned(),
        };
    }
    text + &format!(
        "}};\nreturn ::hirace::cpu::run_member(members, {count}, count, values, variables);\n}}\n"
    )
}

/// Includes of all external headers.
pub(super) fn headers<'a>(programs: impl IntoIterator<Item = &'a Flat>) -> String {
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for name in programs.into_iter().flat_map(|it| &it.headers) {
        if seen.insert(name) {
            // The include may be in a branch that this compiler would not have taken.
            let _ = writeln!(text, "#if __has_include({name})\n#include {name}\n#endif");
        }
    }
    text
}

/// The namespace of a program, by its number.
pub(super) fn scope(number: usize) -> String {
    format!("hirace_member_{number}")
}

/// Appends a program in a namespace, between two texts. Its macros end with it.
fn namespace(text: &mut String, program: &Flat, before: &str, after: &str) {
    let _ = writeln!(text, "namespace {} {{", scope(program.number));
    *text += before;
    for name in &program.macros {
        let _ = writeln!(text, "#pragma push_macro(\"{name}\")");
    }
    *text += &program.text;
    for name in &program.macros {
        let _ = writeln!(text, "#undef {name}\n#pragma pop_macro(\"{name}\")");
    }
    *text += after;
    *text += "}\n";
}

/// The numbers of the programs that the compiler's messages name.
pub(super) fn culprits(messages: &str) -> BTreeSet<usize> {
    messages
        .lines()
        .filter(|line| line.contains("error"))
        .filter_map(|line| line.split_once(':')?.0.parse().ok())
        .collect()
}
