//! Tests of the reader.

mod dialect;
mod errors;
mod instructions;
mod legacy;
mod robustness;
mod shapes;

use super::ast::{Instruction, Test};
use super::parse;
use hirace_model::error::{Error, Mistake};

/// A valid test.
#[track_caller]
fn read(text: &str) -> Test {
    match parse("test.litmus", text) {
        Ok(test) => test,
        Err(Error::Syntax(mistake)) => {
            let (at, length) = (mistake.span.offset(), mistake.span.len());
            panic!("{} at `{}`", mistake.message, &text[at..at + length]);
        }
        Err(error) => panic!("{error}"),
    }
}

/// The instructions of a thread.
#[track_caller]
fn code(test: &Test, thread: usize) -> Vec<Instruction> {
    let lines = test.threads[thread].code.iter();
    lines.map(|line| line.instruction.clone()).collect()
}

/// The instruction in the only thread of a test; `x` and `y` are the locations 0 and 1.
#[track_caller]
fn one(instruction: &str) -> Instruction {
    let text = format!("PTX one\n{{ x = 0; y = 0; }}\nP0 ;\n{instruction} ;\nexists (x == 0)");
    code(&read(&text), 0).remove(0)
}

/// The mistake in an invalid test.
#[track_caller]
fn mistake(text: &str) -> Mistake {
    match parse("test.litmus", text) {
        Err(Error::Syntax(mistake)) => mistake,
        Err(error) => panic!("another error: {error}"),
        Ok(test) => panic!("no error: {test:?}"),
    }
}

/// Expects a mistake at the text between `«` and `»` whose message contains `expected`.
#[track_caller]
fn fails(marked: &str, expected: &str) {
    let start = marked.find('«').expect("a mark");
    let text = marked.replace('«', "");
    let end = text.find('»').expect("a second mark");
    let text = text.replace('»', "");
    let mistake = mistake(&text);
    let found = mistake.span.offset()..mistake.span.offset() + mistake.span.len();
    assert!(
        mistake.message.contains(expected),
        "found: {}",
        mistake.message
    );
    assert_eq!(
        &text[found.clone()],
        &text[start..end],
        "{}",
        mistake.message
    );
    assert_eq!(found, start..end, "{}", mistake.message);
}

/// As [`fails`], for the code of the first of two threads.
#[track_caller]
fn fails_in_code(marked: &str, expected: &str) {
    let head = "PTX one\n{ x = 0; y = 0; s @ surface aliases x; }\nP0 | P1 ;\n";
    fails(&format!("{head}{marked} | ;\nexists (x == 0)"), expected);
}
