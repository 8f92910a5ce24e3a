"""What the scripts that install packages from PyPI into a directory of their own share."""

import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable


def installers(directory: pathlib.Path):
    """Yield pip commands and where each puts packages, the preferred one first."""
    venv = directory / "venv"
    made = subprocess.run([sys.executable, "-m", "venv", venv])
    if made.returncode == 0:
        yield [venv / "bin" / "python", "-m", "pip", "install"], venv
    else:
        shutil.rmtree(venv, ignore_errors=True)
    site = directory / "site"
    # pip does not replace what an interrupted run left in a --target directory.
    shutil.rmtree(site, ignore_errors=True)
    yield [sys.executable, "-m", "pip", "install", "--target", site], site


def write_python(prefix: pathlib.Path, programs: pathlib.Path) -> None:
    """Write `python`, a Python that has the packages below `prefix`."""
    environment = prefix / "bin" / "python"
    if environment.exists():
        # Called by a link, it would not know its packages.
        line = f'exec "{environment}" "$@"'
    else:
        line = f'PYTHONPATH="{prefix}" exec "{sys.executable}" "$@"'
    python = programs / "python"
    python.write_text(f"#!/bin/sh\n{line}\n")
    python.chmod(0o755)


def install(usage: str, requirements: str, finish: Callable[[pathlib.Path, pathlib.Path], pathlib.Path]) -> None:
    """Install what a file beside this one lists into the directory that the command line names.

    Prints what `finish` returns for that directory and for the place of the packages in it.
    """
    if len(sys.argv) != 2:
        sys.exit(usage)
    directory = pathlib.Path(sys.argv[1]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    listed = pathlib.Path(__file__).with_name(requirements)
    for pip, prefix in installers(directory):
        command = [*pip, "--quiet", "--disable-pip-version-check", "--requirement", listed]
        # pip's own output goes to standard error: standard output holds the answer.
        if subprocess.run(command, stdout=sys.stderr).returncode == 0:
            print(finish(directory, prefix))
            return
    sys.exit(f"pip could not install what {requirements} lists")
