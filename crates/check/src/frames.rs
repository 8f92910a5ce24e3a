//! The functions around an instruction, and their names as one would write them.

use std::path::Path;

use addr2line::Loader;

use hirace_model::paths::folded;
use hirace_model::table::{Table, Tables};
use hirace_report::records::Frame;

/// The functions of the user's at an instruction.
pub(super) fn frames(loader: &Loader, tables: &Tables, address: u64) -> Option<Vec<Frame>> {
    let mut all = Vec::new();
    let mut frames = loader.find_frames(address).ok()?;
    while let Some(frame) = frames.next().ok()? {
        let place = frame.location.and_then(|it| it.file.zip(it.line));
        let place = place.and_then(|(file, line)| of_user(tables, file, line));
        let name = frame.function.as_ref().and_then(|it| it.demangle().ok());
        if let (Some(place), Some(name)) = (place, name) {
            all.push((place, name.into_owned()));
        }
    }
    // A loop of a kernel's body: its line is the body's.
    while let Some(at) = all
        .iter()
        .position(|it| it.1 == LOOP)
        .filter(|at| at + 1 < all.len())
    {
        let (place, _) = all.remove(at);
        all[at].0 = place;
    }
    if let Some(outermost) = all.last_mut().filter(|it| it.1 == BODY)
        && let Some(kernel) = kernel_of_coroutine(loader.find_symbol(address).unwrap_or_default())
    {
        outermost.1 = kernel;
    }
    // A kernel's body that has been inlined into what begins it, and this into the kernel: its line is the kernel's.
    if let Some(at) = all.iter().position(|it| it.1 == BEGINNING)
        && let Some(body) = at.checked_sub(1).filter(|it| all[*it].1 == BODY)
        && let Some(kernel) = all.get(at + 1).map(|it| it.1.clone())
    {
        all[body].1 = kernel;
        all.drain(at..at + 2);
    }
    let frame = |((file, line), name): ((String, u32), String)| Frame {
        function: short_name(&name),
        file,
        line,
    };
    Some(all.into_iter().map(frame).collect())
}

/// What debug information calls the body of a kernel that is a coroutine, what begins it, and a loop in it
/// (`device/hirace/executor/scheduler/regions.h`). Other lambdas have the former name, too.
const BODY: &str = "operator()";
const BEGINNING: &str = "operator()<hirace::cpu::KernelBody>";
const LOOP: &str = "operator()<hirace::cpu::RegionLoop>";

/// The kernel whose body a symbol is, if it is a coroutine. GCC and Clang name its resumption after it.
fn kernel_of_coroutine(symbol: &str) -> Option<String> {
    let function = symbol
        .strip_suffix(".actor")
        .or(symbol.strip_suffix(".resume"))?;
    let name = addr2line::demangle_auto(function.into(), None);
    let (kernel, rest) = name.split_once(LAMBDA)?;
    rest.contains("KernelBody").then(|| kernel.to_owned())
}

/// A place in a file of the user's, by the name that reports have for it.
pub(super) fn of_user(tables: &Tables, file: &str, line: u32) -> Option<(String, u32)> {
    let place = folded(Path::new(file));
    let is_there = |it: &&Table| it.notes.location.as_deref().map(Path::new) == Some(&place);
    let is_named = |it: &&Table| place.ends_with(it.path.trim_start_matches('/'));
    let table = tables.iter().find(is_there);
    let table = table.or_else(|| tables.iter().find(is_named))?;
    Some((table.path.clone(), line))
}

/// What follows the function around a lambda in its name.
const LAMBDA: &str = "::{lambda(";

/// The types of numbers that a demangled name gives with each template argument.
const NUMBERS: [&str; 7] = [
    "(unsigned int)",
    "(unsigned long)",
    "(unsigned char)",
    "(unsigned short)",
    "(int)",
    "(long)",
    "(short)",
];

/// The name of a function or class as one would write it: without the types of numbers among template arguments, and
/// with `lambda` for those of lambdas.
fn as_written(name: &str) -> String {
    let mut name = name.to_owned();
    for number in NUMBERS {
        for before in ["<", ", "] {
            name = name.replace(&format!("{before}{number}"), before);
        }
    }
    let mut from = 0;
    while let Some(at) = name[from..].find(LAMBDA).map(|it| from + it) {
        // The beginning of the argument that it is in, if it is one.
        let (mut arguments, mut depth) = (Vec::new(), 0_u32);
        for (index, letter) in name[..at].char_indices() {
            match letter {
                '<' | '(' => arguments.push(index + 1),
                '>' | ')' => drop(arguments.pop()),
                ',' => arguments
                    .last_mut()
                    .into_iter()
                    .for_each(|it| *it = index + 2),
                _ => {}
            }
        }
        let end = name[at..].char_indices().find_map(|(index, letter)| {
            depth += u32::from(letter == '{');
            depth -= u32::from(letter == '}');
            (letter == '}' && depth == 0).then_some(at + index + 1)
        });
        match (arguments.last(), end) {
            (Some(&begin), Some(end)) => name.replace_range(begin..end, "lambda"),
            _ => from = at + LAMBDA.len(),
        }
    }
    name
}

/// A function's name without its result and its parameters: `store<int, 8>` for `void store<int, 8>(int*)`.
fn short_name(name: &str) -> String {
    let name = as_written(name);
    // Of a lambda, the function around it.
    let (name, is_lambda) = match name.split_once(LAMBDA) {
        Some((around, _)) => (around, true),
        None => (name.as_str(), false),
    };
    let (mut depth, mut begin, mut end) = (0_u32, 0, name.len());
    let operator = name
        .find("operator")
        .map_or(usize::MAX - 1, |it| it + "operator".len());
    for (at, letter) in name.char_indices() {
        match letter {
            // `operator<`, `operator()`.
            '<' | '>' | '(' | ')' if at == operator || (at == operator + 1 && letter != '(') => {}
            '(' if depth == 0 => {
                end = at;
                break;
            }
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && at < operator => begin = at + 1,
            _ => {}
        }
    }
    let short = name[begin..end].trim();
    match is_lambda {
        true => format!("a lambda in {short}"),
        false => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_of_functions() {
        for (name, expected) in [
            ("upd(int*, int)", "upd"),
            (
                "int red<int, k<int>(int*)::{lambda(int, int)#1}>(int*, int, k<int>(int*)::{lambda(int, int)#1})",
                "red<int, lambda>",
            ),
            (
                "k<int>(int*)::{lambda(int, f(int))#1}::operator()(int) const",
                "a lambda in k<int>",
            ),
            ("void store<int, 8>(int (*) [8], int)", "store<int, 8>"),
            ("T* N::at<T>(std::vector<int, f(int)>&)", "N::at<T>"),
            ("Add::operator()(int) const", "Add::operator()"),
            ("bool operator< <int>(A<int>, A<int>)", "operator< <int>"),
            (
                "k(int*)::{lambda(int)#1}::operator()(int) const",
                "a lambda in k",
            ),
            ("Queue<(unsigned int)64, int>::pop()", "Queue<64, int>::pop"),
            ("plain", "plain"),
        ] {
            assert_eq!(short_name(name), expected);
        }
    }
}
