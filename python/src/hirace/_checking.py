"""`with hirace.checking() as report:` checks the launches of Triton and Numba in the block."""

from __future__ import annotations

import contextlib
import contextvars
import importlib
import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import threading
import uuid
from typing import Any, Iterator

from hirace import _launch
from hirace._errors import CheckError, HiraceError
from hirace._launch import Launch
from hirace._report import Report
from hirace._settings import Settings

# The libraries whose launches can be intercepted, and the module that does it.
LIBRARIES = {"triton": "hirace._triton", "numba.cuda": "hirace._numba"}


class Session:
    """The launches of a block of code, how they are checked, and their report."""

    def __init__(self, settings: Settings, is_of_program: bool = False) -> None:
        self.settings = settings
        # A session of a whole run of tests, in which each test has another one.
        self.is_of_program = is_of_program
        self.report = Report()
        # What sessions in this one found, which have reports of their own.
        self.inner: list[Report] = []
        self._tuned: dict[int, tuple[Any, dict[Any, Any]]] = {}
        self._process = os.getpid()

    def tuned(self, kernel: Any) -> dict[Any, Any]:
        """What was chosen for a kernel of Triton with `@triton.autotune` in this session."""
        # The kernel is kept, so that no other one gets its number.
        return self._tuned.setdefault(id(kernel), (kernel, {}))[1]

    def launch(self, launch: Launch) -> Report:
        """Check a launch. If it did not come to its end, its arrays have no results: that is an error."""
        try:
            found = _launch.run(launch, self.settings)
        except CheckError as error:
            if error.report is not None:
                self._add(error.report)
                error.report = self.report
            raise
        self._add(found)
        ended = next((it for it in found.faults if it.ended), None)
        if ended is not None:
            raise CheckError(f"a fault ended the kernel `{launch.kernel}`:\n{found}", self.report)
        return found

    def _add(self, found: Report) -> None:
        self.report._extend(found)
        if os.getpid() == self._process:
            return
        # A forked process has a copy of the report, so it leaves a file.
        _from_children.mkdir(mode=0o700, exist_ok=True)
        file = _from_children / uuid.uuid4().hex
        file.write_text(json.dumps(found._to_data()), encoding="utf-8")
        file.rename(file.with_suffix(".json"))

    def collect(self) -> None:
        """Add what forked processes have found since the last time, also those that an earlier session forked."""
        if os.getpid() != self._process or not _from_children.is_dir():
            return
        for file in sorted(_from_children.glob("*.json")):
            self.report._extend(Report._of_data(json.loads(file.read_text(encoding="utf-8"))))
            file.unlink()
        with contextlib.suppress(OSError):
            _from_children.rmdir()


# Where forked processes leave what they find: one folder for a process and all that it forks.
_from_children = pathlib.Path(tempfile.gettempdir(), f"hirace-children-{uuid.uuid4().hex}")

# All sessions in the order of their beginning, and those that a thread or a task of asyncio began itself.
_sessions: list[Session] = []
_own: contextvars.ContextVar[tuple[Session, ...]] = contextvars.ContextVar("hirace_sessions", default=())
_lock = threading.RLock()


def current() -> Session:
    """The innermost session of this thread or task; that of the program if it began none, or if that has ended."""
    own = _own.get()
    has_own = bool(own) and own[-1] in _sessions and not own[-1].is_of_program
    return own[-1] if has_own else _sessions[-1]


def is_active() -> bool:
    return bool(_sessions)


def close(session: Session) -> None:
    """The report of a session is complete; the session around it, if there is one, knows it."""
    if is_active():
        current().inner.append(session.report)


class _Finder:
    """Intercepts launches of a library that the block imports after it began."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self.stack = stack
        self.busy = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in LIBRARIES or self.busy:
            return None
        self.busy = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy = False
        if spec is None or spec.loader is None:
            return None
        execute, stack = spec.loader.exec_module, self.stack

        def execute_and_intercept(module: Any) -> None:
            execute(module)
            with _lock:
                stack.enter_context(_intercepted(name))

        spec.loader.exec_module = execute_and_intercept  # type: ignore[method-assign]
        return spec


# What makes these libraries run kernels in Python, without a compiler.
SIMULATORS = {"triton": "TRITON_INTERPRET", "numba.cuda": "NUMBA_ENABLE_CUDASIM"}


def _intercepted(name: str) -> contextlib.AbstractContextManager[None]:
    variable = SIMULATORS[name]
    if os.environ.get(variable, "0").lower() not in ("", "0", "false", "off", "no"):
        raise HiraceError(f"{variable} is set: kernels run in Python, where hirace does not see them; unset it")
    block: contextlib.AbstractContextManager[None] = importlib.import_module(LIBRARIES[name]).intercepted()
    return block


@contextlib.contextmanager
def interception() -> Iterator[None]:
    """Triton and Numba launch under hirace in this block, if they are imported before its end."""
    stack = contextlib.ExitStack()
    finder = _Finder(stack)
    with _lock:
        for name in LIBRARIES:
            if name in sys.modules:
                stack.enter_context(_intercepted(name))
        sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        with _lock:
            sys.meta_path.remove(finder)
            stack.close()


@contextlib.contextmanager
def running(session: Session) -> Iterator[Session]:
    """Launches of this thread or task belong to this session in the block, and those of threads without one."""
    with interception():
        _sessions.append(session)
        _own.set((*_own.get(), session))
        try:
            yield session
        finally:
            _own.set(tuple(it for it in _own.get() if it is not session))
            _sessions.remove(session)
            session.collect()
            close(session)


@contextlib.contextmanager
def checking(*, raise_if_found: bool = False, allow_possible: bool = True, **options: Any) -> Iterator[Report]:
    """Check each launch in the block, and add what is found to the report that the block gets.

    Unmodified code runs: `kernel[grid](…)` of Triton with CPU tensors, `kernel[grid, block](…)` of Numba with
    arrays of `cuda.to_device` and the like. `raise_if_found` raises RaceError at the end of the block.
    The other options are those of `hirace.check`.
    """
    base = current().settings if is_active() else Settings()
    with running(Session(base.changed(options))) as session:
        yield session.report
    if raise_if_found:
        session.report.raise_if_found(allow_possible)
