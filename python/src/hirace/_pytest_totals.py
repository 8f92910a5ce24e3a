"""What `pytest --hirace` says at the end of a run."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator

from hirace._report import count


@dataclasses.dataclass
class Totals:
    """Counts of launches, and findings that no failure shows."""

    tests: int = 0  # with launches that were judged
    launches: int = 0
    left_alone: int = 0  # launches in tests that are not to be checked
    own: int = 0  # launches in reports that tests judge themselves
    own_found: int = 0  # such reports in which something was found
    expected: list[str] = dataclasses.field(default_factory=list)  # what was found in tests that were expected to fail
    outside: list[str] = dataclasses.field(default_factory=list)  # reports of launches in no test

    def add(self, other: dict[str, Any]) -> None:
        """Add those of a worker of pytest-xdist."""
        for name, value in other.items():
            setattr(self, name, getattr(self, name) + value)

    def lines(self) -> Iterator[str]:
        yield f"{_launches(self.launches)} checked, in {count(self.tests, 'test')}"
        for text in self.expected:
            yield f"in a test that is expected to fail: {text}"
        if self.own:
            yield (
                f"judged by the tests: {_launches(self.own)} in reports of `hirace.check`, `checking()` and "
                f"`hirace_checking`; something was found in {self.own_found}"
            )
        if self.left_alone:
            yield (
                f"not checked: {_launches(self.left_alone)} in tests with `hirace(False)` or, with --hirace-marked, "
                "without the marker"
            )


def _launches(number: int) -> str:
    return count(number, "kernel launch", "es")
