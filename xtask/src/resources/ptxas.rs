//! Reads the output of `ptxas -v`, and that of `nvlink -v` where it links functions and kernels.

use anyhow::{Context, Result};

/// The resources of a kernel, including those of the functions that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of spill stores and loads per thread, in the kernel and all functions of its file.
    pub spilled: u32,
    /// Bytes of the deepest stack per thread.
    pub stack: u32,
    /// Bytes of static shared memory.
    pub shared: u32,
}

/// The usage of a kernel, from the messages on a file with that kernel only.
///
/// # Errors
/// The messages are not those of such a file.
pub fn usage_of(messages: &str, kernel: &str) -> Result<Usage> {
    let mut entries = messages
        .lines()
        .filter(|it| it.contains("Compiling entry function"));
    let one = entries.next().is_some_and(|it| it.contains(kernel)) && entries.next().is_none();
    let linked =
        |line: &str| line.starts_with("nvlink info") && line.contains("Function properties");
    let after = messages
        .lines()
        .skip_while(|it| !(linked(it) && it.contains(kernel)));
    let used = after
        .chain(messages.lines())
        .find(|it| it.contains(": Used ") || it.contains(": used "));
    let used = used.filter(|_| one);
    let used = used.with_context(|| format!("not the messages on kernel {kernel}:\n{messages}"))?;
    let of = |name| number_before(used, name);
    let spilled = ["bytes spill stores", "bytes spill loads"];
    Ok(Usage {
        registers: of("registers").with_context(|| format!("no registers: {used}"))?,
        spilled: messages
            .lines()
            .flat_map(|line| spilled.map(|name| number_before(line, name).unwrap_or(0)))
            .sum(),
        stack: of("bytes cumulative stack size")
            .or(of("stack,"))
            .unwrap_or(0),
        shared: of("bytes smem").unwrap_or(0),
    })
}

/// The number in front of `name`, as in `24 registers`.
fn number_before(line: &str, name: &str) -> Option<u32> {
    let before = line[..line.find(name)?].trim_end();
    let digits = before.rsplit(|it: char| !it.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = "\
ptxas info    : 1456 bytes gmem
ptxas info    : Compiling entry function '_Z3sumPf' for 'sm_90'
ptxas info    : Function properties for _Z3sumPf
    128 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 62 registers, used 1 barriers, 128 bytes cumulative stack size, 4272 bytes smem, 384 bytes cmem[0]
ptxas info    : Function properties for _ZN6hirace3gpu10add_recordE
    0 bytes stack frame, 16 bytes spill stores, 0 bytes spill loads
";

    #[test]
    fn usage_is_that_of_the_kernel_and_spills_are_those_of_all_functions() {
        let usage = Usage {
            registers: 62,
            spilled: 28,
            stack: 128,
            shared: 4272,
        };
        assert_eq!(usage_of(MESSAGES, "sum").unwrap(), usage);
        let small = "ptxas info : Compiling entry function '_Z3sumPf' for 'sm_80'\nptxas info : Used 8 registers\n";
        let usage = usage_of(small, "sum").unwrap();
        assert_eq!((usage.registers, usage.stack, usage.shared), (8, 0, 0));
    }

    #[test]
    fn linked_functions_count_with_their_kernel() {
        let linked = "\
ptxas info    : Compiling entry function '_Z3sumPf' for 'sm_90'
ptxas info    : Used 24 registers, used 1 barriers
nvlink info    : Function properties for '_Z3sumPf':
nvlink info    : used 62 registers, used 1 barriers, 728 stack, 5552 bytes smem, 377 bytes cmem[0], 0 bytes lmem
";
        let usage = usage_of(linked, "sum").unwrap();
        assert_eq!(
            (usage.registers, usage.stack, usage.shared),
            (62, 728, 5552)
        );
    }

    #[test]
    fn messages_on_other_files_are_refused() {
        assert!(usage_of(MESSAGES, "scan").is_err());
        assert!(usage_of(&format!("{MESSAGES}{MESSAGES}"), "sum").is_err());
        assert!(usage_of("", "sum").is_err());
    }
}
