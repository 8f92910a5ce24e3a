//! nvcc with a `ptxas` that compiles each function once.
//!
//! ptxas compiles a function anew for each kernel that calls it, so checks, whose functions all kernels call, take most
//! of the time of a file with many kernels: 5 of 8 seconds for 18 kernels (`docs/benchmarks.md`). With `--compile-only`,
//! for separate compilation (CUDA Compiler Driver NVCC, "Using Separate Compilation in CUDA"), it compiles each once.
//! nvcc could do all of it with `-rdc=true`, but then whoever links the program would have to link device code, too.
//!
//! nvcc finds its tools through the directory that it was started from: here, one with links to all of the toolkit's.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};

use super::cache::{Cache, Key, Kind};
use super::runtime::{identity, quietly};
use super::{gpu, trace};

/// The file in which a toolkit says where its parts are, relative to nvcc's own directory.
const PROFILE: &str = "nvcc.profile";

/// How that file writes the directory above nvcc's own.
const ABOVE: &str = "$(_HERE_)/..";

const SCRIPT: &str = include_str!("ptxas_once.sh");

/// Set to 1, this leaves ptxas as it is.
const OFF: &str = "HIRACE_PTXAS_AS_IT_IS";

/// The nvcc to call in place of `nvcc`, whose options for the host compiler are `host`. None if its toolkit has no such
/// form, or if the user does not want it.
///
/// # Errors
/// The user has interrupted us.
pub fn with_functions_once(
    nvcc: &Path,
    host: &[OsString],
    cache: &Cache,
) -> Result<Option<PathBuf>> {
    if std::env::var_os(OFF).is_some_and(|it| it == "1") {
        return Ok(None);
    }
    let Some((tools, profile)) = toolkit_of(nvcc) else {
        return Ok(None);
    };
    let key = Key::new("nvcc with functions once")
        .with(identity(nvcc, &[]).name())
        .with(tools.as_os_str().as_encoded_bytes())
        .with(&profile)
        .with(SCRIPT);
    let fill = |entry: &Path| {
        link_tools(entry, &tools, &profile)?;
        compile_kernel(entry, host)
    };
    let nvcc = match cache.once(Kind::Toolkit, &key, fill) {
        Ok(entry) => entry.join("nvcc"),
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        Err(error) => {
            trace::note(&format!(
                "ptxas compiles functions for each kernel: {error}"
            ));
            return Ok(None);
        }
    };
    Ok(Some(nvcc))
}

/// The directory of a toolkit's tools and its profile, if nvcc is one of them and no script that calls another one.
fn toolkit_of(nvcc: &Path) -> Option<(PathBuf, String)> {
    let nvcc = match nvcc.components().count() {
        1 => gpu::on_path(nvcc.to_str()?)?,
        _ => nvcc.to_owned(),
    };
    let nvcc = nvcc.canonicalize().ok()?;
    let tools = nvcc.parent()?.to_owned();
    let profile = fs::read_to_string(tools.join(PROFILE)).ok()?;
    let mut magic = [0; 4];
    fs::File::open(&nvcc).ok()?.read_exact(&mut magic).ok()?;
    let is_program = magic == *b"\x7fELF";
    let has_tools = ["ptxas", "nvlink"]
        .iter()
        .all(|it| tools.join(it).is_file());
    let named = nvcc.file_name()? == "nvcc" && tools.to_str()?.find(['\'', '\n']).is_none();
    (is_program && has_tools && named && profile.contains(ABOVE)).then_some((tools, profile))
}

fn link_tools(entry: &Path, tools: &Path, profile: &str) -> Result<()> {
    for tool in fs::read_dir(tools).map_err(failed(tools))?.flatten() {
        let name = tool.file_name();
        if name != "ptxas" && name != PROFILE {
            let link = entry.join(&name);
            symlink(tool.path(), &link).map_err(failed(&link))?;
        }
    }
    let above = tools.join("..").display().to_string();
    let text = profile.replace(ABOVE, &above);
    let path = entry.join(PROFILE);
    fs::write(&path, text).map_err(failed(&path))?;
    let ptxas = entry.join("ptxas");
    let text = SCRIPT.replace("@TOOLS@", &format!("'{}'", tools.display()));
    fs::write(&ptxas, text).map_err(failed(&ptxas))?;
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&ptxas, executable).map_err(failed(&ptxas))
}

/// Compiles a kernel that calls a function: not every toolkit may work from another directory.
fn compile_kernel(entry: &Path, host: &[OsString]) -> Result<()> {
    let source = entry.join("kernel.cu");
    let text = "static __device__ __noinline__ void set(int* out) { *out = 1; }\n\
                __global__ void kernel(int* out) { set(out); }\n";
    fs::write(&source, text).map_err(failed(&source))?;
    let object = entry.join("kernel.cubin");
    let own = ["-cubin".into(), source.clone().into(), "-o".into()];
    let arguments = [host, &own[..], &[object.clone().into()]].concat();
    quietly(&entry.join("nvcc"), &[], arguments, &object)?;
    for path in [source, object] {
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    Ok(())
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| Error::write(&path, source)
}
