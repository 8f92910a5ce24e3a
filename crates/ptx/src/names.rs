//! Names as people know them (Itanium C++ ABI, "Mangling"; Numba's follow it).

/// `softmax` for `_Z7softmaxPf`, `s` for `_ZZ7softmaxPfE1s`, `a::k` for `_ZN1a1kEv`; a name that is not
/// mangled, or in another way, stays as it is.
pub(crate) fn plain(symbol: &str) -> String {
    decoded(symbol).unwrap_or_else(|| symbol.to_owned())
}

fn decoded(symbol: &str) -> Option<String> {
    let encoding = symbol.strip_prefix("_Z")?;
    if let Some(local) = encoding.strip_prefix('Z') {
        // The function's encoding ends with an `E` that a name follows.
        let places = local.match_indices('E').map(|(at, _)| &local[at + 1..]);
        let mut named = places.filter_map(|rest| {
            let (name, rest) = component(rest)?;
            (rest.is_empty() || rest.starts_with('_')).then(|| name.to_owned())
        });
        return named.next();
    }
    let nested = encoding.strip_prefix('N');
    let Some(mut rest) = nested else {
        return component(encoding.trim_start_matches('L')).map(|it| it.0.to_owned());
    };
    let mut path = Vec::new();
    while let Some((name, after)) = component(rest.trim_start_matches('L')) {
        if !name.starts_with("_GLOBAL__N_") && !name.starts_with("_INTERNAL_") {
            path.push(name);
        }
        rest = after;
    }
    (!path.is_empty()).then(|| path.join("::"))
}

/// `3abc…` as `abc` and the rest.
fn component(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|it: char| !it.is_ascii_digit())?;
    let length: usize = text[..digits].parse().ok()?;
    let end = digits.checked_add(length)?;
    Some((text.get(digits..end)?, text.get(end..)?))
}

/// A name as part of a C++ identifier.
pub(crate) fn identifier(name: &str) -> String {
    name.replace('$', "_S")
        .replace('%', "_P")
        .replace('.', "_D")
}

/// The C++ name of a function.
pub(crate) fn cpp_function(name: &str) -> String {
    format!("hirace_f_{}", identifier(name))
}

/// The address of a function as a number.
pub(crate) fn function_address(name: &str) -> String {
    format!("reinterpret_cast<std::uintptr_t>(&{})", cpp_function(name))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names() {
        for (symbol, name) in [
            ("softmax", "softmax"),
            ("_Z7softmaxPf", "softmax"),
            ("_ZZ7softmaxPfE1s", "s"),
            ("_ZZN1a1kEvE4tile_0", "tile"),
            ("_ZN1a1kEv", "a::k"),
            ("_Z", "_Z"),
            ("_Z99x", "_Z99x"),
        ] {
            assert_eq!(super::plain(symbol), name, "{symbol}");
        }
    }
}
