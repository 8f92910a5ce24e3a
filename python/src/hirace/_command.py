"""The command `hirace`, and the C++ compiler that it needs."""

from __future__ import annotations

import functools
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sysconfig

from hirace._errors import HiraceError

# What `hirace` itself looks for, besides CXX.
COMPILERS = ("c++", "g++", "clang++")

NO_COMPILER = (
    "no C++ compiler was found, which a check needs. Install g++ or clang++ "
    "(Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++; conda: conda install gxx), "
    "or run `pip install ziglang`, whose compiler hirace then uses. "
    "CXX names a compiler in another place"
)


def find_command() -> str:
    """The path of `hirace`: HIRACE_COMMAND, that of this installation, or the one on PATH."""
    named = os.environ.get("HIRACE_COMMAND")
    if named:
        if not os.access(named, os.X_OK):
            raise HiraceError(f"HIRACE_COMMAND names {named}, which is not a program")
        return os.path.abspath(named)
    # `pip install --target` puts the command below the directory of the package.
    here = pathlib.Path(__file__).resolve().parents[1]
    scripts = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", "posix_user")]
    for place in [*scripts, str(here / "bin")]:
        candidate = os.path.join(place, "hirace")
        if os.access(candidate, os.X_OK):
            return candidate
    found = shutil.which("hirace")
    if found is None:
        raise HiraceError("the command `hirace` was not found; install the package `hirace` again")
    return found


def c_library() -> pathlib.Path:
    """The C library, `libhirace.so`: docs/c-library.md. Its header `hirace.h` is beside it."""
    place = pathlib.Path(__file__).resolve().parent / "c" / "libhirace.so"
    if not place.is_file():
        raise HiraceError("this installation has no C library; the wheel contains it")
    return place


@functools.cache
def _compiler_from_pip() -> str | None:
    """The words that start the compiler of the package ziglang, if it is installed."""
    found = importlib.util.find_spec("ziglang")
    if found is None:
        return None
    # CXX is split at blanks.
    folder = pathlib.Path(found.origin).parent if found.origin else None
    program = folder / "zig" if folder else None
    if program is None or not program.exists() or " " in str(program):
        return None
    return f"{program} c++"


def environment(required: bool = True) -> dict[str, str]:
    """The environment of the command: CXX names the compiler of ziglang if there is no other one."""
    variables = dict(os.environ)
    if variables.get("CXX") or any(shutil.which(it) for it in COMPILERS):
        return variables
    compiler = _compiler_from_pip()
    if compiler is not None:
        variables["CXX"] = compiler
    elif required:
        raise HiraceError(NO_COMPILER)
    return variables


def run(arguments: list[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command, and captures what it prints."""
    return subprocess.run(
        [find_command(), *arguments],
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        text=True,
        errors="replace",
        env=environment(required=False),
    )


def version() -> str:
    """The version of the command, such as `hirace 0.1.0`."""
    return run(["--version"]).stdout.strip()


def cache_directory() -> pathlib.Path:
    """The cache of the command, as `hirace cache` shows it."""
    named = os.environ.get("HIRACE_CACHE")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "hirace"


