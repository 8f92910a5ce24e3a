//! The self-test passes on correct code and finds errors.

use super::*;
use hirace_fsm::{Access, Relation, State as S, Sync};
use hirace_model::wire::schema::Wire as _;
use hirace_model::wire::self_test::SelfTestAnswer;

/// A device whose table has one wrong entry.
struct Wrong(Box<dyn Device>, Transition);

impl Device for Wrong {
    fn run(&self, batch: &Batch) -> Result<Answers> {
        let mut answers = self.0.run(batch)?;
        answers.table[self.1.index() * size_of::<u32>()] ^= 1;
        // The very last step.
        let last = answers.steps.len() - SelfTestAnswer::SIZE;
        answers.steps[last] ^= 1;
        Ok(answers)
    }
}

#[test]
fn headers_as_cpp_pass() {
    let checks = machine(device::cpu, 7);
    assert_eq!(checks.len(), 6);
    for check in checks {
        assert_eq!(check.state, State::Ok, "{check:?}");
    }
}

#[test]
fn one_wrong_bit_is_found_anywhere() {
    let transition = Transition {
        state: S::BSync,
        access: Access::Read,
        sync: Sync::Warp,
        relation: Relation::Block,
    };
    let wrong = |size| Ok(Box::new(Wrong(device::cpu(size)?, transition)) as Box<dyn Device>);
    let checks = machine(wrong, 7);
    let found: Vec<&str> = checks.iter().map(|it| it.found.as_str()).collect();
    assert!(
        checks.iter().all(|it| it.state == State::Broken),
        "{checks:?}"
    );
    assert_eq!(found.len(), 6);
    for found in found.chunks(3) {
        assert_eq!(found[0], "BSYNC,R,W,B: W_MR_BWSYNC instead of B_MR_BSYNC");
        assert!(found[1].starts_with("trace 1199, access 0: "), "{found:?}");
        let last = "trace 4095, access 255: ";
        assert!(found[2].starts_with(last), "{found:?}");
    }
    let help = checks[2].help.as_deref().expect("how to repeat it");
    assert!(help.contains("--seed 7"), "{help}");
}
