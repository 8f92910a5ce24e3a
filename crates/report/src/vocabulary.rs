//! What functions of CUDA C++ are called in Python, for the help of reports on kernels of Numba and Triton.

use super::model::{Input, Race, Report};

/// The language of a kernel in Python.
#[derive(Clone, Copy)]
enum Language {
    Numba,
    Triton,
}

/// The names of functions in CUDA C++, in Numba and in Triton. Triton knows no lanes; its barrier is one of all threads.
const NAMES: [[&str; 3]; 10] = [
    [
        "neither `__syncwarp()` nor `__syncthreads()`",
        "neither `cuda.syncwarp()` nor `cuda.syncthreads()`",
        "no `tl.debug_barrier()`",
    ],
    // Of two barriers that would do, one is left.
    [
        "; a `__syncthreads()` serves as well",
        "; a `cuda.syncthreads()` serves as well",
        "",
    ],
    [
        "`__syncthreads()`",
        "`cuda.syncthreads()`",
        "`tl.debug_barrier()`",
    ],
    [
        "`__syncwarp()`",
        "`cuda.syncwarp()`",
        "`tl.debug_barrier()`",
    ],
    ["`__threadfence()`", "`cuda.threadfence()`", ""],
    ["`__threadfence_block()`", "`cuda.threadfence_block()`", ""],
    [
        "`__threadfence_system()`",
        "`cuda.threadfence_system()`",
        "",
    ],
    ["`grid.sync()`", "`cuda.cg.this_grid().sync()`", ""],
    ["`atomicExch`", "`cuda.atomic.exch`", "`tl.atomic_xchg`"],
    ["`atomicCAS`", "`cuda.atomic.cas`", "`tl.atomic_cas`"],
];

impl Report {
    /// Replaces the names of functions in the help of races whose source is in Python.
    pub fn name_functions_as_written(&mut self) {
        if self.input != Input::Ptx {
            return;
        }
        for race in &mut self.races {
            if let Some(language) = language(race) {
                race.help = in_language(&race.help, language);
                race.reason = in_language(&race.reason, language);
            }
        }
    }
}

/// Numba's names of kernels contain those of modules.
fn language(race: &Race) -> Option<Language> {
    let mut files = race
        .accesses
        .iter()
        .filter_map(|it| it.position.file.as_ref());
    let is_python = files.all(|it| it.ends_with(".py"));
    let is_numba = race.kernel.contains("::");
    is_python.then_some(if is_numba {
        Language::Numba
    } else {
        Language::Triton
    })
}

fn in_language(text: &str, language: Language) -> String {
    NAMES.iter().fold(text.to_owned(), |text, names| {
        let [cuda, numba, triton] = *names;
        match language {
            Language::Numba => text.replace(cuda, numba),
            // What it has no name for stays.
            Language::Triton if triton.is_empty() && !cuda.starts_with(';') => text,
            Language::Triton => text.replace(cuda, triton),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Language, in_language};

    #[test]
    fn names_of_barriers() {
        let help = "a `__syncwarp()` orders them; a `__syncthreads()` serves as well";
        assert_eq!(
            in_language(help, Language::Numba),
            "a `cuda.syncwarp()` orders them; a `cuda.syncthreads()` serves as well"
        );
        assert_eq!(
            in_language(help, Language::Triton),
            "a `tl.debug_barrier()` orders them"
        );
        let help = "put a `__threadfence()` before it";
        assert_eq!(in_language(help, Language::Triton), help);
    }
}
