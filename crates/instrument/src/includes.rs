//! Which files a source file includes, as far as the text and the disk can tell.
//!
//! Directives inside comments or untaken `#if` branches are followed too: an extra file in the
//! copied tree does no harm. Names that macros produce are not followed; the compiler finds those
//! files in the directories of the originals.

use std::path::{Path, PathBuf};

use hirace_toolchain::Arguments;

/// One `#include` directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include<'a> {
    /// The name between the delimiters.
    pub name: &'a str,
    /// `"…"`, not `<…>`.
    pub quoted: bool,
}

/// The `#include` directives of `text`.
pub fn directives(text: &str) -> impl Iterator<Item = Include<'_>> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        let (close, quoted) = match rest.chars().next()? {
            '"' => ('"', true),
            '<' => ('>', false),
            _ => return None,
        };
        let name = &rest[1..];
        let name = &name[..name.find(close)?];
        Some(Include { name, quoted })
    })
}

/// The target of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// The file, as a path that starts with the includer's directory or the `-I` directory.
    pub path: PathBuf,
    /// The `-I` directory it was found through; `None` for the includer's own.
    pub through: Option<PathBuf>,
}

/// Searches for included files as a compiler does, but only in the user's directories.
#[derive(Debug)]
pub struct Resolver<'a> {
    arguments: &'a Arguments,
    /// The `-I` directories, except those of a CUDA toolkit.
    directories: Vec<&'a Path>,
}

impl<'a> Resolver<'a> {
    /// Creates a resolver for the directories among `arguments`.
    #[must_use]
    pub fn new(arguments: &'a Arguments) -> Self {
        let directories = arguments
            .include_directories
            .iter()
            .map(PathBuf::as_path)
            .filter(|directory| !is_toolkit(directory))
            .collect();
        Self {
            arguments,
            directories,
        }
    }

    /// The files that are read before each source file.
    #[must_use]
    pub fn forced(&self) -> Vec<Included> {
        let find = |path: &PathBuf| {
            let include = Include {
                name: path.to_str()?,
                quoted: true,
            };
            match path.is_file() {
                true => Some(Included {
                    path: path.clone(),
                    through: None,
                }),
                false => self.find(include, Path::new("")),
            }
        };
        self.arguments
            .forced_includes
            .iter()
            .filter_map(find)
            .collect()
    }

    /// The file that `include` names in a file of `directory`, if it belongs to the user.
    #[must_use]
    pub fn find(&self, include: Include<'_>, directory: &Path) -> Option<Included> {
        let is_file = |path: &PathBuf| path.is_file();
        if Path::new(include.name).is_absolute() {
            return None;
        }
        if include.quoted {
            let local = Some(directory.join(include.name)).filter(is_file);
            if let Some(path) = local {
                return Some(Included {
                    path,
                    through: None,
                });
            }
        }
        let quote = self.arguments.quote_directories.iter();
        let quote = quote.map(PathBuf::as_path).filter(|_| include.quoted);
        quote
            .chain(self.directories.iter().copied())
            .find_map(|through| {
                let path = Some(through.join(include.name)).filter(is_file)?;
                Some(Included {
                    path,
                    through: Some(through.to_owned()),
                })
            })
    }
}

/// The headers of a CUDA toolkit and its core libraries (libcu++, CUB and Thrust) are not user
/// code, and the CPU executor has replacements for them.
fn is_toolkit(directory: &Path) -> bool {
    [
        "cuda_runtime_api.h",
        "cuda/std/version",
        "cub/version.cuh",
        "thrust/version.h",
    ]
    .iter()
    .any(|header| directory.join(header).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolkits_core_libraries_are_not_the_users() {
        let root = tempfile::tempdir().expect("a directory");
        for name in ["cccl/cuda/std/version", "cccl/cuda/atomic", "own/mine.h"] {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            std::fs::write(path, "").expect("a file");
        }
        let option = |name: &str| format!("-I{}", root.path().join(name).display());
        let arguments = Arguments::parse(&[option("cccl"), option("own")]);
        let resolver = Resolver::new(&arguments);
        let find = |name| {
            let quoted = false;
            resolver.find(Include { name, quoted }, root.path())
        };
        assert_eq!(find("cuda/atomic"), None);
        assert!(find("mine.h").is_some());
    }

    #[test]
    fn directives_of_all_shapes() {
        let text = "#include \"a.h\"\n  #  include <b/c.h> // x\n#include MACRO\n#define X\n\
                    // #include \"d.h\"\n#include\"e.h\"\n";
        let found: Vec<_> = directives(text).map(|i| (i.name, i.quoted)).collect();
        assert_eq!(found, [("a.h", true), ("b/c.h", false), ("e.h", true)]);
    }
}
