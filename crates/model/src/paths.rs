//! Paths as text, without a look at the disk.

use std::path::{Component, Path, PathBuf};

/// Removes `.`, and `..` together with the name before it. Links are not followed.
#[must_use]
pub fn folded(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match folded.components().next_back() {
                Some(Component::Normal(_)) => {
                    folded.pop();
                }
                Some(Component::RootDir) => {}
                _ => folded.push(".."),
            },
            other => folded.push(other),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding() {
        for (path, expected) in [
            ("a/./b/../c.h", "a/c.h"),
            ("../../x.h", "../../x.h"),
            ("a/../../x.h", "../x.h"),
            ("/a/../../b", "/b"),
        ] {
            assert_eq!(folded(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
