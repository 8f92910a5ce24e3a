"""Kernels with a planted race, each with its repaired twin.

A kernel gets the number RACE: with 1, it has the race. What a pair computes with 0 is compared with NumPy.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable

import hirace


@dataclass(frozen=True)
class Pair:
    """`launch(race)` runs the kernel and returns what it computed and what is right.

    `marks` are texts of the lines of both accesses, in any order.
    """

    launch: Callable[[int], tuple[Any, Any]]
    variable: str
    marks: tuple[str, str]

    @property
    def name(self) -> str:
        return self.launch.__name__

    def check(self, race: int) -> tuple[hirace.Report, Any, Any]:
        with hirace.checking() as report:
            computed, right = self.launch(race)
        return report, computed, right

    def lines(self) -> set[int]:
        """The lines that the marks name."""
        module = inspect.getmodule(self.launch)
        text = inspect.getsource(module).splitlines()
        found = [number for number, line in enumerate(text, 1) for mark in self.marks if mark in line]
        assert len(found) >= len(set(self.marks)), f"{self.name}: a mark is in no line"
        return set(found)


def assert_race(pair: Pair) -> None:
    report, _, _ = pair.check(1)
    races = [it for it in report.races if it.variable == pair.variable]
    assert races, f"no race on {pair.variable}: {report}"
    file = inspect.getfile(pair.launch)
    for access in races[0].accesses:
        assert access.file is not None and file.endswith(access.file.lstrip("./")), access
        assert access.line in pair.lines(), f"line {access.line} instead of {pair.lines()}:\n{report}"


def assert_repaired(pair: Pair) -> None:
    import numpy as np

    report, computed, right = pair.check(0)
    assert report.launches >= 1
    assert not report.races and not report.faults and report.failure is None, str(report)
    np.testing.assert_allclose(computed, right, rtol=1e-5, atol=1e-5)
