//! The memory that an access touched, as an element of a variable or of an allocation.

use crate::model::Element;
use crate::records::{Entry, Whereabouts};
use crate::run::Run;

/// The element of a record; `None` if it is unknown.
pub(super) fn element(entry: &Entry, run: &Run<'_>) -> Option<Element> {
    let place = &entry.whereabouts;
    let bytes = place.object_bytes;
    let offset = place.object_offset;
    if offset >= bytes {
        return None;
    }
    let size = u64::from(entry.current.size);
    let elements =
        Some(size).filter(|&it| it > 0 && bytes.is_multiple_of(it) && offset.is_multiple_of(it));
    if place.variable != 0 {
        let variable = run.tables.variable(place.variable)?;
        let name = &variable.name;
        // A launch's bytes, of which kernels make arrays of other types.
        if variable.is_dynamic && size > place.element_bytes.into() {
            return Some(Element {
                variable: Some(name.clone()),
                text: None,
                index: Vec::new(),
                bytes,
                offset,
                element_bytes: elements,
                file: None,
                line: None,
            });
        }
        let index = index(place);
        let brackets: String = index.iter().map(|it| format!("[{it}]")).collect();
        return Some(Element {
            variable: Some(name.clone()),
            text: Some(format!("{name}{brackets}")),
            index: index.iter().map(|it| it.unsigned_abs()).collect(),
            bytes,
            offset,
            element_bytes: Some(place.element_bytes.into()),
            file: None,
            line: None,
        });
    }
    let line = run.records.line(entry, place.allocated_by);
    let parameter = run.tables.variable(place.parameter);
    Some(Element {
        variable: parameter.map(|it| it.name.clone()),
        text: None,
        index: Vec::new(),
        bytes,
        offset,
        element_bytes: elements,
        file: line.map(|it| it.file.clone()),
        line: line.map(|it| it.line),
    })
}

/// What an index beyond an array means, as in C++; `None` for a variable that is no array. Before the first row and
/// beyond the last one, only the first index is outside.
pub(super) fn beyond(place: &Whereabouts, name: &str) -> Option<String> {
    let index = index(place);
    let brackets: String = index.iter().map(|it| format!("[{it}]")).collect();
    (!index.is_empty()).then(|| format!("{name}{brackets}"))
}

/// The index in each dimension of an array.
fn index(place: &Whereabouts) -> Vec<i64> {
    let extents = place.extents.iter().take_while(|&&it| it > 0);
    let element = i64::from(place.element_bytes.max(1));
    let mut rest = place.object_offset.cast_signed().div_euclid(element);
    let mut index: Vec<i64> = Vec::new();
    let inner = extents.skip(1).collect::<Vec<_>>();
    for &extent in inner.into_iter().rev() {
        index.push(rest.rem_euclid(i64::from(extent)));
        rest = rest.div_euclid(i64::from(extent));
    }
    if place.extents[0] > 0 {
        index.push(rest);
    }
    index.reverse();
    index
}
