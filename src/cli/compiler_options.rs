//! A compiler's options among those of `hirace check`, `hirace fix` and `hirace instrument`.
//!
//! People paste their compile command: `hirace check -Iinclude -DN=64 -std=c++20 k.cu util.o -lm`. Each
//! option becomes a `--cc-arg`, before clap reads the command line.

use std::ffi::{OsStr, OsString};

use clap::Command;
use hirace_toolchain::{OptionForm, option_form};

/// What these commands also take, for their help.
pub(super) const COMPILER_OPTIONS: &str = "\
Compiler options, passed on as they are:
  -I DIR, -isystem DIR, -include FILE, -D NAME[=VALUE], -U NAME, -std=c++20, -O2, -L DIR, -lNAME,
  those of nvcc, objects (.o) and libraries (.a, .so)";

/// The commands that pass options to a compiler.
const COMPILING: [&str; 4] = ["check", "watch", "fix", "instrument"];

/// What a linker takes beside sources.
const LINKED: [&str; 4] = [".o", ".a", ".so", ".obj"];

/// The command line with `--cc-arg` before each of the compiler's options.
pub(super) fn marked(
    mut command: Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Vec<OsString> {
    // Commands then know the options of all commands.
    command.build();
    let mut rest = arguments.into_iter();
    let mut marked: Vec<OsString> = rest.by_ref().take(1).collect();
    let is_option = |it: &OsString| it.as_encoded_bytes().starts_with(b"-");
    for argument in rest.by_ref() {
        marked.push(argument);
        if !marked.last().is_some_and(is_option) {
            break;
        }
    }
    let ours = marked
        .last()
        .and_then(|name| name.to_str())
        .filter(|name| COMPILING.contains(name))
        .and_then(|name| command.find_subcommand(name));
    let Some(ours) = ours else {
        marked.extend(rest);
        return marked;
    };
    while let Some(argument) = rest.next() {
        if argument == "--" {
            marked.push(argument);
            break;
        }
        if let Some(values) = values_of_ours(ours, &argument) {
            marked.push(argument);
            marked.extend(rest.by_ref().take(values));
            continue;
        }
        match compiler_option(&argument).filter(|_| !is_long_of_ours(ours, &argument)) {
            None => marked.push(argument),
            Some(form) => {
                mark(&mut marked, argument);
                if form == OptionForm::ValueFollows
                    && let Some(value) = rest.next()
                {
                    mark(&mut marked, value);
                }
            }
        }
    }
    marked.extend(rest);
    marked
}

fn mark(marked: &mut Vec<OsString>, argument: OsString) {
    marked.extend(["--cc-arg".into(), argument]);
}

/// How many values follow an option of ours; `None` if it is none.
fn values_of_ours(ours: &Command, argument: &OsStr) -> Option<usize> {
    let text = argument.to_str()?;
    if let Some(long) = text.strip_prefix("--") {
        let (name, joined) = long
            .split_once('=')
            .map_or((long, false), |it| (it.0, true));
        let option = ours
            .get_arguments()
            .find(|it| it.get_long() == Some(name))?;
        return Some(usize::from(option.get_action().takes_values() && !joined));
    }
    let mut letters = text.strip_prefix('-')?.chars();
    let (short, joined) = (letters.next()?, letters.next().is_some());
    let option = ours
        .get_arguments()
        .find(|it| it.get_short() == Some(short))?;
    match option.get_action().takes_values() {
        true => Some(usize::from(!joined)),
        false => (!joined).then_some(0),
    }
}

/// Whether an argument is one of our long options with one dash: clap says so.
fn is_long_of_ours(ours: &Command, argument: &OsStr) -> bool {
    let name = argument.to_str().map(|it| it.trim_start_matches('-'));
    let name = name.map(|it| it.split_once('=').map_or(it, |(name, _)| name));
    ours.get_arguments()
        .any(|it| it.get_long().is_some() && it.get_long() == name)
}

/// Whether an argument is for the compiler, and in which form.
fn compiler_option(argument: &OsStr) -> Option<OptionForm> {
    let text = argument.to_str()?;
    if !text.starts_with('-') {
        return LINKED
            .iter()
            .any(|it| text.ends_with(it))
            .then_some(OptionForm::Alone);
    }
    // clap's own, which it knows for each command.
    let is_clap = ["-h", "-V", "-"].contains(&text);
    (!is_clap).then(|| option_form(text)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    use crate::cli::Cli;

    #[track_caller]
    fn becomes(given: &str, expected: &str) {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let line = marked(Cli::command(), words(&format!("hirace {given}")));
        assert_eq!(line, words(&format!("hirace {expected}")));
    }

    #[test]
    fn options_become_arguments_of_the_compiler() {
        becomes("check -Ia k.cu", "check --cc-arg -Ia k.cu");
        becomes("check -I a k.cu", "check --cc-arg -I --cc-arg a k.cu");
        becomes(
            "fix -include a.h -std=c++20 -O0 k.cu u.o -lm",
            "fix --cc-arg -include --cc-arg a.h --cc-arg -std=c++20 --cc-arg -O0 k.cu --cc-arg u.o --cc-arg -lm",
        );
        becomes(
            "check -arch sm_80 --expt-relaxed-constexpr k.cu",
            "check --cc-arg -arch --cc-arg sm_80 --cc-arg --expt-relaxed-constexpr k.cu",
        );
    }

    #[test]
    fn others_stay() {
        for line in [
            "check --cc-arg -Ia k.cu",
            "check --format json --output r.o k.cu",
            "check k.cu -- -Ia u.o",
            "instrument -o out k.cu",
            "instrument -oout k.cu",
            "check -h",
            "check -v k.cu",
            "-v check k.cu",
            "check --expolre 3 k.cu",
            "check -explore=3 k.cu",
            "run -Ia",
            "check",
        ] {
            becomes(line, line);
        }
    }
}
