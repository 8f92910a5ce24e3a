"""Install nvcc from PyPI into a directory of its own.

usage: install_nvcc.py DIRECTORY

Makes a virtual environment in DIRECTORY/venv, or, where Python came without
`ensurepip` (Debian's python3 without python3-venv), unpacks the packages into
DIRECTORY/site. The last line printed is the path of nvcc. Exit status 1 and a
reason on standard error where it cannot be had. Running it again is cheap.
"""

import pathlib
import sys

from pip_packages import install


def find_nvcc(prefix: pathlib.Path) -> pathlib.Path:
    """Return the nvcc that was installed somewhere below `prefix`."""
    found = sorted(prefix.glob("**/nvidia/**/bin/nvcc"))
    if not found:
        sys.exit(f"the packages were installed, but {prefix} holds no nvcc")
    return found[-1]


def link_usual_names(toolkit: pathlib.Path) -> None:
    """Add the names that build systems expect and wheels leave out.

    nvcc itself finds everything through nvcc.profile; CMake and hand-written
    makefiles look for lib64 and for libraries without a version.
    """
    lib = toolkit / "lib"
    if not lib.is_dir():
        return
    lib64 = toolkit / "lib64"
    if not lib64.exists():
        lib64.symlink_to("lib")
    for library in lib.glob("*.so.*"):
        plain = lib / (library.name.split(".so.")[0] + ".so")
        if not plain.exists():
            plain.symlink_to(library.name)


def finish(_: pathlib.Path, prefix: pathlib.Path) -> pathlib.Path:
    """Return the path of nvcc, with the usual names beside it."""
    nvcc = find_nvcc(prefix)
    link_usual_names(nvcc.parent.parent)
    return nvcc


if __name__ == "__main__":
    install(__doc__, "nvcc-requirements.txt", finish)
