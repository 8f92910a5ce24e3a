"""What the tests of the package share."""

from __future__ import annotations

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

pytest_plugins = ["pytester"]


def pytest_configure(config: pytest.Config) -> None:
    # Triton announces a default that will change.
    config.addinivalue_line("filterwarnings", "ignore:TRITON_DEFAULT_FP_FUSION")
