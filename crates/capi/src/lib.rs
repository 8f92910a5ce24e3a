//! The C library: `libhirace.so`, whose functions and types `include/hirace.h` declares and documents.
//!
//! A [`Session`] collects what a launch file says about a PTX file: arrays, launches, arguments. It is checked as
//! `hirace check kernel.ptx --launch launch.toml` is, by the same code.
//!
//! # Promises
//! - No panic leaves the library, and no pointer of the caller is used before it was found not to be null.
//! - Kernels run in a process of their own: whatever they do, the caller's process goes on.
//! - Nothing is written to the caller's standard output or standard error. The hook that the caller's process has
//!   for panics may write there if hirace itself fails.
//! - Without `hirace` on the path everything works.
//!
//! # Why the header is written by hand
//! It is the library's reference, so its order and its comments are for readers of C. A test compares it with the
//! functions here, type by type (`tests/header.rs`); a generator would be one more dependency.
//!
//! # Dependencies
//! This crate must never do what the command cannot: what both need is in the crates below.

mod arrays;
mod boundary;
mod session;
mod settings;

use std::ffi::{c_char, c_int, c_void};

use boundary::{bytes, call, session_at, string, text_at, words};
use session::{Argument, Memory, Session};

/// The number of `HIRACE_API_VERSION`.
const API_VERSION: u32 = 2;

/// What functions return: `HIRACE_OK`, `HIRACE_FINDINGS`, `HIRACE_ERROR`.
const OK: c_int = 0;
const FINDINGS: c_int = 1;
const ERROR: c_int = 2;

/// The only flag of a launch: `HIRACE_COOPERATIVE`.
const COOPERATIVE: u32 = 1;

/// The most dimensions of an array; NumPy has no more, either.
const MAX_DIMENSIONS: usize = 64;

/// See `hirace.h`.
#[unsafe(no_mangle)]
pub extern "C" fn hirace_api_version() -> u32 {
    API_VERSION
}

/// See `hirace.h`.
#[unsafe(no_mangle)]
pub extern "C" fn hirace_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// See `hirace.h`.
#[unsafe(no_mangle)]
pub extern "C" fn hirace_last_error() -> *const c_char {
    boundary::last_error()
}

/// See `hirace.h`.
///
/// # Safety
/// `ptx` must be null or point to `length` bytes; `name` must be null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_new(
    ptx: *const c_char,
    length: usize,
    name: *const c_char,
) -> *mut Session {
    call(std::ptr::null_mut(), || {
        // SAFETY: the caller promises both.
        let (ptx, name) = unsafe { (bytes(ptx.cast(), length, "ptx")?, text_at(name)) };
        let name = match name {
            Some(name) => string(name, "name")?,
            None => "kernel.ptx",
        };
        let session = Session::new(ptx, name)?;
        Ok(Box::into_raw(Box::new(session)))
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session; `key` and `value` must be null or strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_set(
    session: *mut Session,
    key: *const c_char,
    value: *const c_char,
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises all three.
        let (session, key, value) = unsafe { (session_at(session)?, text_at(key), text_at(value)) };
        session.change(|it| {
            let key = string(key.ok_or("`key` is null")?, "key")?;
            let value = string(value.ok_or("`value` is null")?, "value")?;
            it.set(key, value)
        })?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session; `name` and `type` must be null or strings; `shape` must be null or point to
/// `dimensions` numbers. Until the session has run, `data` must point to the elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_array_new(
    session: *mut Session,
    name: *const c_char,
    r#type: *const c_char,
    shape: *const u64,
    dimensions: usize,
    data: *mut c_void,
) -> *mut Memory {
    // SAFETY: the caller promises what the function wants.
    unsafe { array(session, name, r#type, shape, dimensions, data, true) }
}

/// See `hirace.h`.
///
/// # Safety
/// As for [`hirace_array_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_array_new_const(
    session: *mut Session,
    name: *const c_char,
    r#type: *const c_char,
    shape: *const u64,
    dimensions: usize,
    data: *const c_void,
) -> *mut Memory {
    // SAFETY: the caller promises what the function wants, and nothing is written to `data`.
    unsafe {
        array(
            session,
            name,
            r#type,
            shape,
            dimensions,
            data.cast_mut(),
            false,
        )
    }
}

unsafe fn array(
    session: *mut Session,
    name: *const c_char,
    kind: *const c_char,
    shape: *const u64,
    dimensions: usize,
    data: *mut c_void,
    written_back: bool,
) -> *mut Memory {
    call(std::ptr::null_mut(), || {
        // SAFETY: the caller promises it.
        let session = unsafe { session_at(session)? };
        session.change(|it| {
            if dimensions > MAX_DIMENSIONS {
                return Err(format!("`dimensions` is at most {MAX_DIMENSIONS}"));
            }
            // SAFETY: the caller promises it for both strings and the shape.
            let (name, kind, shape) = unsafe {
                (
                    text_at(name),
                    text_at(kind),
                    words(shape, dimensions, "shape")?,
                )
            };
            let name = name.map(|it| string(it, "name")).transpose()?;
            let kind = string(kind.ok_or("`type` is null")?, "type")?;
            it.array(name, kind, shape, data.cast(), written_back)
        })
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session, `kernel` null or a string; `grid` and `block` must be null or point to three
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_launch(
    session: *mut Session,
    kernel: *const c_char,
    grid: *const [u32; 3],
    block: *const [u32; 3],
    dynamic_shared: u32,
    flags: u32,
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises it.
        let session = unsafe { session_at(session)? };
        session.change(|it| {
            // SAFETY: the caller promises it for the string and the sizes.
            let (kernel, grid, block) = unsafe {
                (
                    text_at(kernel),
                    words(grid, 1, "grid")?,
                    words(block, 1, "block")?,
                )
            };
            let kernel = string(kernel.ok_or("`kernel` is null")?, "kernel")?;
            it.launch(kernel, (&grid[0], &block[0]), dynamic_shared, flags)
        })?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session, `cluster` null or three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_launch_cluster(
    session: *mut Session,
    cluster: *const [u32; 3],
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises both.
        let (session, size) = unsafe { (session_at(session)?, words(cluster, 1, "cluster")?) };
        session.change(|it| it.clusters(&size[0]))?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session, `file` null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_launch_at(
    session: *mut Session,
    file: *const c_char,
    line: u32,
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises both.
        let (session, file) = unsafe { (session_at(session)?, text_at(file)) };
        session
            .change(|it| it.launched_at(string(file.ok_or("`file` is null")?, "file")?, line))?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session. `array` may be anything: it is only compared.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_argument_array(
    session: *mut Session,
    array: *const Memory,
    offset: u64,
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises it.
        let session = unsafe { session_at(session)? };
        session.change(|it| it.argument(Argument::Array(array, offset)))?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session, `type` null or a string; `value` must be null or point to a number of this
/// type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_argument_scalar(
    session: *mut Session,
    r#type: *const c_char,
    value: *const c_void,
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises it.
        let session = unsafe { session_at(session)? };
        session.change(|it| {
            // SAFETY: the caller promises it for the string.
            let kind = unsafe { text_at(r#type) };
            let kind = string(kind.ok_or("`type` is null")?, "type")?;
            let length = session::size_of(kind)?;
            // SAFETY: a number of this type has so many bytes.
            let value = unsafe { bytes(value.cast(), length, "value")? };
            it.argument(Argument::Bytes(value.to_vec()))
        })?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session; `data` must be null or point to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_argument_bytes(
    session: *mut Session,
    data: *const c_void,
    size: usize,
) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises it.
        let session = unsafe { session_at(session)? };
        session.change(|it| {
            // SAFETY: the caller promises it.
            let data = unsafe { bytes(data.cast(), size, "data")? };
            it.argument(Argument::Bytes(data.to_vec()))
        })?;
        Ok(OK)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session, whose arrays have their memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_run(session: *mut Session) -> c_int {
    call(ERROR, || {
        // SAFETY: the caller promises it.
        let session = unsafe { session_at(session)? };
        // SAFETY: the caller promises it.
        unsafe { session.run() }
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_report_json(session: *mut Session) -> *const c_char {
    call(std::ptr::null(), || {
        // SAFETY: the caller promises it.
        unsafe { session_at(session)? }.result(|it| &it.json)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_report_text(session: *mut Session) -> *const c_char {
    call(std::ptr::null(), || {
        // SAFETY: the caller promises it.
        unsafe { session_at(session)? }.result(|it| &it.text)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_output(session: *mut Session) -> *const c_char {
    call(std::ptr::null(), || {
        // SAFETY: the caller promises it.
        unsafe { session_at(session)? }.result(|it| &it.output)
    })
}

/// See `hirace.h`.
///
/// # Safety
/// `session` must be null or a session that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hirace_session_free(session: *mut Session) {
    call((), || {
        if !session.is_null() {
            // SAFETY: `hirace_session_new` made it with `Box::into_raw`.
            drop(unsafe { Box::from_raw(session) });
        }
        Ok(())
    });
}
