//! Graphs as inputs of irregular programs: generators, and ECL's binary format.
//!
//! A graph is kept in compressed sparse rows ([`Csr`]), made by a seeded generator
//! ([`generate`]) and stored in ECL's binary format ([`egr`]). The same seed gives the same bytes
//! on every machine: [`generate`] uses integers only, and its own random numbers.

mod csr;
pub mod egr;
pub mod generate;
mod random;

pub use csr::{Csr, CsrError};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use generate::Family;

/// A graph of the standard set: what it is called and how it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Base name of the file, without `.egr`.
    pub name: &'static str,
    /// The kind of graph.
    pub family: Family,
    /// Number of vertices.
    pub nodes: u32,
    /// Number of directed edges, all different and none from a vertex to itself.
    pub edges: u32,
    /// Seed of the generator.
    pub seed: u64,
}

impl Recipe {
    /// Makes the graph.
    pub fn build(&self) -> Csr {
        generate::graph(self.family, self.nodes, self.edges, self.seed)
    }

    /// The name of the graph's file.
    pub fn file_name(&self) -> String {
        format!("{}.egr", self.name)
    }
}

/// The graphs that tests and benchmarks name in their arguments.
///
/// Six small ones, in the families and sizes usual in tests of irregular codes, and one that is
/// large enough for many blocks.
pub fn standard_set() -> Vec<Recipe> {
    let recipe = |name, family, nodes, edges, seed| Recipe {
        name,
        family,
        nodes,
        edges,
        seed,
    };
    vec![
        recipe("dag_5n_5e", Family::Dag, 5, 5, 1),
        recipe("counter_dag_5n_5e", Family::CounterDag, 5, 5, 2),
        recipe("dag_100n_200e", Family::Dag, 100, 200, 3),
        recipe("dag_200n_400e", Family::Dag, 200, 400, 4),
        recipe("counter_dag_200n_1000e", Family::CounterDag, 200, 1000, 5),
        recipe("power_law_200n_1000e", Family::PowerLaw, 200, 1000, 6),
        recipe("rmat_65536n", Family::Rmat, 1 << 16, 1_000_000, 7),
    ]
}

/// Writes the graphs of [`standard_set`] that `dir` does not hold yet; returns the paths of all.
///
/// A file appears under its name only when it is complete, so several processes may do this at
/// once.
pub fn ensure(dir: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir)?;
    standard_set()
        .iter()
        .map(|recipe| ensure_one(dir, recipe))
        .collect()
}

fn ensure_one(dir: &Path, recipe: &Recipe) -> io::Result<PathBuf> {
    let path = dir.join(recipe.file_name());
    if path.exists() {
        return Ok(path);
    }
    let partial = dir.join(format!(".{}.{}", recipe.file_name(), std::process::id()));
    let written =
        egr::write_file(&recipe.build(), &partial).and_then(|()| fs::rename(&partial, &path));
    if let Err(error) = written {
        // The first error is the one worth reporting.
        let _ = fs::remove_file(&partial);
        return Err(error);
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of its own for one test, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let dir = format!("hirace-graphs-{name}-{}", std::process::id());
            let dir = std::env::temp_dir().join(dir);
            fs::create_dir_all(&dir).unwrap();
            Self(dir)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn standard_set_has_the_promised_sizes() {
        for recipe in standard_set() {
            let graph = recipe.build();
            assert_eq!(graph.nodes(), recipe.nodes, "{}", recipe.name);
            assert_eq!(graph.edges(), recipe.edges, "{}", recipe.name);
        }
        let largest = standard_set()
            .into_iter()
            .max_by_key(|recipe| recipe.edges)
            .unwrap();
        assert!(largest.nodes >= 65_536 && largest.edges >= 900_000);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = standard_set().iter().map(|recipe| recipe.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), standard_set().len());
    }

    #[test]
    fn ensure_writes_what_is_missing_and_only_that() {
        let scratch = Scratch::new("ensure");
        let kept = scratch.0.join("dag_5n_5e.egr");
        fs::write(&kept, b"not to be overwritten").unwrap();

        let paths = ensure(&scratch.0).unwrap();

        assert_eq!(paths.len(), standard_set().len());
        assert_eq!(fs::read(&kept).unwrap(), b"not to be overwritten");
        for (recipe, path) in standard_set().iter().zip(&paths) {
            if *path != kept {
                assert_eq!(
                    egr::read_file(path).unwrap(),
                    recipe.build(),
                    "{}",
                    recipe.name
                );
            }
        }
        // No partial files stay behind.
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), paths.len());
    }

    #[test]
    fn ensure_names_the_problem_when_the_directory_is_a_file() {
        let scratch = Scratch::new("file");
        let file = scratch.0.join("occupied");
        fs::write(&file, b"").unwrap();
        assert!(ensure(&file).is_err());
    }
}
