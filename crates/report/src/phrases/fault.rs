//! What a report says of a fault: where an access went, and how it ended.

use super::{count, place, shown_by, triple};
use crate::model::{Allocation, Fault};

/// The course of a fault, and which of so many schedules showed it.
pub(crate) fn course(fault: &Fault, schedules: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if fault.code == "HF019" {
        let (threads, verb) = match fault.occurrences {
            // The sum of several schedules.
            _ if fault.seeds.len() > 1 => ("threads".to_owned(), "wait"),
            1 => ("one thread".to_owned(), "waits"),
            more => (format!("{more} threads"), "wait"),
        };
        lines.push(format!(
            "{threads} {verb} here forever; no other thread can end that"
        ));
    }
    let freed = if fault.code == "HF002" {
        "a freed"
    } else {
        "an"
    };
    lines.extend(address(fault));
    let missed = fault.allocation.as_ref();
    lines.extend(missed.map(|it| allocation(it, freed)));
    let home = fault.position.file.as_deref();
    lines.extend(place::calls(&fault.position, home).map(|it| format!("in {it}")));
    let other = fault.other.as_ref().and_then(|it| place::calls(it, home));
    lines.extend(other.map(|it| format!("the other place is in {it}")));
    let launch = fault.launch.as_ref();
    lines.extend(launch.map(|it| place::launch(it, home)));
    lines.extend(fault.process.as_ref().map(place::process));
    if fault.ended {
        lines.push("the run ended there".to_owned());
    } else {
        // Such an access cannot be made, and what follows may depend on it.
        let ends_thread = ["HF003", "HF011"].contains(&fault.code.as_ref());
        let then = match fault.occurrences {
            _ if !ends_thread => "",
            1 => "; the thread ended there",
            _ => "; each time, the thread ended there",
        };
        lines.push(format!("seen {}{then}", count(fault.occurrences, "time")));
    }
    lines.extend(shown_by(&fault.seeds, schedules));
    lines
}

/// What is wrong with the address of a fault, if that can be seen from the number.
fn address(fault: &Fault) -> Option<String> {
    const FIRST_PAGES: u64 = 1 << 16;
    const KERNEL: u64 = 0xffff_8000_0000_0000;
    let digits = fault.address.as_deref().unwrap_or("0x0");
    let address = u64::from_str_radix(digits.trim_start_matches("0x"), 16).ok()?;
    let size = fault.allocation.as_ref().and_then(|it| it.access_bytes);
    match (&*fault.code, address, size) {
        ("HF003", 0, _) => Some("the address is that of a null pointer".to_owned()),
        ("HF003", KERNEL.., _) => Some("no program has memory at such an address".to_owned()),
        ("HF003", 1..FIRST_PAGES, _) => {
            let beyond = count(address, "byte");
            Some(format!(
                "the address is {beyond} after that of a null pointer"
            ))
        }
        ("HF011", _, Some(size)) if address % u64::from(size) != 0 => {
            let beyond = count(address % u64::from(size), "byte");
            Some(format!(
                "the address is {beyond} after a multiple of {size}"
            ))
        }
        _ => None,
    }
}

/// Bytes beyond which an allocation is hardly the one that was meant, if that is not larger itself.
const FAR: u64 = 4096;

/// Where an access misses an allocation or a variable.
fn allocation(it: &Allocation, which: &str) -> String {
    if let Some(owner) = it.owner {
        let memory = format!("the shared memory of block {}", triple(owner));
        return match it.element.as_ref().or(it.variable.as_ref()) {
            Some(element) => format!("at `{element}` in {memory}"),
            None => format!("{} into {memory}", count(it.offset.unsigned_abs(), "byte")),
        };
    }
    let past = u64::try_from(it.offset).map(|offset| (offset, offset.checked_sub(it.bytes)));
    let place = match past {
        Ok((_, Some(0))) => "right after".to_owned(),
        Ok((_, Some(past))) => format!("{} after", count(past, "byte")),
        Ok((0, None)) => "at the start of".to_owned(),
        Ok((offset, None)) => format!("{} into", count(offset, "byte")),
        Err(_) => format!("{} before", count(it.offset.unsigned_abs(), "byte")),
    };
    // Whose access it was meant to be is a guess.
    let limit = it.bytes.max(FAR);
    let is_far = matches!(past, Ok((_, Some(past))) if past > limit);
    let what = match (&it.variable, it.shared) {
        (_, true) if it.bytes == 0 => {
            return "the launch asks for no dynamic shared memory".to_owned();
        }
        (Some(name), _) => format!("`{name}`"),
        (None, true) => "the dynamic shared memory".to_owned(),
        (None, false) if is_far => "the nearest allocation,".to_owned(),
        (None, false) => format!("{which} allocation"),
    };
    let bytes = count(it.bytes, "byte");
    if let Some(element) = &it.element {
        return format!("at `{element}`, {place} {what} of {bytes}");
    }
    // Both the memory and the place have whole elements of the size of the access.
    let size = it.access_bytes.map(u64::from).filter(|&size| {
        size > 1 && it.bytes.is_multiple_of(size) && it.offset.unsigned_abs().is_multiple_of(size)
    });
    let element = size.map_or_else(String::new, |size| {
        let sign = if it.offset < 0 { "-" } else { "" };
        let index = it.offset.unsigned_abs() / size;
        format!(
            " (element {sign}{index} of {}, {size} bytes each)",
            it.bytes / size
        )
    });
    let by = it.file.as_ref().zip(it.line);
    let mut by = by.map_or_else(String::new, |(file, line)| {
        format!(", allocated at {file}:{line}")
    });
    if let Some(parameter) = &it.parameter {
        by += &format!(", passed as `{parameter}`");
    }
    // Of an access that begins inside.
    let inside = past.ok().filter(|it| it.1.is_none()).zip(it.access_bytes);
    let beyond = inside.map(|((offset, _), size)| (size, offset + u64::from(size)));
    let beyond = beyond.and_then(|(size, end)| Some((size, end.checked_sub(it.bytes)?)));
    let beyond = beyond.filter(|it| it.1 > 0);
    let beyond = beyond.map_or_else(String::new, |(size, beyond)| {
        let verb = if beyond == 1 { "lies" } else { "lie" };
        format!(
            "; of {}, {beyond} {verb} past its end",
            count(size.into(), "byte")
        )
    });
    format!("{place} {what} of {bytes}{element}{by}{beyond}")
}
