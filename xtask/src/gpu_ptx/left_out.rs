//! Which programs the GPU backend is not compared on, and why.

use crate::ui::Program;

/// Topics of UI programs that a sample leaves out, and why. `--only` runs them nevertheless.
const LEFT_OUT: [(&str, &[&str]); 4] = [
    (
        "only the order engine follows what orders their accesses, and it is on the CPU",
        &["order", "locks_and_flags", "cooperative_groups"],
    ),
    (
        "the GPU backend finds no races between streams, graphs and launches by kernels",
        &["streams_and_graphs"],
    ),
    ("the GPU backend does not check host code", &["host"]),
    (
        "the runtime of the tests has none of NVIDIA's libraries",
        &["libraries"],
    ),
];

/// Programs whose races the GPU backend does not find, and why; their reports say so. Without such a note, or with one of
/// the races, the comparison fails.
const NOT_FOUND: [(&str, &str, &str); 2] = [
    (
        "inline_ptx/discarded_line",
        "it has no hook for `discard`",
        "inline PTX `discard` accesses memory without hooks",
    ),
    (
        "memory/read_only_cast",
        "a write through a cast pointer comes after reads that were not recorded",
        "a kernel wrote to memory that it seemed only to read",
    ),
];

/// Why the races of a program are not found, and what its report says about that.
pub fn not_found(program: &Program) -> Option<(&'static str, &'static str)> {
    let name = program.to_string();
    let mut all = NOT_FOUND.iter();
    let found = all.find(|it| it.0 == name);
    found.map(|it| (it.1, it.2))
}

/// Programs that the GPU backend does not answer for, and why; their reports say so. With an answer, or without such a
/// note, the comparison fails.
const WITHOUT_ANSWER: [(&str, &str, &str); 1] = [(
    "inline_ptx/threads_that_exit",
    "a thread that ends by `exit` in inline PTX does not leave the scope of the kernel's hooks, so that the block's \
     accesses are not counted",
    "`exit` in inline PTX",
)];

/// Why there is no answer for a program, and what its report says about that.
pub fn without_answer(program: &Program) -> Option<(&'static str, &'static str)> {
    let name = program.to_string();
    let named = |it: &&(&str, _, _)| name.trim_end_matches(".repaired") == it.0;
    WITHOUT_ANSWER.iter().find(named).map(|it| (it.1, it.2))
}

/// Why a sample leaves a program out; none if it does not.
pub fn reason(program: &Program) -> Option<&'static str> {
    let topic = program.topic();
    let mut all = LEFT_OUT.iter();
    let found = all.find(|(_, topics)| topics.contains(&topic.as_str()));
    found.map(|it| it.0)
}

/// All reasons for leaving topics out, with their names.
pub fn all() -> impl Iterator<Item = String> {
    LEFT_OUT
        .iter()
        .map(|(reason, topics)| format!("{}: {reason}", topics.join(", ")))
}

/// What a linker's messages say that the runtime of the tests lacks, if that is why a program cannot be linked.
pub fn lacking(messages: &str) -> Option<String> {
    let names = messages.lines().filter_map(|line| {
        let name = line.split_once("undefined reference to `")?.1;
        name.split('\'').next()
    });
    let names: std::collections::BTreeSet<&str> = names.collect();
    let all_are_of_cuda = names
        .iter()
        .all(|it| it.trim_start_matches('_').starts_with("cuda"));
    let names: Vec<&str> = names.into_iter().collect();
    (!names.is_empty() && all_are_of_cuda).then(|| names.join(", "))
}

/// The instructions that an error of the translation names, if all are those of textures and surfaces, which PTX
/// files may not have (`docs/ptx.md`).
pub fn unsupported(error: &str) -> Option<String> {
    const TEXTURES: [&str; 6] = ["tex", "tld4", "txq", "suld", "sust", "suq"];
    let names = error
        .lines()
        .filter_map(|it| Some(it.rsplit_once(": `")?.1.trim_end_matches('`')));
    let names: std::collections::BTreeSet<&str> = names.collect();
    let is_of_texture = |it: &&str| {
        it.split('.')
            .next()
            .is_some_and(|it| TEXTURES.contains(&it))
    };
    let all = !names.is_empty() && names.iter().all(is_of_texture);
    all.then(|| names.into_iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::{lacking, unsupported};

    #[test]
    fn only_textures_may_be_unsupported() {
        let error = |names: &[&str]| {
            let lines = names.iter().map(|it| format!("a.ptx:9: `{it}`"));
            let lines: Vec<String> = lines.collect();
            format!("PTX that hirace cannot translate:\n{}", lines.join("\n"))
        };
        let some = unsupported(&error(&["tex.2d.v4.f32.f32"]));
        assert_eq!(some.as_deref(), Some("tex.2d.v4.f32.f32"));
        assert_eq!(unsupported(&error(&["tex.2d.v4.f32.f32", "add.f8"])), None);
        assert_eq!(unsupported("a file cannot be read"), None);
    }

    #[test]
    fn only_functions_of_the_runtime_may_be_lacking() {
        let line =
            |name: &str| format!("host.o: in function `main':\nundefined reference to `{name}'\n");
        assert_eq!(
            lacking(&line("cudaGraphLaunch")).as_deref(),
            Some("cudaGraphLaunch")
        );
        assert_eq!(
            lacking(&(line("cudaGraphLaunch") + &line("helper(int)"))),
            None
        );
        assert_eq!(lacking("error: expected `;'"), None);
    }
}
