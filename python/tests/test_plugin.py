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


def test_what_fixtures_launch_is_judged(pytester):
    result = outcomes(
        pytester,
        """
@pytest.fixture
def prepared():
    return run(0)

def test_with_fixture(prepared):
    pass

@pytest.fixture(scope="module")
def shared():
    yield run(1)
    run(0)

def test_with_shared(shared):
    pass

class TestMethods:
    def setup_method(self):
        run(0)

    def test_method(self):
        pass

def test_last(shared):
    pass
""",
        "--hirace",
    )
    # The teardown of `shared` is an error, as pytest calls it.
    result.assert_outcomes(failed=2, passed=2, errors=1)
    result.stdout.fnmatch_lines(["*ERROR at teardown of test_last*"])
    result.stdout.fnmatch_lines(["4 kernel launches checked, in 4 tests"])


# pytest's list of failures fits the terminal, and has whole messages in continuous integration.
@pytest.mark.parametrize("integration", ["", "true"])
def test_each_report_is_shown_once(pytester, monkeypatch, integration):
    monkeypatch.setenv("CI", integration)
    monkeypatch.delenv("BUILD_NUMBER", raising=False)
    result = outcomes(pytester, "def test_racy():\n    run(0)\n", "--hirace")
    result.assert_outcomes(failed=1)
    assert str(result.stdout).count("× data race") == 2
    assert str(result.stdout).count("hirace: 2 races") == 1
    result.stdout.fnmatch_lines(["FAILED *::test_racy - HR00*: data race on `*"])


def test_what_is_not_checked_is_said(pytester):
    tests = """
@pytest.mark.hirace(False)
def test_left_alone():
    run(0)
    run(0)

def test_other():
    assert run(1) == 4
"""
    result = outcomes(pytester, tests, "--hirace")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["1 kernel launch checked, in 1 test", "not checked: 2 kernel launches in tests with*"])


def test_a_race_shows_in_tests_that_end_otherwise(pytester):
    result = outcomes(
        pytester,
        """
def test_skipped():
    run(0)
    pytest.skip("not today")

@pytest.mark.xfail
def test_expected():
    run(0)

def test_failed():
    run(0)
    assert False, "otherwise"

@pytest.fixture
def torn():
    yield
    run(0)
    assert False, "torn"

def test_torn(torn):
    pass
""",
        "--hirace",
    )
    result.assert_outcomes(failed=2, xfailed=1, passed=1, errors=1)
    result.stdout.fnmatch_lines(["in a test that is expected to fail: *test_expected: HR006*"])
    assert "expected to fail: test_a_race_shows_in_tests_that_end_otherwise.py::test_failed" not in str(result.stdout)
    # Of the test that is skipped, of the one that fails, and of the teardown, two races each.
    assert str(result.stdout).count("× data race") == 6


def test_reports_that_tests_judge_are_counted(pytester):
    result = outcomes(
        pytester,
        """
import hirace

def test_own():
    with hirace.checking():
        run(0)
    hirace.check(count, grid=1, block=4, args=(np.zeros(1, np.int32), 1))

def test_fixture(hirace_checking):
    run(0)
""",
        "--hirace",
    )
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["judged by the tests: 3 kernel launches in reports of *; something was found in 2"])


def test_launches_of_forked_processes_are_judged(pytester):
    result = outcomes(
        pytester,
        """
import multiprocessing

@pytest.mark.parametrize("atomic", [0, 1])
def test_fork(atomic):
    child = multiprocessing.get_context("fork").Process(target=run, args=(atomic,))
    child.start()
    child.join()
    assert child.exitcode == 0
""",
        "--hirace",
    )
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["2 kernel launches checked, in 2 tests"])


def test_workers_that_an_earlier_test_began_belong_to_the_later_one(pytester):
    result = outcomes(
        pytester,
        """
import asyncio
import multiprocessing

@pytest.fixture(scope="module")
def pool():
    with multiprocessing.get_context("fork").Pool(1) as made:
        yield made

@pytest.fixture(scope="module")
def runner():
    with asyncio.Runner() as made:
        made.run(asyncio.sleep(0))
        yield made

async def launch(atomic):
    run(atomic)

def test_first(pool, runner):
    pool.apply(run, (1,))
    runner.run(launch(1))

def test_pool(pool):
    pool.apply(run, (0,))

def test_runner(runner):
    runner.run(launch(0))
""",
        "--hirace",
    )
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.fnmatch_lines(["4 kernel launches checked, in 3 tests"])


def test_unittest(pytester):
    result = outcomes(
        pytester,
        """
import unittest

class Tests(unittest.TestCase):
    def test_skipped(self):
        run(0)
        self.skipTest("not today")

    @unittest.expectedFailure
    def test_expected(self):
        run(0)

    def test_correct(self):
        assert run(1) == 4

class Tasks(unittest.IsolatedAsyncioTestCase):
    async def test_task(self):
        run(0)
""",
        "--hirace",
    )
    result.assert_outcomes(failed=3, passed=1)
    assert str(result.stdout).count("× data race") == 6


def test_a_baseline_has_what_fixtures_launched(pytester):
    tests = """
@pytest.fixture
def skipped():
    run(0)
    pytest.skip("not today")

def test_skipped(skipped):
    pass
"""
    outcomes(pytester, tests, "--hirace", "--hirace-write-baseline=known").assert_outcomes(errors=1)
    outcomes(pytester, tests, "--hirace", "--hirace-baseline=known").assert_outcomes(skipped=1)


def test_conftest_launches(pytester):
    pytester.makeconftest(PROGRAM + "\nrun(1)\n")
    result = outcomes(pytester, "def test_nothing():\n    pass\n", "--hirace")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["1 kernel launch checked, in 0 tests"])


def test_launches_of_modules_fail_the_run(pytester):
    result = outcomes(pytester, "run(0)\ndef test_nothing():\n    pass\n", "--hirace")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*hirace: launches outside of tests*", "*HR006*"])
    result = outcomes(pytester, "run(1)\ndef test_nothing():\n    pass\n", "--hirace")
    assert result.ret == pytest.ExitCode.OK


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


def test_the_fixture_takes_the_launches_of_its_test(pytester):
    tests = """
def test_racy(hirace_checking):
    run(0)
    assert len(hirace_checking.races) == 2
"""
    result = outcomes(pytester, tests, "--hirace")
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
    result = outcomes(pytester, "", "--hirace", "--hirace-write-baseline=missing/known")
    result.stderr.fnmatch_lines(["*--hirace-write-baseline: the folder of missing/known does not exist*"])
    result = outcomes(pytester, "", "--hirace", "--hirace-architecture=70")
    result.stderr.fnmatch_lines(["*--hirace: `architecture` is 80, 86, 87, 89 or 90, not 70"])


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
    result.stdout.fnmatch_lines(["5 kernel launches checked, in 5 tests"])
    result = outcomes(pytester, tests, "--hirace", "-n", "2", "--hirace-baseline=known")
    result.assert_outcomes(passed=5)
