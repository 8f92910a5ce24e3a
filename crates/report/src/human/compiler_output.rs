//! The messages of a compiler, for a terminal.

use std::fmt::Write as _;

use super::Style;

/// The messages, with the user's line below each error. The compiler itself would show the instrumented text,
/// and columns in it.
pub(super) fn with_lines(output: &str, style: Style) -> String {
    let bar = if style.unicode { '│' } else { '|' };
    let mut out = String::new();
    for message in output.lines() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{message}");
        if let Some((number, line)) = line_of(message) {
            let _ = writeln!(out, " {number:>4} {bar} {line}");
        }
    }
    out
}

/// The number and the text of the line that an error is in, as in `a.cu:3: error: …`.
fn line_of(message: &str) -> Option<(usize, String)> {
    let kinds = [": error: ", ": fatal error: "];
    let place = kinds.iter().find_map(|it| message.split_once(it))?.0;
    let (file, number) = place.rsplit_once(':')?;
    let number: usize = number.parse().ok()?;
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().nth(number.checked_sub(1)?)?.trim_end();
    (!line.is_empty()).then(|| (number, line.to_owned()))
}
