//! Output of tests that pass.

/// Prints a line even where the test passes, which `println` does not.
macro_rules! tell {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
pub(crate) use tell;
