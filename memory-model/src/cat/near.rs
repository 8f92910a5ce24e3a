//! Suggestions for misspelled names.

/// The candidate most similar to `word`, if one is similar enough to be meant. Case is ignored.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = match word.chars().count() {
        // Only in another case.
        1 => 0,
        length => (length / 3).max(1),
    };
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::levenshtein(&word, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}
