//! The command line of g++ and clang++.

use super::items::{Item, Items, Meaning, Stage};
use super::words;

/// Options with a value, joined or as the next argument. Longer names come before their prefixes.
const VALUED: &[(&str, Meaning)] = &[
    ("-isystem", Meaning::SystemInclude),
    ("-idirafter", Meaning::Other),
    ("-iquote", Meaning::QuoteInclude),
    ("-include", Meaning::ForcedInclude),
    ("-imacros", Meaning::Other),
    ("-isysroot", Meaning::Other),
    ("-iprefix", Meaning::Other),
    ("-I", Meaning::Include),
    ("-D", Meaning::Define),
    ("-U", Meaning::Undefine),
    ("-o", Meaning::Output),
    ("-x", Meaning::Language),
    ("-MF", Meaning::DependencyFile),
    ("-MT", Meaning::DependencyRule),
    ("-MQ", Meaning::DependencyRule),
    ("-Xlinker", Meaning::LinkerOptions),
    ("-Xpreprocessor", Meaning::Other),
    ("-Xassembler", Meaning::Other),
    ("-Xclang", Meaning::Other),
    ("-L", Meaning::LibraryPath),
    ("-l", Meaning::Library),
    ("-T", Meaning::Other),
    ("-u", Meaning::Other),
    ("-z", Meaning::Other),
    ("-arch", Meaning::Other),
    ("-target", Meaning::Other),
    ("--param", Meaning::Other),
];

/// Options without a value.
const PLAIN: &[(&str, Meaning)] = &[
    ("-c", Meaning::Stage(Stage::Object)),
    ("-S", Meaning::Stage(Stage::Object)),
    ("-E", Meaning::Stage(Stage::Nothing)),
    ("-M", Meaning::Stage(Stage::Nothing)),
    ("-MM", Meaning::Stage(Stage::Nothing)),
    ("-v", Meaning::Other),
    ("-###", Meaning::Stage(Stage::Nothing)),
    ("--version", Meaning::Stage(Stage::Nothing)),
    ("--help", Meaning::Stage(Stage::Nothing)),
    ("-MD", Meaning::Dependencies),
    ("-MMD", Meaning::Dependencies),
    ("-MP", Meaning::DependencyRule),
    ("-shared", Meaning::Shared),
];

/// Parses a command line. `read` returns the text of a response file, if there is one.
pub(super) fn parse(arguments: &[String], read: &dyn Fn(&str) -> Option<String>) -> Items {
    let mut items = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if let Some(text) = argument.strip_prefix('@').and_then(read) {
            items.extend(parse(&words::split(&text), read).0);
            continue;
        }
        let mut given = vec![argument.clone()];
        let (meaning, value) = if argument.len() < 2 || !argument.starts_with('-') {
            (Meaning::Input, Some(argument.clone()))
        } else if let Some((_, meaning)) = PLAIN.iter().find(|(name, _)| name == argument) {
            (*meaning, None)
        } else if let Some(value) = argument.strip_prefix("-std=") {
            (Meaning::Standard, Some(value.to_owned()))
        } else if ["-dump", "-print"]
            .iter()
            .any(|it| argument.starts_with(it))
        {
            (Meaning::Stage(Stage::Nothing), None)
        } else {
            let valued = VALUED
                .iter()
                .find_map(|(name, meaning)| Some((argument.strip_prefix(name)?, *meaning)));
            match valued {
                // The name alone: the value is the next argument.
                Some(("", meaning)) => {
                    let next = rest.next().cloned();
                    given.extend(next.clone());
                    (meaning, next)
                }
                Some((joined, meaning)) => (meaning, Some(joined.to_owned())),
                None => (Meaning::Other, None),
            }
        };
        items.push(Item {
            given,
            meaning,
            values: value.into_iter().collect(),
        });
    }
    Items(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_and_separate_values() {
        let line = words::split("-Ia -I b -isystem c -DX -c d.cpp -oe.o -MD -MF f.d -std=c++20");
        let items = parse(&line, &|_| None);
        assert_eq!(
            items.values(Meaning::Include).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(items.last(Meaning::SystemInclude), Some("c"));
        assert_eq!(items.last(Meaning::Output), Some("e.o"));
        assert_eq!(items.last(Meaning::DependencyFile), Some("f.d"));
        assert_eq!(items.last(Meaning::Standard), Some("c++20"));
        assert_eq!(items.inputs().len(), 1);
        assert_eq!(items.stage(), Stage::Object);
    }

    #[test]
    fn response_files_are_read() {
        let items = parse(&["@r".to_owned()], &|name| {
            (name == "r").then(|| "-c 'a b.cpp'".to_owned())
        });
        assert_eq!(items.last(Meaning::Input), Some("a b.cpp"));
    }
}
