//! What inline PTX declares: registers, and the variables of calls.

/// The maximum number of registers that one declaration may expand to.
const MAX_REGISTERS: usize = 256;

/// A register's name and its type.
pub type Register = (String, String);

/// A variable in the space of parameters, which passes a value to a function or back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u32,
    /// Its alignment in bytes.
    pub align: u32,
}

/// `.u32 a, b<4>`.
pub(super) fn registers(text: &str, out: &mut Vec<Register>) -> Option<()> {
    let text = text.trim_start().strip_prefix('.')?;
    let end = text.find(char::is_whitespace)?;
    let (kind, names) = text.split_at(end);
    let mut declare = |name: String| {
        let known = out.iter().find(|it| it.0 == name);
        match known {
            Some(known) if known.1 != kind => None,
            Some(_) => Some(()),
            None => {
                out.push((name, kind.to_owned()));
                Some(())
            }
        }
    };
    for name in names.split(',') {
        let name = name.trim().trim_start_matches('%');
        match name.split_once('<') {
            Some((stem, count)) => {
                let count = count.trim_end_matches('>').trim().parse::<usize>();
                let count = count.ok().filter(|it| *it <= MAX_REGISTERS);
                for number in 0..count? {
                    declare(format!("{stem}{number}"))?;
                }
            }
            None if is_name(name) => declare(name.to_owned())?,
            None => return None,
        }
    }
    Some(())
}

/// `.b32 a`, `.align 8 .b8 a[16]`.
pub(super) fn parameter(text: &str) -> Option<Parameter> {
    let mut words = text.split_whitespace();
    let mut word = words.next()?;
    let mut align = None;
    if word == ".align" {
        align = Some(
            words
                .next()?
                .parse::<u32>()
                .ok()
                .filter(|it| it.is_power_of_two())?,
        );
        word = words.next()?;
    }
    let element = bytes_of(word.strip_prefix('.')?)?;
    let declared = words.collect::<String>();
    let (name, count) = match declared.split_once('[') {
        Some((name, count)) => (name, count.strip_suffix(']')?.parse().ok()?),
        None => (&*declared, 1),
    };
    is_name(name).then(|| Parameter {
        name: name.to_owned(),
        bytes: element.saturating_mul(count),
        align: align.unwrap_or(element),
    })
}

pub(super) fn is_name(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// The size of a type such as `u32` or `f16x2`.
pub(super) fn bytes_of(kind: &str) -> Option<u32> {
    let digits = kind
        .trim_start_matches("bf")
        .trim_start_matches(['b', 'u', 's', 'f']);
    if digits.len() == kind.len() {
        return None;
    }
    let (bits, count) = digits.split_once('x').unwrap_or((digits, "1"));
    let bits: u32 = bits.parse().ok()?;
    let count: u32 = count.parse().ok()?;
    let known = matches!(bits, 8 | 16 | 32 | 64 | 128) && matches!(count, 1 | 2 | 4);
    known.then_some(bits / 8 * count)
}
