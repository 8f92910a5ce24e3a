//! The examples of the explain pages have the findings that their pages describe.

use crate::harness::Sandbox;

/// A page's racy program and its repaired one.
fn programs(code: &str) -> [String; 2] {
    let page = hirace::explain::page(code).expect("the page is there");
    let blocks: Vec<_> = page
        .split("```cuda\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect();
    blocks.try_into().expect("an example and its repair")
}

#[track_caller]
fn check(code: &str) {
    check_with(code, &["a.cu", "--format", "json"]);
}

#[track_caller]
fn check_with(code: &str, arguments: &[&str]) {
    let [racy, repaired] = programs(code);
    let outcome = Sandbox::with(racy).check(arguments);
    let report = outcome.ends_with(1).json();
    let found: Vec<_> = report["races"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|race| race["code"].clone())
        .collect();
    assert_eq!(found, [code]);
    Sandbox::with(repaired).check(arguments).ends_with(0);
}

#[test]
fn hr001() {
    check("HR001");
}

#[test]
fn hr002() {
    check("HR002");
}

#[test]
fn hr003() {
    check("HR003");
}

#[test]
fn hr004() {
    check("HR004");
}

#[test]
fn hr005() {
    check("HR005");
}

#[test]
fn hr006() {
    check("HR006");
}

#[test]
fn hr007() {
    check("HR007");
}

#[test]
fn hr008() {
    check("HR008");
}

#[test]
fn hr009() {
    check("HR009");
}

#[test]
fn hr010() {
    check("HR010");
}

#[test]
fn hr011() {
    check("HR011");
}

#[test]
fn hr012() {
    check("HR012");
}

#[test]
fn hr013() {
    check("HR013");
}

#[test]
fn hr014() {
    check("HR014");
}

#[test]
fn hr015() {
    check("HR015");
}

#[test]
fn hr016() {
    check_with(
        "HR016",
        &["a.cu", "--format", "json", "--predict", "--strict"],
    );
}

#[test]
fn hr017() {
    check("HR017");
}

#[test]
fn hr018() {
    check("HR018");
}
