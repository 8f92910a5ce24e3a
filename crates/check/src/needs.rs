//! Headers that a program includes and that are not there, and names that only have an advice.

use hirace_model::error::{BuildStep, Error};

/// What generated headers say of a library that the executor does not have
/// (`crates/instrument/build.rs`).
const UNSUPPORTED: &str = " is not supported by the CPU executor: ";

/// A compiler's error as one about the header that it lacks, if that is its cause.
pub(crate) fn explained(error: Error) -> Error {
    match error {
        Error::Compile {
            step: BuildStep::Compile,
            compiler,
            output,
        } => match missing(&output) {
            Some(Missing {
                what,
                header,
                verb,
                place,
                advice,
            }) => Error::NeedsHeader {
                what,
                header,
                verb,
                place: place.into(),
                advice,
                output: output.into(),
            },
            None => Error::Compile {
                step: BuildStep::Compile,
                compiler,
                output,
            },
        },
        other => other,
    }
}

struct Missing {
    what: String,
    header: String,
    verb: &'static str,
    place: String,
    advice: String,
}

/// The first header that the compiler did not find.
fn missing(output: &str) -> Option<Missing> {
    let mut includer = "";
    for line in output.lines() {
        let from = ["In file included from ", "                 from "];
        if let Some(place) = from.iter().find_map(|it| line.strip_prefix(it)) {
            // The last line is about the program's file, the first about a header.
            includer = place.trim_end_matches([',', ':']);
        }
        if let Some((_, text)) = line.split_once("hirace: ")
            && let Some((subject, advice)) = text.split_once(UNSUPPORTED)
        {
            // Either a header says it, or the declaration of a name, where the program uses it.
            let header = subject.split_once(" (");
            let (what, name) = header.unwrap_or((subject, subject));
            let use_of_name = line.split_once(": error: ").map_or("", |(place, _)| place);
            return Some(Missing {
                what: format!("{what}, which the CPU executor does not have"),
                header: name.trim_matches([')', '<', '>']).to_owned(),
                verb: header.map_or("uses", |_| "includes"),
                place: header.map_or(use_of_name, |_| includer).to_owned(),
                advice: advice.trim_end_matches('"').to_owned(),
            });
        }
        let Some((place, text)) = line.split_once(": fatal error: ") else {
            continue;
        };
        let gcc = text.strip_suffix(": No such file or directory");
        let clang = text
            .strip_suffix("' file not found")
            .map(|it| it.trim_start_matches('\''));
        let Some(header) = gcc.or(clang) else {
            continue;
        };
        return Some(Missing {
            what: library(header).map_or_else(|| format!("`{header}`"), str::to_owned),
            header: header.to_owned(),
            verb: "includes",
            place: place.to_owned(),
            advice: "install what it belongs to, and name its directory with `-Idirectory`"
                .to_owned(),
        });
    }
    None
}

/// Well-known libraries by the beginnings of their headers' paths.
const LIBRARIES: [(&str, &str); 22] = [
    ("mpi.h", "MPI"),
    ("opencv2/", "OpenCV"),
    ("opencv", "OpenCV"),
    ("GL/glew", "GLEW"),
    ("GL/freeglut", "GLUT"),
    ("GL/glut", "GLUT"),
    ("GL/", "OpenGL"),
    ("GLFW/", "GLFW"),
    ("boost/", "Boost"),
    ("Eigen/", "Eigen"),
    ("gtest/", "GoogleTest"),
    ("gflags/", "gflags"),
    ("hdf5", "HDF5"),
    ("fftw3", "FFTW"),
    ("cblas", "CBLAS"),
    ("lapacke", "LAPACKE"),
    ("helper_", "the CUDA samples' common headers"),
    ("cutlass/", "CUTLASS"),
    ("cute/", "CUTLASS"),
    ("torch/", "PyTorch"),
    ("nvshmem", "NVSHMEM"),
    ("nvml.h", "NVML"),
];

fn library(header: &str) -> Option<&'static str> {
    let known = LIBRARIES
        .iter()
        .find(|(start, _)| header.starts_with(start));
    known.map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, expected: &str) {
        let error = explained(Error::Compile {
            step: BuildStep::Compile,
            compiler: "c++".to_owned(),
            output: output.to_owned(),
        });
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn headers_that_are_missing() {
        check(
            "a.cu:2: fatal error: mpi.h: No such file or directory\ncompilation terminated.",
            "the program needs MPI: a.cu:2 includes `mpi.h`",
        );
        check(
            "a.cu:2: fatal error: 'own.h' file not found\n",
            "the program needs `own.h`: a.cu:2 includes `own.h`",
        );
        check(
            "In file included from a.cu:1:\n/x/cufft.h:7: error: #error \"hirace: cuFFT (cufft.h) is \
             not supported by the CPU executor: replace it\"\n",
            "the program needs cuFFT, which the CPU executor does not have: a.cu:1 includes `cufft.h`",
        );
        check(
            "In file included from a.cu:1:\nown.h: In function ‘int f()’:\nown.h:9: error: ‘cudaIpcMemHandle_t’ is \
             unavailable: hirace: cudaIpcMemHandle_t is not supported by the CPU executor: it runs one process\n",
            "the program needs cudaIpcMemHandle_t, which the CPU executor does not have: own.h:9 uses \
             `cudaIpcMemHandle_t`",
        );
        check("a.cu:2: error: x", "`c++` could not compile the program");
    }
}
