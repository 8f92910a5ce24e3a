"""What tests of races share: a fixture that checks a program and returns hirace's report."""

import json
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parent.parent


@pytest.fixture
def check(tmp_path):
    """Return a function that builds and runs a program under hirace, and returns the report.

    It takes the program's source files, relative to the root of the project, and returns what
    `hirace report --schema` describes, with the report for people under `text`. Races are for
    the test to judge; a check that did not go through fails it.
    """

    def run(*sources):
        report = tmp_path / "report.json"
        command = ["hirace", "check", "--backend", "cpu", "--timeout", "60", "--seeds", "0..3"]
        command += ["--format", "json", "--output", report, "--cc-arg=-Iinclude", *sources]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if ended.returncode not in (0, 1):
            pytest.fail(ended.stdout + ended.stderr, pytrace=False)
        return json.loads(report.read_text()) | {"text": ended.stderr}

    return run
