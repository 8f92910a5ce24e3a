"""The package's types."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest


def test_they_are_strict(tmp_path):
    pytest.importorskip("mypy")
    project = pathlib.Path(__file__).resolve().parents[1]
    package = project / "src" / "hirace"
    assert (package / "py.typed").exists()
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), str(package)]
    found = subprocess.run(command, capture_output=True, text=True, cwd=project)
    assert found.returncode == 0, found.stdout
