//! Source files of any encoding as text.
//!
//! A source file is bytes; comments and strings may be in Latin-1 or any other encoding that has
//! ASCII. Each byte that is not UTF-8 becomes one character of a range for private use, so that
//! columns count it as one character, and becomes that byte again when the text is written.

use std::borrow::Cow;

/// The characters that stand for the bytes 0x80 to 0xff are at this offset from them.
const BASE: u32 = 0xef00;

/// The text of a file.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.contains(is_stand_in) => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match is_stand_in(character) {
                true => {
                    let mut buffer = [0; 4];
                    let bytes = character.encode_utf8(&mut buffer).as_bytes();
                    text.extend(bytes.iter().map(|byte| stand_in(*byte)));
                }
                false => text.push(character),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| stand_in(*byte)));
    }
    text
}

/// The bytes that [`decode`] made `text` of.
#[must_use]
pub fn encode(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(is_stand_in) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match is_stand_in(character) {
            true => bytes.extend(u8::try_from(u32::from(character) - BASE)),
            false => bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

/// `text` for people: a replacement character for each byte that is not UTF-8. Offsets stay the same.
#[must_use]
pub fn lossy(text: &str) -> Cow<'_, str> {
    match text.contains(is_stand_in) {
        true => Cow::Owned(text.replace(is_stand_in, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

fn stand_in(byte: u8) -> char {
    char::from_u32(BASE + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn is_stand_in(character: char) -> bool {
    matches!(character, '\u{ef80}'..='\u{efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], characters: usize, display: &str) {
        let text = decode(bytes.to_vec());
        assert_eq!(text.chars().count(), characters);
        assert_eq!(encode(&text), bytes);
        assert_eq!(lossy(&text), display);
        assert_eq!(lossy(&text).len(), text.len());
    }

    #[test]
    fn every_byte_comes_back() {
        check(b"int a;", 6, "int a;");
        check("größe".as_bytes(), 5, "größe");
        check(b"gr\xf6\xdfe", 5, "gr\u{fffd}\u{fffd}e");
        check(
            "\u{efc0}\u{e000}".as_bytes(),
            4,
            "\u{fffd}\u{fffd}\u{fffd}\u{e000}",
        );
        let all: Vec<u8> = (1..=255).collect();
        check(&all, 255, &lossy(&decode(all.clone())));
    }
}
