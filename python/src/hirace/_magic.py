"""`%%hirace` in notebooks."""

from __future__ import annotations

import shlex
from typing import Any

from hirace._checking import Session, running
from hirace._settings import Settings

USAGE = "%%hirace [--seed N] [--explore N] [--architecture SM] [--name REPORT]"


def options_of(line: str) -> tuple[dict[str, Any], str | None]:
    """The options of the magic, and the variable that gets the report."""
    words, options, name = shlex.split(line), {}, None
    while words:
        key = words.pop(0)
        if key not in ("--seed", "--explore", "--architecture", "--name"):
            raise ValueError(f"unknown option {key}; usage: {USAGE}")
        if not words:
            raise ValueError(f"{key} needs a value; usage: {USAGE}")
        value = words.pop(0)
        if key == "--name":
            name = value
        else:
            options[key[2:]] = int(value)
    return options, name


def register(shell: Any) -> None:
    """Define the cell magic in a shell of IPython."""

    def hirace(line: str, cell: str) -> Any:
        """Run the cell with its launches checked, and show the report."""
        options, name = options_of(line)
        with running(Session(Settings().changed(options))) as session:
            done = shell.run_cell(cell)
        if name is not None:
            shell.user_ns[name] = session.report
        # An error in the cell has been shown already.
        done.raise_error() if done is not None and not session.report.launches else None
        return session.report

    shell.register_magic_function(hirace, "cell", "hirace")
