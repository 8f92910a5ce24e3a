//! Text that holds several arguments: response files and `NVCC_PREPEND_FLAGS`.

/// Splits `text` at white space. Quotes keep a word together and are removed; a backslash makes the
/// next character literal.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => {
                let word = word.get_or_insert_default();
                word.extend(characters.next());
            }
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(character),
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The elements of a comma-separated list as nvcc reads it. Commas in double quotes, which are
/// kept, or after a backslash, which is removed, do not separate.
pub(super) fn list(text: &str) -> Vec<String> {
    let mut elements = vec![String::new()];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let last = elements.len() - 1;
        match character {
            '\\' if characters.peek() == Some(&',') => elements[last].extend(characters.next()),
            ',' if !quoted => elements.push(String::new()),
            other => {
                quoted ^= other == '"';
                elements[last].push(other);
            }
        }
    }
    elements
}

/// A path without the quotes that nvcc allows around it.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inner.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes() {
        let words = split("-Ia \"-Ib c\"\n -DX='d \"e'  f\\ g ''");
        assert_eq!(words, ["-Ia", "-Ib c", "-DX=d \"e", "f g", ""]);
    }

    #[test]
    fn commas() {
        assert_eq!(list("-fPIC,-O2"), ["-fPIC", "-O2"]);
        assert_eq!(list(r"x\,y"), ["x,y"]);
        assert_eq!(list("A=\"b, c\",D"), ["A=\"b, c\"", "D"]);
        assert_eq!(unquoted("\"a,b\""), "a,b");
    }
}
