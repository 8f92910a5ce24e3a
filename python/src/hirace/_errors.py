"""What the package raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hirace._report import Report


class HiraceError(Exception):
    """The base of all exceptions of this package."""


class CheckError(HiraceError):
    """A kernel could not be checked, or a fault ended it. `report` has what was found until then."""

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report = report


class RaceError(HiraceError):
    """Races or faults were found; `report` has them."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report
