//! The emitted header, compiled and run, contains the machine.

mod common {
    pub mod cxx;
    pub mod tell;
}

use std::process::Command;

use common::cxx::compiler;
use hirace_fsm::emit::cuda::header;
use hirace_fsm::{Masks, State, Table, Transition};

const PROGRAM: &str = r#"
#include "fsm_table.h"
#include <cstdio>

static_assert(hirace::fsm_index(hirace::State::race, hirace::Access::grid_atomic,
                                hirace::Sync::block, hirace::Relation::grid) ==
              hirace::transition_count - 1);
static_assert(hirace::fsm_table[hirace::fsm_index(hirace::State::init, hirace::Access::write,
                                                  hirace::Sync::none, hirace::Relation::same)] ==
              static_cast<unsigned char>(hirace::State::write));
static_assert(hirace::fsm_keep[static_cast<unsigned>(hirace::State::race)] == 0);

int main() {
    for (unsigned state = 0; state < hirace::state_count; ++state)
        for (unsigned access = 0; access < hirace::access_count; ++access)
            for (unsigned sync = 0; sync < hirace::sync_count; ++sync)
                for (unsigned relation = 0; relation < hirace::relation_count; ++relation)
                    std::printf("%d\n", hirace::fsm_table[hirace::fsm_index(
                        static_cast<hirace::State>(state), static_cast<hirace::Access>(access),
                        static_cast<hirace::Sync>(sync),
                        static_cast<hirace::Relation>(relation))]);
    for (unsigned char keep : hirace::fsm_keep) std::printf("%d\n", keep);
}
"#;

#[test]
fn compiled_table_equals_the_specification() {
    let Some(mut compiler) = compiler() else {
        return;
    };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fsm_table");
    std::fs::create_dir_all(&folder).expect("failed to create a folder");
    std::fs::write(folder.join("fsm_table.h"), header()).expect("failed to write the header");
    std::fs::write(folder.join("main.cpp"), PROGRAM).expect("failed to write the program");
    let status = compiler
        .current_dir(&folder)
        .args(["-Wpedantic", "main.cpp", "-o", "main"])
        .status()
        .expect("failed to start the compiler");
    assert!(status.success(), "the header does not compile");

    let output = Command::new(folder.join("main"))
        .output()
        .expect("failed to start the program");
    let printed: Vec<u8> = String::from_utf8(output.stdout)
        .expect("numbers")
        .lines()
        .map(|line| line.parse().expect("a number"))
        .collect();
    let masks = Masks::of(&Table::EXACT);
    let expected: Vec<u8> = Transition::all()
        .map(|transition| Table::EXACT.next(transition) as u8)
        .chain(State::ALL.map(|state| masks.keep(state).bits()))
        .collect();
    assert_eq!(printed, expected);
}
