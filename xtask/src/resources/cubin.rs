//! Counting machine instructions (SASS) in a binary for a GPU, which is an ELF file.
//!
//! From compute capability 7.0 on an instruction has 16 bytes, so that none has to be decoded.
//! Functions that a kernel calls lie behind it in its section, with symbols `$KERNEL$FUNCTION`;
//! they do not count.

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol};

const INSTRUCTION_BYTES: usize = 16;

/// An instruction's operation lies in its low bits.
const OPERATION: u64 = 0xfff;
/// What sections are padded with.
const NOP: u64 = 0x918;
/// A branch: to itself, behind a kernel's last instruction.
const BRA: u64 = 0x947;

/// The instructions of a kernel itself, without padding.
///
/// # Errors
/// The bytes are no ELF file, or it has no such kernel.
pub fn instructions(binary: &[u8], kernel: &str) -> Result<usize> {
    let file = object::File::parse(binary).context("no binary for a GPU")?;
    let symbol = file
        .symbols()
        .find(|it| it.name() == Ok(kernel))
        .with_context(|| format!("there is no kernel {kernel}"))?;
    let section = symbol
        .section_index()
        .with_context(|| format!("kernel {kernel} lies in no section"))?;
    let code = file.section_by_index(section)?.data()?;
    let called = format!("${kernel}$");
    let end = file
        .symbols()
        .filter(|it| it.name().is_ok_and(|name| name.starts_with(&called)))
        .map(|it| it.address())
        .min()
        .unwrap_or(code.len() as u64);
    let own = code
        .get(usize::try_from(symbol.address())?..usize::try_from(end)?)
        .with_context(|| format!("kernel {kernel} is not within its section"))?;
    Ok(without_padding(own).len())
}

/// The operations of the instructions in `code`, but for what stands behind the last.
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
    fn what_stands_behind_the_last_instruction_does_not_count() {
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
        assert!(instructions(b"no ELF file", "sum").is_err());
    }
}
