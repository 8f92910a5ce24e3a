"""The wheel, as pip installed it: `cargo xtask test --only python` builds it, and names the folder."""

import ctypes
import os
import pathlib
import subprocess
import sys

import pytest

SITE = os.environ.get("HIRACE_TEST_WHEEL", "")
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"

pytestmark = pytest.mark.skipif(not SITE, reason="HIRACE_TEST_WHEEL names no folder with the wheel")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    left_out = ("HIRACE_COMMAND", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS")
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    environment["PYTHONPATH"] = SITE
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=EXAMPLES
    )


def test_the_command_is_that_of_the_wheel() -> None:
    found = run("-c", "import hirace; print(hirace.find_command())")
    assert found.stdout.strip() == os.path.join(SITE, "bin", "hirace")
    assert run("-m", "hirace", "--version").stdout.startswith("hirace ")


def test_nothing_else_is_imported() -> None:
    found = run("-c", "import hirace, sys; print([it for it in ('torch', 'triton', 'numba') if it in sys.modules])")
    assert found.stdout.strip() == "[]"


def test_the_tutorial_finds_its_races() -> None:
    for name, code in (("triton_row_sums.py", "HR003"), ("numba_reverse.py", "HR001")):
        found = run(name)
        assert found.returncode == 0, found.stderr
        assert code in found.stdout + found.stderr


def test_pytest_finds_the_plugin() -> None:
    found = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--hirace", "test_reverse.py")
    assert found.returncode == 1
    assert "HR001" in found.stdout


def test_the_c_library_loads() -> None:
    found = run("-c", "import hirace; print(hirace.c_library())")
    place = pathlib.Path(found.stdout.strip())
    assert place.with_name("hirace.h").is_file()
    ctypes.CDLL(str(place)).hirace_api_version
