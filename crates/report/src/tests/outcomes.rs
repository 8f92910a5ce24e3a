//! How a check ends.

use super::*;

#[test]
fn clean() {
    check(
        one_kernel(),
        &expect![[r#"
        hirace: no race found; 1 kernel launch and 1000 accesses checked
    "#]],
    );
}

#[test]
fn a_status_of_its_own_beside_races_is_no_failure_of_the_check() {
    let racy = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [9, 0], 1);
    let report = report_ended(&racy.records(), Ended::Exited(1));
    let formats = [
        crate::github::render(&report),
        crate::junit::render(&report),
        crate::sarif::render(&report),
    ];
    for text in &formats {
        assert!(text.contains("also ended with status 1"), "{text}");
        assert!(!text.contains("could not check: "), "{text}");
    }
    assert!(formats[2].contains("\"executionSuccessful\": true"));
}

#[test]
fn a_bad_end_is_a_failure_but_does_not_hide_races() {
    for (ended, kind) in [
        (Ended::Exited(3), "exit"),
        (Ended::Signalled(11), "signal"),
        (Ended::TimedOut, "timeout"),
    ] {
        let clean = report_ended(&one_kernel().records(), ended);
        assert_eq!(clean.status, Status::Failed);
        assert_eq!(clean.failure.unwrap().kind, kind);
        let racy = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [9, 0], 1);
        let racy = report_ended(&racy.records(), ended);
        assert_eq!(racy.status, Status::Races);
        assert_eq!(racy.failure.unwrap().kind, kind);
        // A possible race is no answer to the question that the failure leaves open.
        let possible = Builder::new().totals(1, 9).kernel("k");
        let possible = possible.record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [9, 0], 1);
        let possible = possible.not_modelled(4);
        assert_eq!(
            report_ended(&possible.records(), ended).status,
            Status::Failed
        );
    }
}

#[test]
fn nothing_monitored_is_a_failure() {
    for (builder, says) in [
        (Builder::new(), "launched no kernel"),
        (Builder::new().totals(2, 0), "no kernel accessed memory"),
        (
            Builder::new().header(|it| it.unmonitored_launches = 2),
            "no kernel launch could be checked",
        ),
    ] {
        let failure = report(builder).failure.unwrap();
        assert_eq!(failure.kind, "nothing-monitored");
        assert!(failure.message.contains(says), "{}", failure.message);
    }
    let never_started = report_ended(&Records::default(), Ended::Exited(0));
    assert_eq!(never_started.status, Status::Failed);
}

#[test]
fn a_kernel_without_accesses_is_named() {
    let two = || Builder::new().totals(2, 9).kernel("a").kernel("b");
    assert_eq!(report(two()).notes, [""; 0]);
    let notes = report(two().unseen(0)).notes;
    assert!(
        notes.len() == 1 && notes[0].starts_with("kernel `b` ran and none"),
        "{notes:?}"
    );
    // Switched off by configuration each time it was launched.
    assert_eq!(report(two().unseen(3)).notes, [""; 0]);
}
