use super::*;

fn parse(text: &str) -> Source {
    Source::parse(text, Path::new("one.idg")).unwrap()
}

#[track_caller]
fn check_names(text: &str, expect: &[&str]) {
    let source = parse(text);
    let names: Vec<String> = source.choices("p").into_keys().collect();
    assert_eq!(names, expect);
}

#[track_caller]
fn check_text(text: &str, name: &str, expect: &str) {
    let source = parse(text);
    let choices = source.choices("p");
    assert_eq!(source.text(&choices[name]), expect);
}

#[track_caller]
fn check_mistake(text: &str, expect: &str) {
    let error = Source::parse(text, Path::new("one.idg")).unwrap_err();
    assert_eq!(error.to_string(), expect);
}

#[test]
fn programs_are_the_product_of_the_dimensions() {
    check_names("no tags\n", &["p"]);
    check_names("a /*@x@*/ b /*@y@*/ c\n", &["p", "p_x", "p_y"]);
    check_names(
        "a /*@x@*/ b /*@y@*/ c\n/*@z1@*/ d\n",
        &["p", "p_x", "p_x_z1", "p_y", "p_y_z1", "p_z1"],
    );
}

#[test]
fn the_first_line_of_a_dimension_has_its_alternatives() {
    let text = "a /*@x@*/ b /*@y@*/ c\nd /*@x@*/\n";
    check_names(text, &["p", "p_x", "p_y"]);
    check_text(text, "p", "a\nd\n");
    check_text(text, "p_x", "b\n");
}

#[test]
fn a_tag_may_begin_a_dimension_and_stand_in_another() {
    // Names repeat the tag if both dimensions choose it.
    check_names(
        "/*@x@*/ /*@y@*/ a\nb /*@y@*/ c\n",
        &["p", "p_x", "p_x_y", "p_y", "p_y_y"],
    );
}

#[test]
fn the_last_chosen_text_of_a_line_counts() {
    let text = "a /*@x@*/ b\nc /*@y@*/ d\ne /*@x@*/ f /*@y@*/ g\nh /*@x@*/ i /*@y@*/\n";
    check_text(text, "p", "a\nc\ne\nh\n");
    check_text(text, "p_x", "b\nc\nf\ni\n");
    check_text(text, "p_y", "a\nd\ng\n");
    check_text(text, "p_x_y", "b\nd\ng\n");
}

#[test]
fn without_a_default_in_any_dimension_lines_lose_theirs() {
    let text = "a /*@x@*/ b /*@y@*/ c\nd /*@x@*/ e\n";
    check_text(text, "p_y", "c\n");
    // Another dimension without a chosen tag brings it back.
    let text = format!("{text}f /*@z@*/ g\n");
    check_text(&text, "p_y", "c\nd\nf\n");
    check_text(&text, "p_y_z", "c\ng\n");
}

#[test]
fn bugs_are_marked_up_to_the_sequential_code() {
    let text = "\
k {
  a /*@raceBug@*/ b
  c /*@raceBug@*/
  d /*@boundsBug@*/
  e /*@boundsBug@*/ f
}
void serial_code() {
  g /*@raceBug@*/ h
  i /*@boundsBug@*/
}
";
    check_text(
        text,
        "p_raceBug_boundsBug",
        "\
k {
  // raceBug here
  b
  // boundsBug here
  \n  f
}
void serial_code() {
  h
}
",
    );
}

#[test]
fn indentation_is_made_anew() {
    check_text(
        "a {\n        b\n\n   \nif (c) { d }\n}\n}\ne {\nf\n",
        "p",
        "a {\n  b\n\n  if (c) { d }\n}\n}\ne {\nf\n",
    );
    check_text(
        "a /*@x@*/ b {\r\nc\r\n} /*@x@*/ }\r\n",
        "p_x",
        "b {\n  c\n}\n",
    );
}

#[test]
fn mistakes_have_a_line() {
    check_mistake(
        "a\nb /*@x-y@*/ c\n",
        "one.idg:2: `/*@` begins no tag; tags are letters and digits, as in `/*@cond1@*/`",
    );
    for wrong in ["/*@@*/", "/*@x", "/*@x@ */", "/*@1x@*/"] {
        assert!(
            Source::parse(wrong, Path::new("one.idg")).is_err(),
            "{wrong}"
        );
    }
    check_mistake(
        "a /*@x@*/ b\nc /*@x@*/ d /*@y@*/ e\n",
        "one.idg:2: tag `y` can never be chosen: the alternatives of `x` are those of line 1",
    );
    let many: String = (0..17).map(|n| format!("/*@x{n}@*/ a\n")).collect();
    check_mistake(
        &many,
        "one.idg:17: 17 dimensions make more than 65536 programs",
    );
}
