//! The command that repeats runs.

use std::collections::BTreeSet;
use std::path::Path;

use hirace_graphs::Spec;

use crate::shell::quoted;
use crate::store::{ProgramKey, Results, Shape};
use crate::sweep::plan::NO_GRAPH;

/// Facts from the sweeps' command lines that results do not contain: the paths of suites and
/// graphs, and other options that affect a run.
#[derive(Debug, Default)]
pub struct Repeater {
    suites: Vec<String>,
    graphs: Vec<String>,
    timeouts: Vec<String>,
    /// Number of suites in the results.
    names: usize,
}

impl Repeater {
    /// Reads the command lines of the sweeps.
    #[must_use]
    pub fn new(results: &Results) -> Self {
        let mut words = Vec::new();
        for session in &results.sessions {
            words.extend(shlex::split(&session.command).unwrap_or_default());
        }
        let suites: BTreeSet<&str> = results.programs.iter().map(|it| &it.suite[..]).collect();
        Self {
            suites: values(&words, "--suite"),
            graphs: values(&words, "--graph"),
            timeouts: values(&words, "--timeout"),
            names: suites.len(),
        }
    }

    /// The command that runs a program again, with its results in a separate database.
    #[must_use]
    pub fn command(
        &self,
        program: &ProgramKey,
        graphs: &[&str],
        shape: Shape,
        tool: &str,
    ) -> String {
        let mut words = vec!["hirace-indigo".to_owned(), "sweep".to_owned()];
        let mut option = |name: &str, value: &str| {
            words.push(name.into());
            words.push(value.into());
        };
        if let Some(suite) = self.suite(&program.suite) {
            option("--suite", suite);
        }
        option("--exact", &program.name);
        for graph in graphs.iter().filter(|&&graph| graph != NO_GRAPH) {
            let given = self.graphs.iter().find(|spec| is_graph(spec, graph));
            option("--graph", given.map_or(graph, String::as_str));
        }
        option("--shape", &format!("{}x{}", shape.threads, shape.blocks));
        if shape.warp_size != 32 {
            option("--warp-size", &shape.warp_size.to_string());
        }
        option("--tool", tool);
        // If sweeps differ, it is unknown which one the run is from.
        if let [value] = &self.timeouts[..] {
            option("--timeout", value);
        }
        option("--database", "again.sqlite");
        quoted(&words)
    }

    /// The directory of the suite with that name, or the only directory, in which case the name is
    /// from its manifest.
    fn suite(&self, name: &str) -> Option<&str> {
        let called_so = self.suites.iter().find(|path| ends_with(path, name));
        let only = || match &self.suites[..] {
            [only] if self.names == 1 => Some(only),
            _ => None,
        };
        called_so.or_else(only).map(String::as_str)
    }
}

/// Whether a path's last part is `name`, with or without an extension.
fn ends_with(path: &str, name: &str) -> bool {
    let path = Path::new(path);
    let parts = [path.file_name(), path.file_stem()];
    parts.into_iter().flatten().any(|part| part == name)
}

/// Whether `--graph spec` is a graph called `name`.
fn is_graph(spec: &str, name: &str) -> bool {
    ends_with(spec, name) || Spec::parse(spec).is_ok_and(|spec| spec.name() == name)
}

/// The values of an option, as `--name VALUE` or `--name=VALUE`; each once.
fn values(words: &[String], option: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = match word.strip_prefix(option) {
            Some("") => words.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(value) = value.filter(|value| !values.iter().any(|known| known == value)) {
            values.push(value.to_owned());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_known_by_its_file_or_by_what_was_asked_for() {
        assert!(is_graph("/graphs/star.egr", "star"));
        assert!(is_graph("grid:4x3", "grid_4x3"));
        assert!(is_graph("torus_4x4", "torus_4x4"));
        assert!(!is_graph("/graphs/star.egr", "grid_4x3"));
        assert!(!is_graph("grid:4x3", "grid_4x4"));
    }

    #[test]
    fn options_are_read_in_both_forms() {
        let words = [
            "--graph",
            "7",
            "--graph=8",
            "--graph",
            "7",
            "--graphs",
            "9",
            "--graph",
        ];
        let words: Vec<String> = words.map(str::to_owned).into();
        assert_eq!(values(&words, "--graph"), ["7", "8"]);
    }
}
