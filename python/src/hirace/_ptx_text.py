"""PTX as text: the launch of one of its kernels."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any, Mapping

import numpy as np

from hirace import _arrays, _literals
from hirace._launch import Argument, Launch, Pointer, Scalar, caller

BYTES = {"u8": 1, "s8": 1, "b8": 1, "u16": 2, "s16": 2, "b16": 2, "f16": 2, "u32": 4, "s32": 4, "b32": 4}


def is_ptx(text: str | pathlib.Path) -> bool:
    if isinstance(text, pathlib.Path):
        return text.suffix == ".ptx"
    return re.search(r"^\s*\.version\s", text, re.MULTILINE) is not None


def launch(
    ptx: str | pathlib.Path, name: str | None, sizes: Any, given: Any, shared: int, cooperative: bool
) -> Launch:
    text = ptx.read_text(encoding="utf-8") if isinstance(ptx, pathlib.Path) else ptx
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    entries = dict(re.findall(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?", plain))
    if not entries:
        raise TypeError("the PTX has no kernel")
    if name is None and len(entries) != 1:
        raise TypeError(f"the PTX has {len(entries)} kernels; `name` says which: {', '.join(entries)}")
    kernel = name or next(iter(entries))
    if kernel not in entries:
        raise TypeError(f"the PTX has no kernel `{kernel}`; it has {', '.join(entries) or 'none'}")
    parameters = re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^,]*?([\w$]+)\s*(?:\[|,|$)", entries[kernel])
    # nvcc and Triton number the parameters; people who write PTX name them.
    names = [f"argument {n}" if re.search(r"param_?\d+$", it) else it for n, (_, it) in enumerate(parameters)]
    arguments = [_argument(*it) for it in zip(*_ordered(kernel, given, names), [kind for kind, _ in parameters])]
    cooperative = cooperative or "cudaCG" in text
    here = caller((os.path.dirname(os.__file__) + "/unittest",))
    origin = _literals.find(text) if isinstance(ptx, str) else None
    grid, block = sizes
    return Launch(ptx, kernel, grid, block, arguments, shared, cooperative, here, origin)


def _ordered(kernel: str, given: Any, names: list[str]) -> tuple[list[str], list[Any]]:
    """The names and the values of the arguments, in the order of the parameters.

    A mapping names parameters without a name of their own in their order.
    """
    if len(given) != len(names):
        count = f"{len(names)} parameter{'' if len(names) == 1 else 's'}"
        raise TypeError(f"kernel `{kernel}` has {count}, and {len(given)} {'is' if len(given) == 1 else 'are'} given")
    if not isinstance(given, Mapping):
        return names, list(given)
    if any(it.startswith("argument ") for it in names):
        return list(given), list(given.values())
    for it in given:
        if it not in names:
            raise TypeError(f"kernel `{kernel}` has no parameter `{it}`; it has {', '.join(names)}")
    return names, [given[it] for it in names]


def _argument(name: str, value: Any, kind: str) -> Argument:
    """The argument for a parameter of this type, as PTX names it."""
    found = _arrays.view_of(name, value)
    if found is None:
        return _number(name, value, kind)
    if BYTES.get(kind, 8) != 8 or kind == "f32":
        raise TypeError(f"the parameter `{name}` is `.{kind}`, and an array is given")
    return Pointer(name, found)


def _number(name: str, value: Any, kind: str) -> Scalar:
    if isinstance(value, np.generic):
        known = _arrays.TYPES.get(value.dtype.name)
        if known is None:
            raise TypeError(f"the argument `{name}` has the type {value.dtype}, which cannot be passed")
        return Scalar(known, value.item())
    size = BYTES.get(kind, 4 if kind == "f32" else 8)
    if value is None:
        return Scalar("u64", 0)
    if isinstance(value, float) and kind[0] in "us" and not value.is_integer():
        raise TypeError(f"the parameter `{name}` is `.{kind}`, and {value!r} is no integer")
    if isinstance(value, float) or (kind.startswith("f") and isinstance(value, int)):
        return Scalar(f"f{8 * size}", float(value))
    if isinstance(value, int):
        if not -(2 ** (8 * size - 1)) <= value < 2 ** (8 * size):
            raise TypeError(f"the parameter `{name}` is `.{kind}`, and {value!r} does not fit")
        if value >= 2**63:
            return Scalar("u64", value)
        return Scalar(f"{'u' if kind.startswith('u') and value >= 0 and size < 8 else 's'}{8 * size}", int(value))
    raise TypeError(f"the argument `{name}` is neither an array nor a number, but {type(value).__name__}")
