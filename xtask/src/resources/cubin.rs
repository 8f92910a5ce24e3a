//! Counts machine instructions (SASS) in a binary for a GPU, which is an ELF file.
//!
//! Since compute capability 7.0 an instruction has 16 bytes, so none has to be decoded. Each kernel and each function
//! has a section of its own.

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SymbolFlags, SymbolKind};

const INSTRUCTION_BYTES: usize = 16;

/// An instruction's operation is in its low bits.
const OPERATION: u64 = 0xfff;
/// The padding of sections.
const NOP: u64 = 0x918;
/// A branch; the one after a kernel's last instruction branches to itself.
const BRA: u64 = 0x947;

/// In a symbol's `st_other`: it is a kernel.
const ENTRY: u8 = 0x10;

/// Numbers of instructions, without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions {
    /// Of the kernel itself.
    pub own: usize,
    /// Of all functions.
    pub called: usize,
}

/// Counts the instructions of a kernel and of the functions in its file.
///
/// # Errors
/// The bytes are not an ELF file, or it has no such kernel.
pub fn instructions(binary: &[u8], kernel: &str) -> Result<Instructions> {
    let file = object::File::parse(binary).context("not a GPU binary")?;
    let mut counted = Instructions { own: 0, called: 0 };
    for symbol in file.symbols().filter(|it| it.kind() == SymbolKind::Text) {
        let is_kernel = match symbol.flags() {
            SymbolFlags::Elf { st_other, .. } => st_other.0 & ENTRY != 0,
            _ => false,
        };
        let of = match symbol.name() == Ok(kernel) {
            true => &mut counted.own,
            false if is_kernel => continue,
            false => &mut counted.called,
        };
        let Some(section) = symbol.section_index() else {
            continue;
        };
        *of += without_padding(file.section_by_index(section)?.data()?).len();
    }
    anyhow::ensure!(counted.own > 0, "there is no kernel {kernel}");
    Ok(counted)
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
    }
}
