//! Input graphs for irregular programs: generators, and ECL's binary format.
//!
//! A text specifies a graph ([`Spec`]): one of the [`families`], its values and a seed. The
//! generator builds the graph as compressed sparse rows ([`Csr`]), which are stored in ECL's binary
//! format ([`egr`]).
//!
//! # Promise
//! The same text and seed give the same bytes on every machine, because results identify graphs by
//! their seeds. So generators use only integers and the crate's own random numbers.
//!
//! # Dependencies
//! This crate depends on no other crate, and must never use floating-point numbers or another
//! crate's random numbers to build a graph.

mod csr;
mod edges;
pub mod egr;
pub mod families;
mod random;
pub mod spec;
mod summary;

pub use csr::{Csr, CsrError};
pub use edges::{Edges, Orientation};
pub use spec::{Spec, SpecError};
pub use summary::Summary;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A graph of the standard set: its name and its specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Base name of the file, without `.egr`.
    pub name: &'static str,
    /// Its specification.
    pub spec: &'static str,
}

impl Recipe {
    /// Builds the graph.
    pub fn build(&self) -> Csr {
        let built = Spec::parse(self.spec).and_then(|spec| spec.build());
        built.expect("recipes are valid")
    }

    /// The name of the graph's file.
    pub fn file_name(&self) -> String {
        format!("{}.egr", self.name)
    }
}

/// The standard graphs of tests and benchmarks.
///
/// Six small ones, in the families and sizes usual in tests of irregular codes, and one that is
/// large enough for many blocks.
pub fn standard_set() -> Vec<Recipe> {
    let recipe = |name, spec| Recipe { name, spec };
    vec![
        recipe("dag_5n_5e", "dag:5,5,seed=1"),
        recipe("counter_dag_5n_5e", "dag:5,5,seed=2,counter-directed"),
        recipe("dag_100n_200e", "dag:100,200,seed=3"),
        recipe("dag_200n_400e", "dag:200,400,seed=4"),
        recipe(
            "counter_dag_200n_1000e",
            "dag:200,1000,seed=5,counter-directed",
        ),
        recipe("power_law_200n_1000e", "power_law:200,1000,seed=6"),
        recipe("rmat_65536n", "rmat:16,1000000,seed=7"),
    ]
}

/// Writes the graphs of [`standard_set`] that are missing in `dir`; returns the paths of all.
///
/// A file appears under its name only when it is complete, so several processes may call this at
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
    egr::write_file(&recipe.build(), &path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A separate directory for one test, removed at the end.
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
            let (nodes, edges) = (graph.nodes(), graph.edges());
            if recipe.name == "rmat_65536n" {
                assert_eq!((nodes, edges), (65_536, 1_000_000));
            } else {
                let size = format!("_{nodes}n_{edges}e");
                assert!(recipe.name.ends_with(&size), "{}: {size}", recipe.name);
            }
        }
    }

    #[test]
    fn standard_set_stays_as_it_is() {
        // Reports in tests depend on these edges, so a change here means that the generator
        // changed.
        let of = |spec: &str| Spec::parse(spec).unwrap().build().unwrap();
        let dag = of("dag:5,5,seed=1");
        let edges: Vec<_> = dag.pairs().collect();
        assert_eq!(edges, [(0, 2), (1, 3), (2, 3), (2, 4), (3, 4)]);
        let sums: Vec<u64> = standard_set()
            .iter()
            .map(|recipe| fingerprint(&recipe.build()))
            .collect();
        let expected = [
            0x53f1_1c0d_ba7e_c680,
            0x03be_c5d6_f5d9_ed25,
            0xacae_b617_7b70_b3b2,
            0x57dc_d15a_11d7_ce81,
            0xec5d_a2b0_76bb_8ab9,
            0x7da6_a525_5fed_b3c7,
            0xc78d_9527_c900_821e,
        ];
        assert_eq!(sums, expected);
    }

    /// FNV-1a over the file.
    fn fingerprint(graph: &Csr) -> u64 {
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        egr::encode(graph)
            .into_iter()
            .fold(0xcbf2_9ce4_8422_2325, fold)
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
        // No partial files are left.
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
