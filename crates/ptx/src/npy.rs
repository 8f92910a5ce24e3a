//! The header of NumPy's `.npy` files (NumPy, "NEP 1: A Simple File Format for NumPy Arrays").

use std::path::Path;

/// An array in a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Such as `<f4`.
    pub kind: String,
    /// Its elements are in Fortran's order, columns first.
    pub is_transposed: bool,
    pub shape: Vec<u64>,
    /// Where its values start.
    pub offset: usize,
}

/// Reads the header of a file, and makes sure that the values follow; or says what is wrong.
pub(crate) fn read(path: &Path, kind: &str, bytes_each: u64) -> Result<Header, String> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    let header = parse(&bytes).ok_or_else(|| format!("`{shown}` is not a `.npy` file"))?;
    if header.is_transposed {
        return Err(format!(
            "`{shown}` has its elements in Fortran's order; save `numpy.ascontiguousarray` of the array"
        ));
    }
    if header.kind != kind {
        return Err(format!(
            "`{shown}` has elements of type `{}` instead of `{kind}`",
            header.kind
        ));
    }
    let count = header
        .shape
        .iter()
        .try_fold(1u64, |all, it| all.checked_mul(*it));
    let size = count.and_then(|it| it.checked_mul(bytes_each));
    let held = (bytes.len() - header.offset) as u64;
    match size.is_some_and(|it| it <= held) {
        true => Ok(header),
        false => Err(format!("`{shown}` is shorter than its header says")),
    }
}

fn parse(bytes: &[u8]) -> Option<Header> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (version, rest) = rest.split_at_checked(2)?;
    let width = if version[0] == 1 { 2 } else { 4 };
    let (length, rest) = rest.split_at_checked(width)?;
    let mut number = [0; 4];
    number[..width].copy_from_slice(length);
    let length = u32::from_le_bytes(number) as usize;
    let text = std::str::from_utf8(rest.get(..length)?).ok()?;
    let after = |key: &str| {
        text.split_once(key)
            .map(|it| it.1.trim_start_matches([':', ' ']))
    };
    let order = after("'fortran_order'")?;
    let kind = after("'descr'")?.strip_prefix('\'')?.split_once('\'')?.0;
    let shape = after("'shape'")?.strip_prefix('(')?.split_once(')')?.0;
    let parts = shape.split(',').map(str::trim).filter(|it| !it.is_empty());
    let shape: Option<Vec<u64>> = parts.map(|it| it.parse().ok()).collect();
    Some(Header {
        kind: kind.replace('|', "<"),
        is_transposed: !order.starts_with("False"),
        shape: shape?,
        offset: bytes.len() - rest.len() + length,
    })
}

/// The header of a new file.
pub(crate) fn header(kind: &str, shape: &[u64]) -> Vec<u8> {
    let mut dimensions: Vec<String> = shape.iter().map(u64::to_string).collect();
    if let [only] = &mut dimensions[..] {
        only.push(',');
    }
    let kind = if kind.ends_with('1') {
        kind.replace('<', "|")
    } else {
        kind.to_owned()
    };
    let mut text = format!(
        "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}",
        dimensions.join(", ")
    );
    // The values start at a multiple of 64.
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    out.extend(text.as_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::{Header, header, parse};

    #[test]
    fn a_written_header_is_read_back() {
        for (kind, shape) in [("<f4", vec![64, 128]), ("<u1", vec![3]), ("<i8", vec![])] {
            let bytes = header(kind, &shape);
            assert_eq!(bytes.len() % 64, 0);
            let expected = Header {
                kind: kind.to_owned(),
                is_transposed: false,
                shape,
                offset: bytes.len(),
            };
            assert_eq!(parse(&bytes), Some(expected));
        }
        assert_eq!(parse(b"\x93NUMPY\x01\x00\xff\xff{"), None);
    }
}
