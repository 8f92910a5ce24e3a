"""No test program of this library has a race, and the check would see one.

These tests need no build system and no GPU: hirace and a C++ compiler are enough.
"""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PARTS = ["histogram", "moving_average", "prefix_sum"]


@pytest.mark.parametrize("part", PARTS)
def test_part_has_no_race(check, part):
    report = check(f"tests/{part}_test.cu", f"src/{part}.cu")
    if report["races"] or report["faults"]:
        pytest.fail(report["text"], pytrace=False)
    assert report["not_monitored"] == []


def test_a_missing_barrier_is_found(check, tmp_path):
    """Guards against a check that passes because it checks nothing."""
    source = ROOT / "src" / "prefix_sum.cu"
    broken = tmp_path / source.name
    broken.write_text(source.read_text().replace("__syncthreads();", "", 1))

    report = check("tests/prefix_sum_test.cu", broken)

    found = {(race["code"], race["kernel"], race["variable"]) for race in report["races"]}
    assert found == {("HR001", "scan_block", "sums")}
