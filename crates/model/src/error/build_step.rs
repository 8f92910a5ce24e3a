//! The steps of a build, and what helps when one fails.

use std::fmt;

/// What a compiler was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStep {
    /// To compile source files.
    Compile,
    /// To link objects and libraries to a program.
    Link,
}

impl fmt::Display for BuildStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Compile => "compile",
            Self::Link => "link",
        })
    }
}

impl BuildStep {
    /// How to continue after a failure with these messages.
    pub(super) fn help(self, output: &str) -> String {
        match self {
            Self::Compile => match output.lines().any(is_texture_reference) {
                true => TEXTURE_REFERENCES.into(),
                false => "line numbers are those of your files; the checks add no lines".into(),
            },
            Self::Link => output
                .lines()
                .find_map(cause)
                .unwrap_or_else(|| "name every object and library that the program needs".into()),
        }
    }
}

const TEXTURE_REFERENCES: &str = "CUDA 12 removed texture references: create a texture object \
     (`cudaCreateTextureObject`) and pass it to the kernel; likewise for surfaces";

/// Whether a compiler does not know the type of a texture or surface reference.
fn is_texture_reference(line: &str) -> bool {
    let unknown = [
        "does not name a type",
        "no template named",
        "unknown type name",
    ];
    let quoted = |name: &str| {
        let quotes = [("'", "'"), ("\u{2018}", "\u{2019}")];
        quotes
            .iter()
            .any(|(open, close)| line.contains(&format!("{open}{name}{close}")))
    };
    unknown.iter().any(|it| line.contains(it)) && (quoted("texture") || quoted("surface"))
}

/// What a line of a linker means, if it names the cause of a failure: those of GNU's linkers, LLVM's and nvlink.
fn cause(line: &str) -> Option<String> {
    let after = |text: &str| line.split_once(text).map(|(_, rest)| rest.trim());
    let missing = [
        "undefined reference to ",
        "undefined symbol: ",
        "Undefined reference to ",
    ];
    if let Some(rest) = missing.iter().find_map(|it| after(it)) {
        let name = match rest.split_once(" in '") {
            Some((name, _)) => name,
            None => rest,
        };
        let name = name.trim_matches(['`', '\'']);
        return Some(match name {
            "main" => "the program has no `main`: name the source file that defines it".into(),
            _ => format!(
                "`{name}` is defined nowhere: name the source file that defines it, or its object or \
                 library (`-Ldirectory -lname`)"
            ),
        });
    }
    let unfound = ["cannot find -l", "unable to find library -l"];
    if let Some(name) = unfound.iter().find_map(|it| after(it)) {
        let name = name.split([':', ' ']).next().unwrap_or(name);
        return Some(format!(
            "there is no library `{name}` here: install it, or name its directory with `-Ldirectory`"
        ));
    }
    let twice = ["multiple definition of ", "duplicate symbol: "];
    let name = twice.iter().find_map(|it| after(it))?;
    let name = name.split("';").next().unwrap_or(name);
    let name = name.trim_matches(['`', '\'']);
    Some(format!(
        "`{name}` is defined in two of the files: leave one out; do not name a file that another \
         one includes"
    ))
}

#[cfg(test)]
mod tests {
    use super::BuildStep;

    #[track_caller]
    fn check(output: &str, expected: &str) {
        assert_eq!(BuildStep::Link.help(output), expected);
    }

    #[test]
    fn a_definition_is_missing() {
        let helper = "`helper(int*)` is defined nowhere: name the source file that defines it, or its \
                      object or library (`-Ldirectory -lname`)";
        for line in [
            "/usr/bin/ld: a.cu:5: undefined reference to `helper(int*)'",
            "ld.lld: error: undefined symbol: helper(int*)",
            "nvlink error   : Undefined reference to 'helper(int*)' in '/tmp/0.o'",
        ] {
            check(
                &format!("/usr/bin/ld: in function `main':\n{line}\n"),
                helper,
            );
        }
        check(
            "(.text+0x1b): undefined reference to `main'\n",
            "the program has no `main`: name the source file that defines it",
        );
    }

    #[test]
    fn a_library_is_missing() {
        let help =
            "there is no library `foo` here: install it, or name its directory with `-Ldirectory`";
        for line in [
            "/usr/bin/ld: cannot find -lfoo: No such file or directory",
            "/usr/bin/ld: cannot find -lfoo",
            "ld.lld: error: unable to find library -lfoo",
        ] {
            check(line, help);
        }
    }

    #[test]
    fn there_are_two_definitions() {
        let help = "`f(int)` is defined in two of the files: leave one out; do not name a file that \
                    another one includes";
        check(
            "/usr/bin/ld: 1.o: in function `f(int)':\nb.cu:1: multiple definition of `f(int)'; 0.o:a.cu:1: first \
             defined here\n",
            help,
        );
        check("ld.lld: error: duplicate symbol: f(int)\n", help);
    }

    #[test]
    fn texture_references() {
        for line in [
            "a.cu:4: error: \u{2018}texture\u{2019} does not name a type",
            "a.cu:4: error: no template named 'surface'",
        ] {
            let help = BuildStep::Compile.help(line);
            assert!(help.starts_with("CUDA 12 removed"), "{line}: {help}");
        }
        let help =
            BuildStep::Compile.help("a.cu:4: error: \u{2018}textures\u{2019} does not name a type");
        assert!(help.starts_with("line numbers"), "{help}");
    }

    #[test]
    fn another_cause() {
        check(
            "ld: x",
            "name every object and library that the program needs",
        );
    }
}
