//! The comments that litmus tests and models share.

/// The length of the comment `(* … *)` at the start of `text`; such comments nest.
pub(crate) fn nested_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"(*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*)") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}
