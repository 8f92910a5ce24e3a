"""A launch of a kernel in PTX: its files, its check, and what it wrote."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import sys
import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np

from hirace import _command
from hirace._arrays import Buffer, View, buffers, kind_bytes
from hirace._errors import CheckError
from hirace._literals import Origin, renamed, with_origins
from hirace._report import Report, convert
from hirace._settings import Settings


@dataclass
class Scalar:
    """A number of a type that launch files have."""

    type: str
    value: int | float


@dataclass
class Pointer:
    """An array of the caller, and the name of the parameter."""

    name: str
    view: View


@dataclass
class Scratch:
    """Memory that the kernel has for itself, zeros at first."""

    name: str
    bytes: int


Argument = Scalar | Pointer | Scratch
Place = tuple[str, int]


@dataclass
class Launch:
    """One launch. `ptx` is a text, or the path of a file; `caller` is the line that reports name.

    `origin` is where the text stands in a Python file, if it is a literal.
    """

    ptx: str | pathlib.Path
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: list[Argument]
    shared: int = 0
    cooperative: bool = False
    caller: Place | None = None
    origin: Origin | None = None
    same_value_writes: str | None = None


def run(launch: Launch, settings: Settings) -> Report:
    """Check a launch, and write its results to the arrays of the caller."""
    with tempfile.TemporaryDirectory(prefix="hirace-") as place:
        folder = pathlib.Path(place)
        memory = buffers([it.view for it in launch.arguments if isinstance(it, Pointer)])
        _name(memory, launch)
        (folder / "launch.toml").write_text(_launch_file(launch, memory, folder), encoding="utf-8")
        file = str(_ptx_file(launch.ptx))
        files = [file, "--launch", str(folder / "launch.toml")]
        origins = {file: launch.origin} if launch.origin is not None else {}
        config = settings.configuration(launch.same_value_writes, folder)
        report = run_command([*files, *config], settings, folder, origins)
        try:
            _write_back(memory, folder)
        except ValueError as error:
            raise CheckError(f"{error}\n{report}", report) from None
        return report


def run_command(
    files: list[str], settings: Settings, folder: pathlib.Path, origins: dict[str, Origin]
) -> Report:
    """Run `hirace check` with the arguments `files`, and read the report. It names the `origins` of files."""
    json_file, text_file = folder / "report.json", folder / "report.txt"
    outputs = ["--format", "json", "--output", str(json_file), "--log-file", str(text_file)]
    # What follows `--` are arguments of the program.
    at = files.index("--") if "--" in files else len(files)
    _command.environment()
    done = _command.run(["check", *files[:at], *outputs, *settings.command_line(), *files[at:]])
    report = Report()
    if json_file.exists():
        text = text_file.read_text(encoding="utf-8", errors="replace") if text_file.exists() else ""
        data = json.loads(json_file.read_text(encoding="utf-8"))
        named = renamed(_without_empty_failure(data), origins)
        report._add(named, text if named == data else convert([json.dumps(named)], "human"), done.stdout)
    # A launch without accesses, such as one for an empty array, is no failure here.
    failed = done.returncode not in (0, 1) and (report.failure is not None or not report.launches)
    if not failed or report.launches:
        _show(done.stdout, done.stderr)
    if failed:
        # Of a program that ran, the report says what happened; otherwise the command says what is wrong.
        is_explained = any(_messages(it) for it in report._texts)
        said = "\n".join([*_messages(done.stderr), str(report)]) if is_explained else done.stderr.strip()
        raise CheckError(with_origins(said or f"`hirace check` ended with {done.returncode}", origins), report)
    return report


def _without_empty_failure(data: dict[str, Any]) -> dict[str, Any]:
    """A report whose launches made no access that is checked: a note says so, and why."""
    failure = data.get("failure") or {}
    if failure.get("kind") != "nothing-monitored" or not data["summary"]["launches"]:
        return data
    changed = {key: value for key, value in data.items() if key != "failure"}
    return {**changed, "status": "clean", "notes": [*data["notes"], failure["message"]]}


def _show(output: str, messages: str) -> None:
    """Pass on what the kernel printed, and what the executor said of it."""
    if output:
        sys.stdout.write(output)
    own = _messages(messages)
    if own:
        sys.stderr.write("\n".join(own) + "\n")


def _messages(text: str) -> list[str]:
    """The lines that are not the command's summary."""
    return [it for it in text.splitlines() if it and not it.startswith(("hirace: ", "coverage: "))]


def caller(skip: tuple[str, ...]) -> Place | None:
    """The innermost line of the stack that is not in a file below one of `skip`, nor in this package."""
    package = os.path.dirname(os.path.abspath(__file__))
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        inside = any(file.startswith(it.rstrip("/") + "/") for it in (package, *skip))
        if not inside and os.path.isfile(file):
            return os.path.abspath(file), frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _name(memory: list[Buffer], launch: Launch) -> None:
    """Name each buffer after the first parameter that points into it."""
    named: set[str] = set()
    for it in launch.arguments:
        if isinstance(it, Pointer):
            buffer = _buffer_of(memory, it.view)
            if not buffer.name:
                buffer.name = it.name if it.name not in named else f"{it.name} ({len(named)})"
                named.add(buffer.name)


def _buffer_of(memory: list[Buffer], view: View) -> Buffer:
    return next(it for it in memory if any(own is view for own in it.views))


def _ptx_file(ptx: str | pathlib.Path) -> pathlib.Path:
    """The PTX as a file whose path is always the same, so that its program is compiled once."""
    if isinstance(ptx, pathlib.Path):
        return ptx
    digest = hashlib.sha256(ptx.encode()).hexdigest()[:24]
    return stored(f"{digest}.ptx", ptx)


def stored(name: str, text: str) -> pathlib.Path:
    """A file with this text in the cache, whose name identifies the text."""
    folder = _command.cache_directory() / "python"
    path = folder / name
    if not path.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            written = tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8")
        except OSError:
            folder = pathlib.Path(tempfile.gettempdir()) / f"hirace-{os.getuid()}"
            folder.mkdir(mode=0o700, exist_ok=True)
            path = folder / name
            written = tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8")
        with written:
            written.write(text)
        os.replace(written.name, path)
    with contextlib.suppress(OSError):
        os.utime(path)
    return path


def _launch_file(launch: Launch, memory: list[Buffer], folder: pathlib.Path) -> str:
    lines = [
        "[[launch]]",
        f"kernel = {json.dumps(launch.kernel)}",
        f"grid = {[int(it) for it in launch.grid]}",
        f"block = {[int(it) for it in launch.block]}",
        f"dynamic-shared = {int(launch.shared)}",
        f"cooperative = {json.dumps(launch.cooperative)}",
    ]
    if launch.caller is not None:
        lines += [f"source = {json.dumps(launch.caller[0])}", f"line = {launch.caller[1]}"]
    defined: set[int] = set()
    for number, it in enumerate(launch.arguments):
        lines.append("[[launch.argument]]")
        if isinstance(it, Scalar):
            if it.type == "u64" and it.value >= 2**63:
                # A launch file has no such number; these are its bits.
                it = Scalar("s64", int(it.value) - 2**64)
            lines += [f'type = "{it.type}"', f"value = {_number(it)}"]
        elif isinstance(it, Scratch):
            lines += [f'name = "{it.name}"', 'type = "u8"', f"shape = [{max(1, it.bytes)}]"]
        else:
            lines += _pointer(it, memory, defined, folder)
    return "\n".join(lines) + "\n"


def _number(scalar: Scalar) -> str:
    if not scalar.type.startswith(("f", "b")):
        return str(int(scalar.value))
    value = float(scalar.value)
    text = repr(value)
    return text if any(it in text for it in ".ein") else f"{text}.0"


def _pointer(pointer: Pointer, memory: list[Buffer], defined: set[int], folder: pathlib.Path) -> list[str]:
    buffer = _buffer_of(memory, pointer.view)
    number = memory.index(buffer)
    lines = [f"name = {json.dumps(buffer.name)}"]
    lines += [f"offset = {pointer.view.address - buffer.start}"]
    if number in defined:
        return lines
    defined.add(number)
    file = f"{number}.npy"
    np.save(folder / file, _values(buffer))
    shape = list(buffer.shape)
    return [
        *lines,
        f'type = "{buffer.kind}"',
        f"shape = {shape}",
        f'file = "{file}"',
        f'output = "{number}.last.npy"',
    ]


FORMATS = {"s": "i", "u": "u", "f": "f", "b": "u"}


def _values(buffer: Buffer) -> np.ndarray[Any, Any]:
    """The buffer as an array of the type that its kind has in a file."""
    kind = buffer.kind
    dtype = np.dtype(f"<{FORMATS[kind[0]]}{kind_bytes(kind)}")
    return buffer.bytes().view(dtype).reshape(buffer.shape)


def _write_back(memory: list[Buffer], folder: pathlib.Path) -> None:
    for number, buffer in enumerate(memory):
        last = folder / f"{number}.last.npy"
        if last.exists():
            buffer.write_back(np.load(last))


def clear_stored(keep: int = 4096) -> None:
    """Remove the least recently used files of `stored` beyond `keep`."""
    folder = _command.cache_directory() / "python"
    files = sorted(folder.glob("*.*"), key=lambda it: it.stat().st_mtime, reverse=True) if folder.is_dir() else []
    for it in files[keep:]:
        it.unlink(missing_ok=True)


