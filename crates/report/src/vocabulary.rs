//! Names as they are in Python: those of kernels, and what functions of CUDA C++ are called there, for the help.

use super::model::{Input, Position, Race, Report};

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
    /// Replaces the names of kernels whose source is in Python, and those of functions in the help of their races.
    pub fn name_as_written(&mut self) {
        if self.input != Input::Ptx {
            return;
        }
        for race in &mut self.races {
            if let Some(language) = language(race) {
                race.help = in_language(&race.help, language);
                race.reason = in_language(&race.reason, language);
                race.kernel = function_name(&race.kernel).to_owned();
            }
        }
        for fault in &mut self.faults {
            name_kernel(&mut fault.kernel, &fault.position);
        }
        if let Some(failure) = &mut self.failure {
            let position = failure.position.clone().unwrap_or_default();
            name_kernel(&mut failure.kernel, &position);
        }
    }
}

fn name_kernel(kernel: &mut Option<String>, position: &Position) {
    if let Some(name) = kernel.as_mut().filter(|_| is_python(position)) {
        *name = function_name(name).to_owned();
    }
}

fn is_python(position: &Position) -> bool {
    position.file.as_ref().is_none_or(|it| it.ends_with(".py"))
}

/// `reverse` for `__main__::reverse`, as Numba's names of kernels contain those of modules and functions around them.
fn function_name(kernel: &str) -> &str {
    kernel.rsplit("::").next().unwrap_or(kernel)
}

fn language(race: &Race) -> Option<Language> {
    let is_python = race.accesses.iter().all(|it| is_python(&it.position));
    let is_numba = function_name(&race.kernel) != race.kernel;
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
    use super::{Language, function_name, in_language};

    #[test]
    fn names_of_kernels() {
        assert_eq!(function_name("__main__::reverse"), "reverse");
        assert_eq!(function_name("tests::f::_3clocals_3e::k"), "k");
        assert_eq!(function_name("row_sums"), "row_sums");
    }

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
