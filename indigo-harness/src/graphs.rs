//! The input graphs of programs.

use std::path::Path;

use hirace_graphs::{Csr, Spec, SpecError, egr};

use crate::error::{Error, Result};

/// The default graphs of a sweep, by name: six families, from 5 to 30 vertices.
///
/// Small graphs are quick, and a race that depends on the input shows on a few vertices as well as
/// on many. Together they have vertices without neighbours, vertices that many others share, edges
/// in both directions, and more vertices than a warp has in the usual launches.
const STANDARD: [&str; 6] = [
    "dag:5,edges=5",
    "star:9,undirected",
    "k_max_degree:12,degree=3",
    "torus:4x4",
    "power_law:20,edges=60",
    "binary_forest:30,trees=3,counter-directed",
];

/// The default graphs of a sweep, with their names.
#[must_use]
pub fn standard() -> Vec<(String, Csr)> {
    let made = STANDARD.into_iter().map(resolve);
    made.collect::<Result<_>>()
        .expect("the standard graphs can be built")
}

/// The graph for `spec`, and its name. `spec` is a specification as in [`hirace_graphs::spec`] or
/// the path of an `.egr` file.
///
/// A text that ends with `.egr` or contains a `/` is a path. Names consist of letters, digits and
/// underscores, unless they are file names.
///
/// # Errors
/// There is no such graph or file, or the file is not a graph; the message lists the possible
/// graphs, or says what is wrong and where.
pub fn resolve(spec: &str) -> Result<(String, Csr)> {
    match as_path(spec) {
        Some(path) => read_named(path),
        None => generate(&Spec::parse(spec).map_err(refused)?),
    }
}

/// The graphs for `spec`: as [`resolve`], or several for `all:3`.
///
/// # Errors
/// As for one graph; or there are too many.
pub fn resolve_all(spec: &str) -> Result<Vec<(String, Csr)>> {
    match as_path(spec) {
        Some(path) => read_named(path).map(|graph| vec![graph]),
        None => {
            let specs = Spec::parse_all(spec).map_err(refused)?;
            specs.iter().map(generate).collect()
        }
    }
}

fn as_path(spec: &str) -> Option<&Path> {
    (spec.ends_with(".egr") || spec.contains('/')).then(|| Path::new(spec))
}

fn read_named(path: &Path) -> Result<(String, Csr)> {
    Ok((crate::suite::stem(path)?.to_owned(), read(path)?))
}

fn generate(spec: &Spec) -> Result<(String, Csr)> {
    Ok((spec.name(), spec.build().map_err(refused)?))
}

fn refused(error: SpecError) -> Error {
    Error::Usage(error.to_string())
}

/// Reads an `.egr` file.
///
/// # Errors
/// The file cannot be read, or its content is not a graph.
pub fn read(path: &Path) -> Result<Csr> {
    let bytes = std::fs::read(path).map_err(|source| Error::read(path, source))?;
    egr::decode(&bytes).map_err(|error| Error::Graph {
        path: path.into(),
        message: error.to_string(),
    })
}

/// Writes an `.egr` file; an existing one stays unchanged until the new one is complete.
///
/// # Errors
/// The file cannot be written.
pub fn write(graph: &Csr, path: &Path) -> Result<()> {
    egr::write_file(graph, path).map_err(|source| Error::write(path, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(spec: &str, expect: &str) {
        assert_eq!(resolve(spec).unwrap_err().to_string(), expect);
    }

    #[test]
    fn standard_graphs_are_small_and_have_names() {
        let graphs = standard();
        let sizes = graphs
            .iter()
            .map(|(name, graph)| (name.as_str(), graph.nodes()));
        assert_eq!(
            sizes.collect::<Vec<_>>(),
            [
                ("dag_5n_5e", 5),
                ("undirected_star_9n", 9),
                ("k_max_degree_12n_3k", 12),
                ("torus_4x4", 16),
                ("power_law_20n_60e", 20),
                ("counter_binary_forest_30n_3t", 30),
            ]
        );
        for (name, graph) in graphs {
            assert_eq!(resolve(&name).unwrap(), (name, graph));
        }
    }

    #[test]
    fn files_are_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mine.egr");
        let (name, graph) = resolve("grid:2x3").unwrap();
        assert_eq!(name, "grid_2x3");
        write(&graph, &path).unwrap();
        let spec = path.to_str().unwrap();
        assert_eq!(resolve(spec).unwrap(), ("mine".into(), graph));
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);

        std::fs::write(&path, [1, 0, 0, 0, 1]).unwrap();
        check_refused(
            spec,
            &format!(
                "`{spec}` is not a graph: the file ends at byte 5, within the header of 8 bytes"
            ),
        );
    }

    #[test]
    fn all_graphs_of_a_size_are_asked_for_at_once() {
        let graphs = resolve_all("all:3").unwrap();
        let names: Vec<&str> = graphs.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names.len(), 64);
        assert_eq!((names[0], names[63]), ("all_3n_0i", "all_3n_63i"));
        assert_eq!(graphs[17], resolve("all_3n_17i").unwrap());
        assert_eq!(resolve_all("all:3,undirected").unwrap().len(), 8);
        assert_eq!(resolve_all("star:3").unwrap(), [resolve("star:3").unwrap()]);
        check_refused(
            "all:3",
            "graph `all:3`: number is missing; write \
             all:NODES,NUMBER[,undirected|counter-directed]",
        );
        assert_eq!(
            resolve_all("all:5").unwrap_err().to_string(),
            "graph `all:5`: at most 4096 graphs can be selected at once; choose one by its number"
        );
    }

    #[test]
    fn what_is_no_graph_is_refused() {
        check_refused(
            "grid:2xy",
            "graph `grid:2xy`: sides: `2xy` is not a list of sides such as `4x3`",
        );
        check_refused(
            "no/such.egr",
            "cannot read `no/such.egr`: No such file or directory (os error 2)",
        );
    }
}
