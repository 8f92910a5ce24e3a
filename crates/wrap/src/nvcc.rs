//! nvcc's command line.
//!
//! In nvcc, an option's long name follows two dashes and its short name one. The value follows `=`
//! or is the next argument; only a few single letters also accept it joined.

use super::items::{Item, Items, Meaning};
use super::nvcc_options::{self, JOINED, Value};
use super::words;

/// Variables with options that come before and after those of the command line.
pub(super) const PREPEND: &str = "NVCC_PREPEND_FLAGS";
const APPEND: &str = "NVCC_APPEND_FLAGS";

/// A command line, and the options of nvcc's variables.
pub(super) struct Line {
    pub before: Items,
    pub own: Items,
    pub after: Items,
}

impl Line {
    /// Parses `arguments` and the variables of this process.
    pub fn of(arguments: &[String]) -> Self {
        let read = |name: &str| std::fs::read_to_string(name).ok();
        let variable = |name| {
            let text = std::env::var(name).unwrap_or_default();
            parse(&words::split(&text), &read)
        };
        Self {
            before: variable(PREPEND),
            own: parse(arguments, &read),
            after: variable(APPEND),
        }
    }

    /// All items, in the order in which nvcc reads them.
    pub fn all(&self) -> Items {
        Items(
            [&self.before, &self.own, &self.after]
                .map(|it| it.0.as_slice())
                .concat(),
        )
    }
}

/// Parses a command line. `read` returns the text of an options file, if there is one.
fn parse(arguments: &[String], read: &dyn Fn(&str) -> Option<String>) -> Items {
    let mut items = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument.len() < 2 || !argument.starts_with('-') {
            items.push(Item {
                given: vec![argument.clone()],
                meaning: Meaning::Input,
                values: vec![argument.clone()],
            });
            continue;
        }
        let mut given = vec![argument.clone()];
        let (name, joined) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument.as_str(), None),
        };
        if let "-optf" | "--options-file" = name {
            let files = joined.map(str::to_owned).or_else(|| rest.next().cloned());
            let texts = words::list(&files.unwrap_or_default());
            for text in texts.iter().filter_map(|file| read(file)) {
                items.extend(parse(&words::split(&text), read).0);
            }
            continue;
        }
        let exact = match name.strip_prefix("--") {
            Some(long) => nvcc_options::find(Some(long), None),
            None => nvcc_options::find(None, name.strip_prefix('-')),
        };
        let (option, value) = match exact {
            Some((Value::None, _)) => (exact, None),
            Some(_) => {
                let value = joined.map(str::to_owned).or_else(|| {
                    let next = rest.next().cloned();
                    given.extend(next.clone());
                    next
                });
                (exact, value)
            }
            None => {
                let letter = argument.get(1..2).filter(|letter| JOINED.contains(letter));
                let option = letter.and_then(|letter| nvcc_options::find(None, Some(letter)));
                (option, argument.get(2..).map(str::to_owned))
            }
        };
        items.push(Item {
            given,
            meaning: option.map_or(Meaning::Other, |(_, meaning)| meaning),
            values: values(option, value),
        });
    }
    Items(items)
}

fn values(option: Option<(Value, Meaning)>, value: Option<String>) -> Vec<String> {
    let (Some(option), Some(value)) = (option, value) else {
        return Vec::new();
    };
    match option {
        (
            Value::List,
            Meaning::Include
            | Meaning::SystemInclude
            | Meaning::LibraryPath
            | Meaning::ForcedInclude,
        ) => {
            let elements = words::list(&value).into_iter();
            elements.map(|it| words::unquoted(&it).to_owned()).collect()
        }
        (Value::List, _) => words::list(&value),
        _ => vec![value],
    }
}

#[cfg(test)]
mod tests {
    use super::super::items::Stage;
    use super::*;
    use Meaning::{Define, Device, Include, Other, Output, SystemInclude};

    fn parsed(line: &str) -> Items {
        let read = |name: &str| (name == "r.rsp").then(|| "-Ir \"-Ds t\" b.cu".to_owned());
        parse(&words::split(line), &read)
    }

    #[track_caller]
    fn check(line: &str, expect: &[(Meaning, &[&str])]) {
        let items = parsed(line).0;
        let found: Vec<(Meaning, Vec<&str>)> = items
            .iter()
            .map(|item| {
                (
                    item.meaning,
                    item.values.iter().map(String::as_str).collect(),
                )
            })
            .collect();
        let expect: Vec<_> = expect.iter().map(|(m, v)| (*m, v.to_vec())).collect();
        assert_eq!(found, expect, "{line}");
    }

    #[test]
    fn joined_separate_and_listed_values() {
        check(
            "-Ia,b -I c --include-path=d --include-path e -isystem=f -DX=1,Y",
            &[
                (Include, &["a", "b"]),
                (Include, &["c"]),
                (Include, &["d"]),
                (Include, &["e"]),
                (SystemInclude, &["f"]),
                (Define, &["X=1", "Y"]),
            ],
        );
    }

    #[test]
    fn values_are_no_inputs() {
        check(
            "-gencode arch=compute_80,code=sm_80 -rdc true -ftz=true --keep-dir k.cu -c a.cu -o a.o",
            &[
                (Device, &["arch=compute_80", "code=sm_80"]),
                (Device, &["true"]),
                (Device, &["true"]),
                (Device, &["k.cu"]),
                (Meaning::Stage(Stage::Object), &[]),
                (Meaning::Input, &["a.cu"]),
                (Output, &["a.o"]),
            ],
        );
    }

    #[test]
    fn options_files_are_read() {
        check(
            "-optf r.rsp --options-file=r.rsp",
            &[
                (Include, &["r"]),
                (Define, &["s t"]),
                (Meaning::Input, &["b.cu"]),
                (Include, &["r"]),
                (Define, &["s t"]),
                (Meaning::Input, &["b.cu"]),
            ],
        );
    }

    #[test]
    fn stages() {
        for (line, stage) in [
            ("a.cu", Stage::Link),
            ("-dc a.cu", Stage::Object),
            ("-c a.cu --dryrun", Stage::Nothing),
            ("-dlink a.o", Stage::DeviceLink),
            ("--version", Stage::Nothing),
            ("-M a.cu", Stage::Nothing),
            ("-MD -c a.cu", Stage::Object),
            ("--ptx a.cu", Stage::DeviceCode),
        ] {
            assert_eq!(parsed(line).stage(), stage, "{line}");
        }
    }

    #[test]
    fn unknown_options_take_no_value() {
        check("-Wall a.cu", &[(Other, &[]), (Meaning::Input, &["a.cu"])]);
    }
}
