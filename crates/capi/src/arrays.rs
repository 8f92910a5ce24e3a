//! The caller's memory, and the files by which the program of a session gets and returns it.
//!
//! Files hold the bytes as they are: `f16` and `bf16` need no conversion, and a large array is neither copied in
//! memory nor sent through a pipe.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};

/// An array of the caller. Its address is what the caller has of it.
#[derive(Debug)]
pub struct Memory {
    /// Its number in the plan.
    pub(super) number: usize,
    pub(super) data: *mut u8,
    pub(super) bytes: usize,
    pub(super) written_back: bool,
}

/// The directory of a session's arrays.
#[derive(Debug)]
pub(super) struct Files<'a>(pub &'a Path);

impl Files<'_> {
    /// The first values of an array.
    pub fn first(&self, array: usize) -> PathBuf {
        self.0.join(format!("first-{array}"))
    }

    /// The last values of an array, which each run of the program writes.
    pub fn last(&self, array: usize) -> PathBuf {
        self.0.join(format!("last-{array}"))
    }

    /// Those of the run that counts.
    fn kept(&self, array: usize) -> PathBuf {
        self.0.join(format!("kept-{array}"))
    }

    /// Copies the caller's memory.
    ///
    /// # Safety
    /// Each array must have its memory.
    pub unsafe fn copy_in(&self, arrays: &[Box<Memory>]) -> Result<()> {
        for array in arrays {
            let path = self.first(array.number);
            let from: &[u8] = match array.bytes {
                0 => &[],
                // SAFETY: the caller promises it.
                count => unsafe { std::slice::from_raw_parts(array.data, count) },
            };
            std::fs::write(&path, from).map_err(|source| Error::write(&path, source))?;
        }
        Ok(())
    }

    /// Keeps what the last run has written. Call it before another one starts.
    pub fn keep(&self, arrays: &[usize]) {
        for array in arrays {
            // A program that did not reach its end has written nothing, or not all.
            let _ = std::fs::rename(self.last(*array), self.kept(*array));
        }
    }

    /// Copies what was kept to the caller's memory: all arrays, or none if one is not complete.
    ///
    /// # Safety
    /// Each array must have its memory, to which nothing else refers meanwhile.
    pub unsafe fn copy_back(&self, arrays: &[Box<Memory>]) -> Result<()> {
        let returned = || arrays.iter().filter(|it| it.written_back);
        let is_complete = |it: &Memory| {
            let found = std::fs::metadata(self.kept(it.number));
            found.is_ok_and(|found| found.len() == it.bytes as u64)
        };
        if !returned().all(|it| is_complete(it)) {
            return Ok(());
        }
        for array in returned().filter(|it| it.bytes > 0) {
            let path = self.kept(array.number);
            // SAFETY: the caller promises it.
            let to = unsafe { std::slice::from_raw_parts_mut(array.data, array.bytes) };
            File::open(&path)
                .and_then(|mut file| file.read_exact(to))
                .map_err(|source| Error::read(&path, source))?;
        }
        Ok(())
    }
}
