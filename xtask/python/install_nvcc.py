"""Install nvcc from PyPI into a directory of its own.

usage: install_nvcc.py DIRECTORY

Makes a virtual environment in DIRECTORY/venv, or, where Python came without
`ensurepip` (Debian's python3 without python3-venv), unpacks the packages into
DIRECTORY/site. The last line printed is the path of nvcc. Exit status 1 and a
reason on standard error where it cannot be had. Running it again is cheap.
"""

import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).with_name("nvcc-requirements.txt")


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


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[1]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    for pip, prefix in installers(directory):
        options = ["--quiet", "--disable-pip-version-check", "--requirement", REQUIREMENTS]
        # pip's own output goes to standard error: standard output holds the answer.
        if subprocess.run([*pip, *options], stdout=sys.stderr).returncode == 0:
            nvcc = find_nvcc(prefix)
            link_usual_names(nvcc.parent.parent)
            print(nvcc)
            return
    sys.exit("pip could not install the CUDA packages")


if __name__ == "__main__":
    main()
