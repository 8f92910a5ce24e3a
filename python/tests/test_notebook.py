"""Reports in notebooks."""

from __future__ import annotations

import pytest

interactiveshell = pytest.importorskip("IPython.core.interactiveshell")
pytest.importorskip("numba.cuda")

KERNEL = """
import numpy as np
from numba import cuda

@cuda.jit
def count(result):
    result[0] += 1
"""


@pytest.fixture
def shell():
    instance = interactiveshell.InteractiveShell()
    instance.run_line_magic("load_ext", "hirace")
    assert instance.run_cell(KERNEL).success
    return instance


def test_the_magic_shows_a_report(shell):
    report = shell.run_cell_magic("hirace", "--seed 3 --name found", "count[2, 32](cuda.to_device(np.zeros(1, np.int32)))")
    assert {it.code for it in report.races} >= {"HR003"}
    assert shell.user_ns["found"] is report
    page = report._repr_html_()
    assert page.startswith("<iframe") and "HR003" in page


def test_an_unknown_option_is_named(shell):
    with pytest.raises(ValueError, match="usage: %%hirace"):
        shell.run_cell_magic("hirace", "--fast", "pass")
