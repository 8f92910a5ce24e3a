"""`pytest --hirace`, the fixture, the marker and the baseline, in runs of pytest of their own."""

from __future__ import annotations

import pytest

pytest.importorskip("numba.cuda")

PROGRAM = """
import numpy as np
import pytest
from numba import cuda

@cuda.jit
def count(result, atomic):
    if atomic:
        cuda.atomic.add(result, 0, 1)
    else:
        result[0] += 1  # the update

def run(atomic):
    result = cuda.to_device(np.zeros(1, np.int32))
    count[1, 4](result, atomic)
    return result.copy_to_host()[0]
"""


def outcomes(pytester, tests, *options):
    pytester.makepyfile(PROGRAM + tests)
    return pytester.runpytest_subprocess("-p", "hirace.pytest_plugin", *options)


def test_a_race_fails_the_test(pytester):
    result = outcomes(
        pytester,
        """
def test_racy():
    run(0)

def test_correct():
    assert run(1) == 4
""",
        "--hirace",
        "--hirace-reports=reports",
    )
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*HR006*", "*result[[]0[]] += 1  # the update*"])
    names = sorted(it.name for it in (pytester.path / "reports").iterdir())
    assert [name.rsplit(".", 1)[1] for name in names] == ["html", "json"]
    assert all("test_racy" in name for name in names)


def test_the_marker_chooses(pytester):
    result = outcomes(
        pytester,
        """
@pytest.mark.hirace(explore=2)
def test_racy():
    run(0)

def test_other():
    pass

@pytest.mark.hirace(False)
def test_left_alone():
    pass
""",
        "--hirace-marked",
    )
    result.assert_outcomes(failed=1, passed=2)


def test_the_fixture_gives_the_report(pytester):
    result = outcomes(
        pytester,
        """
def test_racy(hirace_checking):
    run(0)
    assert "HR006" in [it.code for it in hirace_checking.races]
""",
    )
    result.assert_outcomes(passed=1)


def test_a_baseline_hides_what_is_known(pytester):
    tests = """
def test_racy():
    run(0)
"""
    outcomes(pytester, tests, "--hirace", "--hirace-write-baseline=known").assert_outcomes(failed=1)
    outcomes(pytester, tests, "--hirace", "--hirace-baseline=known").assert_outcomes(passed=1)


def test_mistakes_are_usage_errors(pytester):
    result = outcomes(pytester, "", "--hirace", "--hirace-baseline=missing")
    result.stderr.fnmatch_lines(["*--hirace-baseline: the file missing does not exist*"])


def test_workers_of_xdist_share_a_baseline(pytester):
    pytest.importorskip("xdist")
    tests = """
@pytest.mark.parametrize("number", range(4))
def test_racy(number):
    run(0)

def test_correct():
    assert run(1) == 4
"""
    # Plugins that are named on the command line are loaded by workers, too.
    result = outcomes(pytester, tests, "--hirace", "-n", "2", "--hirace-reports=reports", "--hirace-write-baseline=known")
    result.assert_outcomes(failed=4, passed=1)
    names = {it.name for it in (pytester.path / "reports").iterdir()}
    assert len(names) == 8
    lines = (pytester.path / "known").read_text().splitlines()
    known = [it for it in lines if it.startswith("fingerprint")]
    # Of read and write, and of two writes.
    assert len(known) == len(set(known)) == 2
    result = outcomes(pytester, tests, "--hirace", "-n", "2", "--hirace-baseline=known")
    result.assert_outcomes(passed=5)
