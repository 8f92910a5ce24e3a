//! Programs with labels, from any source.
//!
//! | module | reads |
//! |---|---|
//! | [`builtin`] | the programs in this crate |
//! | [`manifest`] | a directory with a `suite.toml` that describes its programs |
//! | [`checkout`] | a checkout of IndigoSuite, whose programs are generated |
//! | [`labelled`] | a directory of `.cu` files with bugs in their names |

use std::path::Path;

use crate::error::{Error, Result};

pub mod arguments;
pub mod builtin;
pub mod checkout;
pub mod configure;
pub mod directory;
mod files;
pub mod idg;
pub mod labelled;
pub mod manifest;
pub mod naming;
mod program;

pub use arguments::Arguments;
pub(crate) use files::stem;
pub use naming::leaves_bounds;
pub use program::{Label, Program, Suite};

/// The suite in `dir`, or the built-in one.
///
/// The content of the directory decides: a manifest, `.idg` sources, or `.cu` files, in this order.
///
/// # Errors
/// The directory is not a suite, or has a mistake in it.
pub fn open(dir: Option<&Path>) -> Result<Suite> {
    let Some(dir) = dir else {
        return builtin::suite();
    };
    // An unreadable directory must not count as one without sources.
    std::fs::read_dir(dir).map_err(|source| Error::read(dir, source))?;
    if dir.join(files::MANIFEST).exists() {
        return manifest::read(dir);
    }
    if let Some(layout) = checkout::Layout::find(dir)? {
        return layout.read();
    }
    labelled::read(dir)
}
