use super::*;

const SOURCES: [(&str, &[&str]); 2] = [
    (
        "pull_node_neighbors_block",
        &[
            "",
            "long",
            "shfl",
            "syncBug",
            "shfl_syncBug",
            "cond",
            "cond_shfl",
            "long_cond_shfl",
            "boundsBug",
        ],
    ),
    ("path_compression", &["", "char", "raceBug", "char_raceBug"]),
];

fn parse(text: &str) -> Result<Selection> {
    Selection::parse(text, Path::new("configure.txt"))
}

/// The tags of the selected programs, one source per line.
#[track_caller]
fn check(bug: &str, pattern: &str, option: &str, data_type: &str, expect: [&[&str]; 2]) {
    let selection = parse(&format!(
        "** words\n**/\nCODE:\n  bug: {{{bug}}}\n  pattern:\t{{{pattern}}}\n  \
         option: {{{option}}}\n  dataType: {{{data_type}}}\nINPUTS:\n  pattern: {{star}}\n"
    ))
    .unwrap();
    let selected = SOURCES.map(|(stem, programs)| {
        let is_selected = |tags: &&&str| {
            let name = match **tags {
                "" => stem.to_owned(),
                tags => format!("{stem}_{tags}"),
            };
            selection.has_source(stem) && selection.has_program(stem, &name)
        };
        programs
            .iter()
            .filter(is_selected)
            .copied()
            .collect::<Vec<_>>()
    });
    assert_eq!(selected, expect);
}

#[track_caller]
fn check_mistake(text: &str, expect: &str) {
    assert_eq!(parse(text).unwrap_err().to_string(), expect);
}

#[test]
fn everything_but_shuffles_without_a_barrier() {
    let pull = [
        "",
        "long",
        "shfl",
        "syncBug",
        "cond",
        "cond_shfl",
        "long_cond_shfl",
        "boundsBug",
    ];
    check("all", "all", "all", "all", [&pull, SOURCES[1].1]);
    check("hasbug, nobug", "all", "all", "all", [&pull, SOURCES[1].1]);
}

#[test]
fn bugs() {
    check(
        "hasbug",
        "all",
        "all",
        "all",
        [&["syncBug", "boundsBug"], &["raceBug", "char_raceBug"]],
    );
    check(
        "nobug",
        "all",
        "all",
        "all",
        [
            &["", "long", "shfl", "cond", "cond_shfl", "long_cond_shfl"],
            &["", "char"],
        ],
    );
}

#[test]
fn patterns_are_parts_of_names() {
    check(
        "hasbug",
        "pull",
        "all",
        "all",
        [&["syncBug", "boundsBug"], &[]],
    );
    check(
        "hasbug",
        "push, compress",
        "all",
        "all",
        [&[], &["raceBug", "char_raceBug"]],
    );
    check(
        "hasbug",
        "",
        "all",
        "all",
        [&["syncBug", "boundsBug"], &["raceBug", "char_raceBug"]],
    );
}

#[test]
fn options() {
    check(
        "all",
        "pull",
        "cond",
        "all",
        [&["cond", "cond_shfl", "long_cond_shfl"], &[]],
    );
    check(
        "all",
        "pull",
        "all_cond",
        "all",
        [&["cond", "cond_shfl", "long_cond_shfl"], &[]],
    );
    // Data types do not count as options, bugs do.
    check("all", "pull", "only_shfl", "all", [&["shfl"], &[]]);
    check(
        "all",
        "all",
        "only_raceBug",
        "all",
        [&[], &["raceBug", "char_raceBug"]],
    );
    check(
        "all",
        "pull",
        "~cond",
        "all",
        [&["", "long", "shfl", "syncBug", "boundsBug"], &[]],
    );
    // Several words are alternatives: each selects what the other excludes.
    let pull = ["", "long", "shfl", "syncBug", "cond", "boundsBug"];
    check("all", "pull", "~cond, ~shfl", "all", [&pull, &[]]);
    check("all", "all", "long", "all", [&[], &[]]);
}

#[test]
fn data_types() {
    check(
        "nobug",
        "all",
        "all",
        "int",
        [&["", "shfl", "cond", "cond_shfl"], &[""]],
    );
    check(
        "nobug",
        "all",
        "all",
        "long, char",
        [&["long", "long_cond_shfl"], &["char"]],
    );
    // The negation is a separate word, and programs without a type are those of `int`.
    check(
        "nobug",
        "all",
        "all",
        "~, char, int",
        [
            &["", "long", "shfl", "cond", "cond_shfl", "long_cond_shfl"],
            &[""],
        ],
    );
    check("nobug", "all", "all", "~int", [&[], &[]]);
}

#[test]
fn mistakes_have_a_line() {
    check_mistake(
        "bug: {all}\n",
        "configure.txt:1: no line with `**/` ends the comment at the top",
    );
    check_mistake(
        "**/\nbug: {all}\npattern: {all}\nINPUTS:\noption: {all}\n",
        "configure.txt:4: there is no `option: {…}` up to here",
    );
    check_mistake(
        "**/\nbug: {all}\npattern: {all}\noption: {all}\n",
        "configure.txt:4: there is no `dataType: {…}` up to here",
    );
    check_mistake(
        "**/\n\nbug: {some}\npattern: {all}\noption: {all}\ndataType: {all}\n",
        "configure.txt:3: `bug: {some}` is none of {all}, {hasbug}, {nobug} and {hasbug, nobug}",
    );
    check_mistake(
        "**/\nbug: {all}\npattern: {all}\noption: {all}\ndataType: {int,\n itn}\ndataType: {itn}",
        "configure.txt:7: `itn` is not a data type; there are all, int, short, long, float, \
         double, char",
    );
}
