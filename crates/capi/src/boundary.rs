//! Between C and Rust: pointers, strings, errors, panics.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A result whose error is a text for the caller.
pub(super) type Told<T> = Result<T, String>;

thread_local! {
    /// The text of the last error in this thread.
    static LAST: RefCell<CString> = RefCell::default();
}

/// The text of the last error in this thread, empty if there was none.
pub(super) fn last_error() -> *const c_char {
    // A thread that ends has no error any more.
    LAST.try_with(|it| it.borrow().as_ptr())
        .unwrap_or(c"".as_ptr())
}

fn set_last_error(text: &str) {
    let _ = LAST.try_with(|it| *it.borrow_mut() = c_string(text));
}

/// A text for C, without NUL bytes.
pub(super) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// Runs the body of a function of the library. After an error or a panic, it returns `failed`, and the text is the
/// last error.
pub(super) fn call<T>(failed: T, body: impl FnOnce() -> Told<T>) -> T {
    let text = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(text)) => text,
        Err(panic) => format!("a defect of hirace: {}", message(&*panic)),
    };
    set_last_error(&text);
    failed
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic")
}

/// The session at a pointer.
///
/// # Safety
/// The pointer must be null or a session that is not freed while the reference is used.
pub(super) unsafe fn session_at<'a, T>(session: *mut T) -> Told<&'a T> {
    // SAFETY: the caller promises it.
    unsafe { session.as_ref() }.ok_or_else(|| "`session` is null".to_owned())
}

/// The C string at a pointer, unless that is null.
///
/// # Safety
/// The pointer must be null or a string that is not changed while the reference is used.
pub(super) unsafe fn text_at<'a>(text: *const c_char) -> Option<&'a CStr> {
    match text.is_null() {
        true => None,
        // SAFETY: the caller promises it.
        false => Some(unsafe { CStr::from_ptr(text) }),
    }
}

/// A C string as text.
pub(super) fn string<'a>(text: &'a CStr, what: &str) -> Told<&'a str> {
    text.to_str().map_err(|_| format!("`{what}` is not UTF-8"))
}

/// The bytes at a pointer, which may be null if there are none.
///
/// # Safety
/// The pointer must be null or point to `length` bytes that are not changed while the reference is used.
pub(super) unsafe fn bytes<'a>(from: *const u8, length: usize, what: &str) -> Told<&'a [u8]> {
    match (from.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(format!("`{what}` is null")),
        // SAFETY: the caller promises it.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(from, length) }),
    }
}

/// A copy of the numbers at a pointer, which need not be aligned, and may be null if there are none.
///
/// # Safety
/// The pointer must be null or point to `count` numbers.
pub(super) unsafe fn words<T: Copy>(from: *const T, count: usize, what: &str) -> Told<Vec<T>> {
    match (from.is_null(), count) {
        (_, 0) => Ok(Vec::new()),
        (true, _) => Err(format!("`{what}` is null")),
        // SAFETY: the caller promises it.
        (false, _) => Ok((0..count)
            .map(|it| unsafe { from.add(it).read_unaligned() })
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::{call, last_error, text_at};

    #[test]
    fn a_panic_is_an_error_of_the_call() {
        assert_eq!(call(2, || panic!("no {}", "way")), 2);
        // SAFETY: it is a string.
        let text = unsafe { text_at(last_error()) }.expect("never null");
        assert_eq!(text.to_str(), Ok("a defect of hirace: no way"));
    }
}
