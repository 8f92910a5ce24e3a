//! The JSON report.

use super::*;

#[test]
fn json_shape() {
    let builder = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7);
    expect![[r#"
        {
          "schema": "hirace-report/1",
          "schema_version": "1.13",
          "tool_version": "0.1.0",
          "working_directory": null,
          "backend": "cpu",
          "seed": 0,
          "seeds": [
            0
          ],
          "status": "races",
          "summary": {
            "races": 1,
            "possible": 0,
            "faults": 0,
            "occurrences": 7,
            "suppressed": 0,
            "launches": 1,
            "accesses": 1000
          },
          "coverage": {
            "functions": 0,
            "untouched": 0,
            "monitored": 0,
            "private": 0,
            "switched_off": 0,
            "not_monitored": 0,
            "percent": null
          },
          "races": [
            {
              "fingerprint": "6c9423981ac7a33c:1",
              "code": "HR001",
              "title": "missing block barrier",
              "kernel": "block_sum",
              "space": "shared",
              "variable": "s_sum",
              "relation": "block",
              "certainty": "definite",
              "occurrences": 7,
              "locations": null,
              "blocks": null,
              "seeds": [
                0
              ],
              "accesses": [
                {
                  "role": "prior",
                  "access": "write",
                  "file": "a.cu",
                  "line": 4,
                  "column": 3,
                  "end_column": 11,
                  "text": "s_sum[t]",
                  "function": "block_sum",
                  "variable": "s_sum",
                  "block": [
                    0,
                    0,
                    0
                  ],
                  "thread": [
                    128,
                    0,
                    0
                  ],
                  "size": 4,
                  "begin": 0
                },
                {
                  "role": "current",
                  "access": "read",
                  "file": "a.cu",
                  "line": 6,
                  "column": 33,
                  "end_column": 50,
                  "text": "s_sum[t + stride]",
                  "function": "block_sum",
                  "variable": "s_sum",
                  "block": [
                    0,
                    0,
                    0
                  ],
                  "thread": [
                    0,
                    0,
                    0
                  ],
                  "size": 4,
                  "begin": 0
                }
              ],
              "launch": null,
              "element": null,
              "transition": null,
              "flag": null,
              "reason": "the two threads are in different warps of one block, and no `__syncthreads()` came between the two accesses",
              "help": "a `__syncthreads()` between line 4 and line 6 that every thread of the block reaches orders the two accesses"
            }
          ],
          "faults": [],
          "suppressed": [],
          "not_monitored": [],
          "not_modelled": [],
          "switched_off": [],
          "warnings": [],
          "notes": [],
          "sources": [
            {
              "file": "a.cu",
              "digest": "0000000000000000"
            }
          ]
        }
    "#]].assert_eq(&json::render(&report(builder)));
}

#[test]
fn json_of_an_unknown_prior() {
    let builder = one_kernel().record([1, 1, 2, 0], [0, a(3)], [1, 0], [0, 2], 3);
    let text = json::render(&report(builder));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let prior = &value["races"][0]["accesses"][0];
    for key in ["file", "line", "column", "text", "block", "thread"] {
        assert!(
            prior.get(key).is_some_and(serde_json::Value::is_null),
            "{key}"
        );
    }
    assert_eq!(prior["role"], "prior");
}
