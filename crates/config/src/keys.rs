//! Single keys with values, as options give them, in the place of a file.

use hirace_model::error::{Error, Result};
use toml::{Table, Value};

/// What error messages call the text that the keys make.
pub(super) const NAME: &str = "options";

/// The text of a file with these keys.
pub(super) fn text(keys: &[(String, String)]) -> Result<String> {
    let mut text = String::new();
    for (key, value) in keys {
        let is_word = |it: &str| {
            let mut bytes = it.bytes();
            !it.is_empty() && bytes.all(|it| it.is_ascii_lowercase() || it == b'-')
        };
        let parts = key.split_once('.');
        if !parts.is_some_and(|(section, key)| is_word(section) && is_word(key)) {
            return Err(Error::Input {
                message: format!("`{key}` is not a key of the configuration"),
                help: Some("write the section before it, as in `check.engine`".to_owned()),
            });
        }
        // What is not TOML is a text without quotes.
        let value = match format!("x = {value}").parse::<Table>() {
            Ok(table) if table.len() == 1 => value.clone(),
            _ => Value::String(value.clone()).to_string(),
        };
        text += &format!("{key} = {value}\n");
    }
    Ok(text)
}

/// The text of a file with keys that override its own. Both can be parsed.
pub(super) fn over(keys: &str, file: &str) -> String {
    let parse = |it: &str| it.parse::<Table>().unwrap_or_default();
    let mut merged = parse(file);
    for (section, values) in parse(keys) {
        let old = merged.entry(section).or_insert(Value::Table(Table::new()));
        if let (Value::Table(old), Value::Table(new)) = (old, values) {
            old.extend(new);
        }
    }
    merged.to_string()
}
