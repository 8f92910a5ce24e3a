"""Install maturin, cargo-zigbuild and zig from PyPI into a directory of its own.

usage: install_release_tools.py DIRECTORY

The last line printed is the directory of their programs, with a Python that has them. Exit status 1 and a
reason on standard error where they cannot be had. Running it again is cheap.
"""

import pathlib

from pip_packages import install


def finish(directory: pathlib.Path, prefix: pathlib.Path) -> pathlib.Path:
    """Return the directory that holds the programs."""
    return prefix / "bin"


if __name__ == "__main__":
    install(__doc__, "release-tools-requirements.txt", finish)
