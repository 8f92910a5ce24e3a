"""Where the text of a kernel stands in the Python file that has it as a literal, and reports that name this place."""

from __future__ import annotations

import ast
import contextlib
import os
import pathlib
import re
import sys
import textwrap
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Origin:
    """Where a file that this package wrote comes from.

    Its first line is `line` of `file`; if `is_line`, all of it stands for that line, as a launcher does for the call. In
    `file`, each line begins `indent` columns further right, and the first one `first` columns.
    """

    file: str
    line: int
    is_line: bool = False
    indent: int = 0
    first: int = 0

    def place(self, line: int) -> int:
        return self.line if self.is_line else self.line + line - 1

    def shift(self, line: int) -> int:
        return self.first if line == 1 else self.indent


def find(text: str) -> Origin | None:
    """The literal with this text in a file of the stack."""
    package = os.path.dirname(os.path.abspath(__file__))
    seen = set()
    frame = sys._getframe(1)
    while frame is not None:
        file = os.path.abspath(frame.f_code.co_filename)
        if file not in seen and not file.startswith(package + os.sep) and os.path.isfile(file):
            seen.add(file)
            found = _in_file(file, text)
            if found is not None:
                return found
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _in_file(file: str, text: str) -> Origin | None:
    try:
        source = pathlib.Path(file).read_text(encoding="utf-8")
        # Most texts have no escapes, so one of their lines is in the file as it is.
        longest = max(text.splitlines(), key=len, default="").strip()
        if longest not in source:
            return None
        tree = ast.parse(source)
    except (OSError, ValueError, SyntaxError):
        return None
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and text.strip() and _is_plain(node):
            found = _in_literal(file, lines, node, node.value, text)
            if found is not None:
                return found
    return None


def _is_plain(node: ast.Constant) -> bool:
    """Whether the lines of the literal are those of its value: no `\\n` in it, and no line that goes on."""
    return (node.end_lineno or 0) - node.lineno == str(node.value).count("\n")


def _in_literal(file: str, lines: list[str], node: ast.Constant, value: str, text: str) -> Origin | None:
    start = lines[node.lineno - 1].encode()[node.col_offset :].decode()
    # Prefixes such as `r`, and the quotes.
    quotes = len(start) - len(start.lstrip("rRuUbB"))
    quotes += 3 if start[quotes : quotes + 3] in ('"""', "'''") else 1
    at = value.find(text)
    if at >= 0:
        before = value[:at]
        column = at - before.rfind("\n") - 1
        first = column if "\n" in before else _columns(lines, node) + quotes + column
        return Origin(file, node.lineno + before.count("\n"), first=first)
    plain = textwrap.dedent(value)
    at = plain.find(text)
    if at >= 0:
        # `dedent` empties blank lines, and takes the same columns from all others.
        pairs = zip(value.splitlines(), plain.splitlines())
        indent = max((len(it) - len(short) for it, short in pairs if short.strip()), default=0)
        return Origin(file, node.lineno + plain[:at].count("\n"), indent=indent, first=indent)
    return None


def _columns(lines: list[str], node: ast.Constant) -> int:
    return len(lines[node.lineno - 1].encode()[: node.col_offset].decode())


def with_origins(message: str, origins: dict[str, Origin]) -> str:
    """A message, such as a compiler's, with places in files that this package wrote as places of their origins."""

    def place(found: re.Match[str]) -> str:
        return f"{origin.file}:{origin.place(int(found[1]))}"

    for path, origin in origins.items():
        message = re.sub(rf"(?<![\w/]){re.escape(path)}:(\d+)(?::\d+)?", place, message)
    return message


def renamed(report: dict[str, Any], origins: dict[str, Origin]) -> dict[str, Any]:
    """A report in JSON, with places in files that this package wrote as places of their origins."""
    result: dict[str, Any] = _renamed(report, origins)
    if result != report:
        # The command would edit the files that this package wrote.
        result["repair"] = ""
        result["sources"] = _sources(result.get("sources") or [], {it.file for it in origins.values()})
    return result


def _renamed(data: Any, origins: dict[str, Origin]) -> Any:
    if isinstance(data, list):
        return [_renamed(it, origins) for it in data]
    if not isinstance(data, dict):
        return data
    result = {key: _renamed(value, origins) for key, value in data.items()}
    origin = origins.get(str(data.get("file")))
    if origin is not None:
        line = data.get("line")
        result["file"] = origin.file
        if isinstance(line, int):
            result["line"] = origin.place(line)
            for key in ("column", "end_column"):
                if isinstance(data.get(key), int):
                    result[key] = data[key] + origin.shift(line)
    return result


def _sources(sources: list[dict[str, Any]], new: set[str]) -> list[dict[str, Any]]:
    """Each file once; those that are `new` with their own digests."""
    found = {it["file"]: it for it in sources}
    for file in new & found.keys():
        with contextlib.suppress(OSError):
            found[file] = {**found[file], "digest": f"{digest(pathlib.Path(file).read_bytes()):016x}"}
    return list(found.values())


def digest(text: bytes) -> int:
    """The command's digest of a file: FNV-1a with the finaliser of splitmix64 (`crates/model/src/table.rs`)."""
    mask = 2**64 - 1
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 & mask
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & mask
    value = (value ^ value >> 27) * 0x94D049BB133111EB & mask
    return value ^ value >> 31
