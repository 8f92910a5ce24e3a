"""The examples of docs/python.md say what the page shows of them."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/python"


def output_of(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=EXAMPLES)
    return done.returncode, done.stdout + done.stderr


def shown(after):
    """The lines of a report in the page, in the block that follows a command."""
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    block = page.split(f"$ {after}\n", 1)[1].split("```", 1)[0]
    return [line for line in block.splitlines() if line.strip() and line.strip() != "…"]


@pytest.mark.parametrize(
    ("module", "command"),
    [("triton", "python triton_row_sums.py"), ("numba.cuda", "python numba_reverse.py")],
)
def test_scripts(module, command):
    pytest.importorskip(module)
    status, output = output_of(*command.split()[1:])
    assert status == 0, output
    for line in shown(command):
        assert line in output, f"{line!r} is not in:\n{output}"


def test_the_test():
    pytest.importorskip("numba.cuda")
    status, output = output_of("-m", "pytest", "-p", "no:cacheprovider", "-p", "hirace.pytest_plugin", "--hirace")
    assert status == 1, output
    assert re.search(r"^FAILED test_reverse.py::test_reverse", output, re.MULTILINE), output
    assert "HR001" in output
