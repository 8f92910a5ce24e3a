//! The host runtime of the GPU backend as an object file, compiled once for all programs.
//!
//! nvcc takes several times as long for it as for a small program. The object depends on the compilers, the headers and
//! hirace's own macros; its interface (`device/hirace/gpu/host.h`) has no types of the C++ library, whose layout options
//! could change.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};

use super::cache::{Cache, Key};
use super::runtime::{STANDARD, identity, quietly};

/// The host runtime of the GPU backend.
#[derive(Debug)]
pub struct GpuRuntime {
    entry: PathBuf,
}

/// The name of the object file in its entry.
const OBJECT: &str = "gpu-runtime.o";

/// The linker that joins objects.
const LINKER: &str = "ld";

/// Those of the user's options that the part and a program must share.
pub(super) fn options(given: &[String]) -> Vec<OsString> {
    let own = given.iter().filter(|it| it.starts_with("-DHIRACE_"));
    own.map(OsString::from).collect()
}

impl GpuRuntime {
    /// The object for programs that `nvcc`, with the words `leading` before its arguments, compiles with `options`:
    /// hirace's macros, and `-ccbin`. Compiles it unless it is in the cache; `includes` begins with the directory of the
    /// device headers there. None if it does not compile: then each file contains all of it.
    ///
    /// # Errors
    /// The user has interrupted us.
    pub fn find(
        nvcc: &Path,
        leading: &[OsString],
        cache: &Cache,
        includes: &[PathBuf],
        options: &[OsString],
    ) -> Result<Option<Self>> {
        let Some((include, hash)) = includes.first().and_then(|it| Some((it, it.file_name()?)))
        else {
            return Ok(None);
        };
        let host = std::env::var_os("NVCC_CCBIN").unwrap_or_default();
        let mut key = Key::new("gpu-runtime")
            .with(identity(nvcc, leading).name())
            .with(host.as_encoded_bytes())
            .with(hash.as_encoded_bytes());
        for option in options {
            key = key.with(option.as_encoded_bytes());
        }
        let fill = |entry: &Path| {
            let object = entry.join(OBJECT);
            let mut arguments: Vec<OsString> = vec!["-c".into(), "-x".into(), "cu".into()];
            arguments.extend(["-O2", "-Xcompiler", "-fPIC", STANDARD].map(OsString::from));
            arguments.extend(options.iter().cloned());
            arguments.extend(["-I".into(), include.into()]);
            arguments.push(include.join("hirace/library.cpp").into());
            arguments.extend(["-o".into(), object.clone().into()]);
            quietly(nvcc, leading, arguments, &object)?;
            match object.is_file() {
                true => Ok(()),
                // Something else than a compiler.
                false => Err(Error::write(&object, std::io::ErrorKind::NotFound.into())),
            }
        };
        let without = "each file contains the host runtime of the GPU backend";
        let entry = cache.once_or_without(&key, without, fill)?;
        Ok(entry.map(|entry| Self { entry }))
    }

    /// The object file to link a program with.
    #[must_use]
    pub fn object(&self) -> PathBuf {
        self.entry.join(OBJECT)
    }

    /// Puts it into `object`, which was compiled with [`super::Runtime::MACRO`], so that anyone can link it. The linker
    /// keeps one of several copies, because it consists of inline functions and variables.
    ///
    /// # Errors
    /// The linker fails, or a file cannot be written.
    pub fn embed(&self, object: &Path) -> Result<()> {
        let whole = object.with_extension("hirace.o");
        let mut arguments: Vec<OsString> = vec!["-r".into(), object.into()];
        arguments.extend([self.object().into(), "-o".into(), whole.clone().into()]);
        quietly(Path::new(LINKER), &[], arguments, &whole)?;
        std::fs::rename(&whole, object).map_err(|source| Error::write(object, source))
    }
}
