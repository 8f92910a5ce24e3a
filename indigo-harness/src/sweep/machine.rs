//! A description of this machine for readers of the results.

use std::fs;

/// Processor, cores and system in one line.
#[must_use]
pub fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| field(&text, "model name", ':'))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let system = fs::read_to_string("/etc/os-release")
        .ok()
        .and_then(|text| field(&text, "PRETTY_NAME", '='))
        .unwrap_or_else(|| std::env::consts::OS.to_owned());
    let plural = if cores == 1 { "" } else { "s" };
    format!("{processor}, {cores} core{plural}, {system}")
}

/// The value of the first line with that name.
fn field(text: &str, name: &str, separator: char) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(separator)?;
        let value = value.trim().trim_matches('"');
        (key.trim() == name && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_in_both_notations() {
        let text = "model\t\t: 143\nmodel name\t: A Processor @ 2 GHz\nNAME=\"Some Linux\"\n";
        let processor = field(text, "model name", ':');
        assert_eq!(processor.as_deref(), Some("A Processor @ 2 GHz"));
        assert_eq!(field(text, "NAME", '=').as_deref(), Some("Some Linux"));
        assert_eq!(field(text, "absent", '='), None);
    }
}
