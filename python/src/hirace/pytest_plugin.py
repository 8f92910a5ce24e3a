"""`pytest --hirace`: tests run with their launches checked, and fail for races.

The plugin is loaded by its entry point. It does nothing without `--hirace`, a marker or the fixture.
"""

from __future__ import annotations

import contextlib
import pathlib
import re
from typing import Any, Iterator

import pytest

from hirace import _checking
from hirace._checking import Session
from hirace._report import Report
from hirace._settings import Settings

# Options of the marker that are not those of a check.
ALLOW = "allow_possible"

reports_key = pytest.StashKey["list[Report]"]()


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
    config.stash[reports_key] = []
    if config.getoption("--hirace"):
        # Modules launch and allocate while they are imported, too.
        stack = contextlib.ExitStack()
        stack.enter_context(_checking.running(Session(_settings(config, {}))))
        config.add_cleanup(stack.close)


def _settings(config: pytest.Config, options: dict[str, Any]) -> Settings:
    given: dict[str, Any] = {}
    names = {"explore": "explore", "architecture": "architecture", "baseline": "suppressions"}
    for option, name in names.items():
        value = config.getoption(f"--hirace-{option}")
        if value is not None:
            given[name] = value
    if "seed" in options:
        given.pop("explore", None)
    return Settings().changed({**given, **options})


def _choice(item: pytest.Item) -> dict[str, Any] | None:
    """The options of a test, or None if its launches are not checked."""
    mode = item.config.getoption("--hirace")
    marker = item.get_closest_marker("hirace")
    if mode is None or (mode == "marked" and marker is None):
        return None
    if "hirace_checking" in getattr(item, "fixturenames", ()):
        # The test has the report, and decides.
        return None
    if marker is not None and marker.args == (False,):
        return None
    if marker is not None and marker.args:
        raise pytest.UsageError(f"{item.nodeid}: the marker `hirace` takes options by name, or False")
    return dict(marker.kwargs) if marker else {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    try:
        options = _choice(item)
        allow = bool(options.pop(ALLOW, True)) if options is not None else True
        settings = None if options is None else _settings(item.config, options)
    except TypeError as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from None
    if settings is None:
        return (yield)
    with _checking.running(Session(settings)) as session:
        try:
            result = yield
        finally:
            _keep(item, session.report)
    _fail(session.report, allow)
    return result


def _keep(item: pytest.Item, report: Report) -> None:
    """Write the report of a test, and remember it for the baseline."""
    if report.is_clean(allow_possible=False):
        return
    item.config.stash[reports_key].append(report)
    item.add_report_section("call", "hirace", str(report))
    folder = item.config.getoption("--hirace-reports")
    if folder and report.launches:
        place = pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        # The name is that of one test, so workers of pytest-xdist write different files.
        name = re.sub(r"[^\w.-]+", "_", item.nodeid).strip("_")
        report.to_json(place / f"{name}.json")
        report.to_html(place / f"{name}.html")


def _fail(report: Report, allow_possible: bool) -> None:
    if not report.is_clean(allow_possible):
        pytest.fail(str(report), pytrace=False)


def pytest_sessionfinish(session: pytest.Session) -> None:
    file = session.config.getoption("--hirace-write-baseline")
    if not file:
        return
    found = {it.fingerprint: it for report in session.config.stash[reports_key] for it in report.races}
    faults = {it.fingerprint: it for report in session.config.stash[reports_key] for it in report.faults}
    worker = getattr(session.config, "workeroutput", None)
    lines = [f"# {it}\nfingerprint:{key}" for key, it in {**found, **faults}.items()]
    if worker is not None:
        worker["hirace_baseline"] = lines
        return
    from_workers: list[str] = session.config.stash.get(worker_lines_key, [])
    lines += from_workers
    text = "\n".join(["# Findings that `pytest --hirace-baseline` hides.", *dict.fromkeys(lines)]) + "\n"
    pathlib.Path(file).write_text(text, encoding="utf-8")


worker_lines_key = pytest.StashKey["list[str]"]()


class _Workers:
    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        lines = getattr(node, "workeroutput", {}).get("hirace_baseline", [])
        node.config.stash.setdefault(worker_lines_key, []).extend(lines)


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
    with _checking.running(Session(_settings(request.config, options))) as session:
        yield session.report
