"""Install Triton and Numba from PyPI into a directory of its own.

usage: install_ptx_compilers.py DIRECTORY

The last line printed is a Python that has them. Exit status 1 and a reason on standard error where
they cannot be had. Running it again is cheap.
"""

import pathlib

from pip_packages import install, write_python


def finish(directory: pathlib.Path, prefix: pathlib.Path) -> pathlib.Path:
    """Return the Python."""
    programs = directory / "bin"
    programs.mkdir(exist_ok=True)
    write_python(prefix, programs)
    return programs / "python"


if __name__ == "__main__":
    install(__doc__, "ptx-compilers-requirements.txt", finish)
