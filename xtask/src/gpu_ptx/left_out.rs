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

/// Why a sample leaves a program out; none if it does not.
pub fn reason(program: &Program) -> Option<&'static str> {
    let topic = program.topic();
    let mut all = LEFT_OUT.iter();
    let found = all.find(|(_, topics)| topics.contains(&topic.as_str()));
    found.map(|it| it.0)
}

/// All reasons for leaving topics out, with the topics.
pub fn topics() -> impl Iterator<Item = String> {
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

#[cfg(test)]
mod tests {
    use super::lacking;

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
