//! Make rules, in which compilers write the files that they read.

/// One rule: targets and their prerequisites.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The names before the colon.
    pub targets: Vec<String>,
    /// The names after it.
    pub prerequisites: Vec<String>,
}

/// The rules in `text`.
#[must_use]
pub fn parse(text: &str) -> Vec<Rule> {
    let mut rules = Vec::new();
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines() {
        let mut rule = Rule::default();
        let mut after_colon = false;
        for word in split(line) {
            match word.strip_suffix(':') {
                Some(target) if !after_colon => {
                    if !target.is_empty() {
                        rule.targets.push(unescape(target));
                    }
                    after_colon = true;
                }
                _ if after_colon => rule.prerequisites.push(unescape(&word)),
                _ => rule.targets.push(unescape(&word)),
            }
        }
        if after_colon {
            rules.push(rule);
        }
    }
    rules
}

/// Splits at white space that is not escaped.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for character in line.chars() {
        let blank = character == ' ' || character == '\t';
        // An even number of backslashes means half as many, and escapes nothing.
        let backslashes = word.chars().rev().take_while(|&it| it == '\\').count();
        if blank && backslashes % 2 == 0 {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(character);
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Undoes `\ `, `\#` and `$$`. Backslashes before anything else are literal.
fn unescape(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(' ' | '\t' | '#')) | ('$', Some('$')) => out.extend(characters.next()),
            _ => out.push(character),
        }
    }
    out
}
