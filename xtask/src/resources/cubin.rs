//! Counts machine instructions (SASS) in a binary for a GPU, which is an ELF file.
//!
//! Since compute capability 7.0 an instruction has 16 bytes, so none has to be decoded. Functions
//! that a kernel calls follow it in its section, with symbols `$KERNEL$FUNCTION`.

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol};

const INSTRUCTION_BYTES: usize = 16;

/// An instruction's operation is in its low bits.
const OPERATION: u64 = 0xfff;
/// The padding of sections.
const NOP: u64 = 0x918;
/// A branch; the one after a kernel's last instruction branches to itself.
const BRA: u64 = 0x947;

/// Numbers of instructions, without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions {
    /// Of the kernel itself.
    pub own: usize,
    /// Of all functions that it calls.
    pub called: usize,
}

/// Counts the instructions of a kernel and of the functions that it calls.
///
/// # Errors
/// The bytes are not an ELF file, or it has no such kernel.
pub fn instructions(binary: &[u8], kernel: &str) -> Result<Instructions> {
    let file = object::File::parse(binary).context("not a GPU binary")?;
    let symbol = file
        .symbols()
        .find(|it| it.name() == Ok(kernel))
        .with_context(|| format!("there is no kernel {kernel}"))?;
    let section = symbol
        .section_index()
        .with_context(|| format!("kernel {kernel} is in no section"))?;
    let code = file.section_by_index(section)?.data()?;
    let called = format!("${kernel}$");
    let functions = file
        .symbols()
        .filter(|it| it.name().is_ok_and(|name| name.starts_with(&called)));
    let mut begins = vec![symbol.address()];
    begins.extend(functions.map(|it| it.address()));
    count(code, begins).with_context(|| format!("kernel {kernel} is not within its section"))
}

/// Counts the instructions of the function at the first of the offsets, and of the others.
fn count(code: &[u8], mut begins: Vec<u64>) -> Option<Instructions> {
    let own = begins[0];
    begins.push(code.len() as u64);
    begins.sort_unstable();
    let mut counted = Instructions { own: 0, called: 0 };
    for range in begins.windows(2) {
        let function =
            code.get(usize::try_from(range[0]).ok()?..usize::try_from(range[1]).ok()?)?;
        let instructions = without_padding(function).len();
        if range[0] == own {
            counted.own += instructions;
        } else {
            counted.called += instructions;
        }
    }
    Some(counted)
}

/// The operations of the instructions in `code`, without the padding after the last.
fn without_padding(code: &[u8]) -> Vec<u64> {
    let low = |it: &[u8]| it.first_chunk().copied().map(u64::from_le_bytes);
    let instructions = code.chunks_exact(INSTRUCTION_BYTES);
    let mut operations: Vec<u64> = instructions
        .filter_map(|it| Some(low(it)? & OPERATION))
        .collect();
    while operations.pop_if(|it| *it == NOP).is_some() {}
    operations.pop_if(|it| *it == BRA);
    operations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_after_the_last_instruction_does_not_count() {
        // S2R, NOP within code, EXIT, BRA, NOP, NOP, as sm_90 has them, with their upper halves.
        let words: [u64; 6] = [
            0x0000_0000_0007_7919,
            0x0000_0000_0000_7918,
            0x0000_0000_0000_794d,
            0xffff_fffc_00fc_7947,
            0x0000_0000_0000_7918,
            0x0000_0000_0000_7918,
        ];
        let code: Vec<u8> = words
            .iter()
            .flat_map(|it| [it.to_le_bytes(), [0x80; 8]].concat())
            .collect();
        assert_eq!(without_padding(&code), [0x919, NOP, 0x94d]);
        assert_eq!(without_padding(&code[..3 * INSTRUCTION_BYTES]).len(), 3);
        assert!(without_padding(&[]).is_empty());
        assert!(instructions(b"not an ELF file", "sum").is_err());
        // The kernel's own code, followed by two copies of it.
        let code = code.repeat(3);
        let begins = vec![0, 2 * 96, 96];
        let counted = Instructions { own: 3, called: 6 };
        assert_eq!(count(&code, begins), Some(counted));
        assert_eq!(count(&code, vec![1000]), None);
    }
}
