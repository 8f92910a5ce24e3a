"""Install Triton and Numba from PyPI into a directory of its own.

usage: install_ptx_compilers.py DIRECTORY

The last line printed is a Python that has them. Exit status 1 and a reason on standard error where
they cannot be had. Running it again is cheap.
"""

import pathlib
import subprocess
import sys

from install_build_tools import write_python
from install_nvcc import installers

REQUIREMENTS = pathlib.Path(__file__).with_name("ptx-compilers-requirements.txt")


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
            programs.mkdir(exist_ok=True)
            write_python(prefix, programs)
            print(programs / "python")
            return
    sys.exit("pip could not install Triton and Numba")


if __name__ == "__main__":
    main()
