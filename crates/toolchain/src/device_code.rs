//! How a C++ compiler has to treat device code: what C++ leaves undefined and nvcc does not, and warnings.

/// Options about warnings, to follow the program's own: `-Wall -Werror` is for host code.
///
/// nvcc hands the host's compiler no body of a device function, and no pragma for device code such as
/// `#pragma unroll`. Here that compiler reads both, and nothing that only it warns of may end a build.
#[must_use]
pub fn warnings() -> [&'static str; 2] {
    ["-Wno-unknown-pragmas", "-Wno-error"]
}

/// Options about what the compiler tells of instrumented text, to its user and in debug information.
///
/// - Columns and carets would refer to the instrumented text, under the user's line number.
/// - Where variables are at each instruction takes a quarter of GCC's time, and reports need only lines and inlined
///   functions.
#[must_use]
pub(super) fn messages(is_gcc: bool) -> Vec<&'static str> {
    match is_gcc {
        true => vec![
            "-fno-var-tracking",
            "-fno-show-column",
            "-fno-diagnostics-show-caret",
        ],
        false => vec!["-fno-show-column", "-fno-caret-diagnostics"],
    }
}

/// Options for device code, of GCC and its relatives.
///
/// - A function with a large frame touches each page of it, in order. Otherwise it may skip the guard below
///   the stack of a CUDA thread, and change the stack of another one.
/// - nvcc's device code wraps around where signed integers overflow, may access an object through pointers of
///   several types, and does not derive the end of a loop from what would be undefined: programs rely on that, such
///   as random generators, views of shared memory, and loops over rows of an array.
/// - A call at the end of a function leaves that function on the stack, where a report of its accesses looks for it;
///   equal calls of two branches stay two. Clang has no option for the latter.
/// - A function that ends without the value it should return goes on in its caller, which may not need it. An
///   optimising C++ compiler removes what leads there. GCC has no option against that, but it does not do so where
///   it checks only what is marked as unreachable.
#[must_use]
pub fn device_code(is_gcc: bool) -> Vec<&'static str> {
    let mut options = vec![
        "-fstack-clash-protection",
        "-fwrapv",
        "-fno-strict-aliasing",
        "-fno-optimize-sibling-calls",
    ];
    match is_gcc {
        true => options.extend([
            "-fno-aggressive-loop-optimizations",
            "-fno-tree-tail-merge",
            "-fno-crossjumping",
            "-fsanitize=unreachable",
            "-fno-sanitize=return",
            "-fsanitize-undefined-trap-on-error",
        ]),
        false => options.push("-fno-strict-return"),
    }
    options
}
