"""`pytest --hirace`: tests run with their launches checked, and fail for races.

The plugin is loaded by its entry point. It does nothing without `--hirace`, a marker or the fixture.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import pathlib
import re
from typing import Any, Generator, Iterator

import pytest

from hirace import _checking
from hirace._checking import Session
from hirace._pytest_totals import Totals
from hirace._report import Fault, Race, Report
from hirace._settings import Settings

# Options of the marker that are not those of a check.
ALLOW = "allow_possible"

reports_key = pytest.StashKey["list[Report]"]()
outside_key = pytest.StashKey["Session"]()
totals_key = pytest.StashKey["Totals"]()
session_key = pytest.StashKey["Session"]()
fixture_key = pytest.StashKey["bool"]()
# For each phase of a test that failed for what was found, the line that names it.
failed_key = pytest.StashKey["dict[str, str]"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hirace", "data races of GPU kernels")
    group.addoption(
        "--hirace", action="store_const", const="all", help="check the launches of all tests, on the CPU"
    )
    # Not a value of --hirace, which would take the name of a test for one.
    group.addoption(
        "--hirace-marked",
        dest="hirace",
        action="store_const",
        const="marked",
        help="check the launches of tests with the marker `hirace`",
    )
    group.addoption("--hirace-reports", metavar="FOLDER", help="write the report of each test that finds something")
    group.addoption("--hirace-explore", metavar="N", type=int, help="run N schedules of each launch")
    group.addoption("--hirace-baseline", metavar="FILE", help="hide the findings that FILE lists: docs/reports.md")
    group.addoption(
        "--hirace-write-baseline", metavar="FILE", help="write what is found to FILE, for --hirace-baseline"
    )
    group.addoption("--hirace-architecture", metavar="SM", type=int, help="compile for this GPU, such as 90 [80]")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "hirace(explore=N, seed=N, allow_possible=True, …): with --hirace, check the launches of this test so; "
        "hirace(False) leaves them alone",
    )
    baseline = config.getoption("--hirace-baseline")
    if baseline and not pathlib.Path(baseline).is_file():
        raise pytest.UsageError(f"--hirace-baseline: the file {baseline} does not exist")
    written = config.getoption("--hirace-write-baseline")
    if written and not pathlib.Path(written).absolute().parent.is_dir():
        raise pytest.UsageError(f"--hirace-write-baseline: the folder of {written} does not exist")
    reports = config.getoption("--hirace-reports")
    if reports:
        try:
            pathlib.Path(reports).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise pytest.UsageError(f"--hirace-reports: {error}") from None
    config.stash[reports_key] = []
    config.stash[totals_key] = Totals()
    _begin(config, config.option)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    _begin(early_config, early_config.known_args_namespace)


def _begin(config: pytest.Config, options: argparse.Namespace) -> None:
    """Check launches from now on: modules launch and allocate while they are imported, too."""
    if outside_key in config.stash or not getattr(options, "hirace", None):
        return
    try:
        session = Session(_settings(options, {}), is_of_program=True)
    except ValueError as error:
        raise pytest.UsageError(f"--hirace: {error}") from None
    config.stash[outside_key] = session
    stack = contextlib.ExitStack()
    stack.enter_context(_checking.running(session))
    config.add_cleanup(stack.close)


def _settings(given: argparse.Namespace, options: dict[str, Any]) -> Settings:
    """The settings of the command line, and options of a test."""
    names = {"explore": "explore", "architecture": "architecture", "baseline": "suppressions"}
    of_line = {name: getattr(given, f"hirace_{option}", None) for option, name in names.items()}
    known = {name: value for name, value in of_line.items() if value is not None}
    if "seed" in options:
        known.pop("explore", None)
    return Settings().changed({**known, **options})


def _choice(item: pytest.Item) -> dict[str, Any] | None:
    """The options of a test, or None if its launches are not checked."""
    mode = item.config.getoption("--hirace")
    marker = item.get_closest_marker("hirace")
    if mode is None or (mode == "marked" and marker is None):
        return None
    if marker is not None and marker.args == (False,):
        return None
    if marker is not None and marker.args:
        raise pytest.UsageError(f"{item.nodeid}: the marker `hirace` takes options by name, or False")
    return dict(marker.kwargs) if marker else {}


def _session(item: pytest.Item) -> Session | None:
    """A session for a test; none without `--hirace`."""
    if not item.config.getoption("--hirace"):
        return None
    try:
        given = {key: value for key, value in (_choice(item) or {}).items() if key != ALLOW}
        return Session(_settings(item.config.option, given))
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from None


@contextlib.contextmanager
def _phase(item: pytest.Item, when: str, session: Session) -> Iterator[None]:
    """A phase of a test: what was found in it is kept, and shown if the phase ends with an exception of its own."""
    try:
        yield
    except BaseException as error:
        session.collect()
        _keep(item, when, session.report)
        _explain(item, when, session.report, error)
        raise
    session.collect()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    made = _session(item)
    if made is None:
        return (yield)
    # What its fixtures launch belongs to the test, and is judged with it.
    item.stash[session_key] = made
    with _checking.running(made), _phase(item, "setup", made):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    session = item.stash.get(session_key, None)
    if session is None:
        return (yield)
    # The fixture `hirace_checking` has a session of its own, which takes the launches of the test.
    has_own = item.stash.get(fixture_key, False)
    with contextlib.nullcontext() if has_own else _checking.running(session), _phase(item, "call", session):
        result = yield
    _judge(item, "call", session.report)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    session = _session(item)
    if session is None:
        return (yield)
    try:
        with _checking.running(session), _phase(item, "teardown", session):
            result = yield
    finally:
        _count(item, session)
    _judge(item, "teardown", session.report)
    return result


def _explain(item: pytest.Item, when: str, report: Report, error: BaseException) -> None:
    """Show what was found in a phase of a test that ends with an exception of its own."""
    if _choice(item) is None or report.is_clean(allow_possible=False):
        return
    if isinstance(error, pytest.skip.Exception):
        # The race is there, whatever the rest of the test needs.
        _fail(item, when, report)
    if getattr(error, "report", None) is not report:
        item.add_report_section(when, "hirace", str(report))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    made = yield
    # Without a terminal to fit into (`CI=1`, `-vv`), pytest repeats the whole message in its list of failures.
    crash = getattr(made.longrepr, "reprcrash", None)
    if crash is not None and made.when in item.stash.get(failed_key, {}):
        crash.message = item.stash[failed_key][made.when]
    session = item.stash.get(session_key, None)
    # pytest shows nothing of a test that is expected to fail.
    if hasattr(made, "wasxfail") and session is not None and _choice(item) is not None:
        expected = item.config.stash[totals_key].expected
        expected += [f"{item.nodeid}: {it}" for it in (*session.report.races, *session.report.faults)]
    return made


def _keep(item: pytest.Item, when: str, report: Report) -> None:
    """Write what was found in a test, and remember it for the baseline."""
    if _choice(item) is None or report.is_clean(allow_possible=False):
        return
    item.config.stash[reports_key].append(report)
    folder = item.config.getoption("--hirace-reports")
    if folder and report.launches:
        place = pathlib.Path(folder)
        # The name is that of one test, so workers of pytest-xdist write different files.
        name = re.sub(r"[^\w.-]+", "_", item.nodeid).strip("_") + ("_teardown" if when == "teardown" else "")
        report.to_json(place / f"{name}.json")
        report.to_html(place / f"{name}.html")


def _judge(item: pytest.Item, when: str, report: Report) -> None:
    """Keep what was found and fail for it, unless the launches of the test are left alone."""
    _keep(item, when, report)
    _fail(item, when, report)


def _fail(item: pytest.Item, when: str, report: Report) -> None:
    """Fail for a report, or show it if all that it has is allowed."""
    options = _choice(item)
    if options is None:
        return
    if not report.is_clean(bool(options.get(ALLOW, True))):
        # How `unittest` ended, which pytest prefers to what is raised here.
        ends = getattr(item, "_excinfo", None) or []
        if any(not it.errisinstance(pytest.skip.Exception) and "Unexpected success" not in str(it.value) for it in ends):
            return item.add_report_section(when, "hirace", str(report))
        if ends:
            ends.clear()
        item.stash.setdefault(failed_key, {})[when] = _headline(report)
        pytest.fail(str(report), pytrace=False)
    if not report.is_clean(allow_possible=False):
        item.add_report_section(when, "hirace", str(report))


def _headline(report: Report) -> str:
    """The first of what was found, in one line."""
    first, *others = [*report.races, *report.faults] or [report.failure]
    return f"{first}; and {len(others)} more" if others else str(first)


def _count(item: pytest.Item, of_teardown: Session) -> None:
    """Count the launches of a test at its end."""
    sessions = [it for it in (item.stash.get(session_key, None), of_teardown) if it is not None]
    launches = sum(it.report.launches for it in sessions)
    totals = item.config.stash[totals_key]
    # `running` ends more than once for the session of a test.
    own = {id(report): report for it in sessions for report in it.inner}.values()
    totals.own += sum(it.launches for it in own)
    totals.own_found += sum(not it.is_clean() for it in own)
    if _choice(item) is None:
        totals.left_alone += launches
    elif launches:
        totals.tests += 1
        totals.launches += launches


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    totals, outside = config.stash[totals_key], Report()
    if outside_key in config.stash:
        config.stash[outside_key].collect()
        outside = config.stash[outside_key].report
    totals.launches += outside.launches
    reports = config.stash[reports_key]
    if not outside.is_clean(allow_possible=False):
        reports.append(outside)
    if not outside.is_clean():
        totals.outside.append(str(outside))
    found: list[Race | Fault] = []
    for it in reports:
        found += [*it.races, *it.faults]
    lines: list[str] = list(dict.fromkeys(f"# {it}\nfingerprint:{it.fingerprint}" for it in found))
    worker = getattr(config, "workeroutput", None)
    if worker is not None:
        worker["hirace"] = (dataclasses.asdict(totals), lines)
        return
    if totals.outside and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    file = config.getoption("--hirace-write-baseline")
    if file:
        from_workers: list[str] = config.stash.get(worker_lines_key, [])
        lines += from_workers
        text = "\n".join(["# Findings that `pytest --hirace-baseline` hides.", *dict.fromkeys(lines)]) + "\n"
        pathlib.Path(file).write_text(text, encoding="utf-8")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.getoption("--hirace"):
        return
    totals = config.stash[totals_key]
    for text in dict.fromkeys(totals.outside):
        terminalreporter.section("hirace: launches outside of tests", red=True)
        terminalreporter.write_line(text)
    terminalreporter.section("hirace")
    for line in totals.lines():
        terminalreporter.write_line(line)


worker_lines_key = pytest.StashKey["list[str]"]()


class _Workers:
    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        totals, lines = getattr(node, "workeroutput", {}).get("hirace", ({}, []))
        node.config.stash.setdefault(worker_lines_key, []).extend(lines)
        node.config.stash[totals_key].add(totals)


def pytest_plugin_registered(plugin: object, manager: pytest.PytestPluginManager) -> None:
    if manager.hasplugin("xdist") and not manager.hasplugin("hirace-workers"):
        manager.register(_Workers(), "hirace-workers")


@pytest.fixture
def hirace_checking(request: pytest.FixtureRequest) -> Iterator[Report]:
    """The launches of the test are checked, with or without `--hirace`; the test gets the report.

    It does not fail by itself: `hirace_checking.raise_if_found()` or an `assert` decides.
    """
    marker = request.node.get_closest_marker("hirace")
    options = dict(marker.kwargs) if marker else {}
    options.pop(ALLOW, None)
    with _checking.running(Session(_settings(request.config.option, options))) as session:
        request.node.stash[fixture_key] = True
        yield session.report
