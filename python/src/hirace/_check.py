"""`hirace.check`: one launch of a kernel of any kind."""

from __future__ import annotations

import os
import pathlib
import re
import sys
from typing import Any, Mapping, Sequence

import numpy as np

from hirace import _arrays, _checking, _cuda_text, _literals
from hirace._checking import Session
from hirace._errors import HiraceError
from hirace._launch import Argument, Launch, Pointer, Scalar, caller
from hirace._report import Report
from hirace._settings import Settings

Size = int | Sequence[int]


def check(
    kernel: Any,
    *positional: Any,
    grid: Size | None = None,
    block: Size | None = None,
    args: Sequence[Any] | Mapping[str, Any] | None = None,
    shared: int = 0,
    name: str | None = None,
    cooperative: bool = False,
    raise_if_found: bool = False,
    **options: Any,
) -> Report:
    """Run a kernel once on the CPU, report its races and faults, and write its results to its arrays.

    `kernel` is one of

    - `kernel[grid]` of Triton; its arguments follow, constants by name;
    - a kernel of Numba (`@cuda.jit`), with `grid`, `block`, `args`, and bytes of dynamic shared memory in
      `shared`;
    - CUDA C++ as a text, a path (`.cu`) or a `cupy.RawKernel`, with the same; `name` is that of the kernel,
      such as `scale<float>`, if the text has several;
    - PTX as a text or a path (`.ptx`), with the same.

    Options: seed, explore, architecture, timeout, config, suppressions, same_value_writes, predict,
    init_check, autotune and arguments (of `hirace check`). CheckError says why a kernel could not be checked.
    """
    settings, constants = _split(options)
    session = Session(settings)
    given = positional if args is None else args
    if args is not None and positional:
        raise TypeError("give the arguments of the kernel either in `args` or one after another")
    text = _cuda_text.text_of(kernel)
    if text is not None:
        _only_for_triton(constants)
        if grid is None or block is None:
            raise TypeError("a kernel that is text needs `grid` and `block`")
        sizes = (_size(grid), _size(block))
        if _is_ptx(text):
            launch = _ptx_launch(text, name, sizes, given, shared, cooperative)
            _quietly(session, launch)
        else:
            name = name or _cuda_text.name_of(kernel)
            compiler = _cuda_text.options_of(kernel)
            session.report._extend(_cuda_text.run(text, name, sizes, given, shared, cooperative, compiler, settings))
    else:
        # A kernel of Triton may have parameters of these names, and has no such properties.
        named = {"block": (block, None), "shared": (shared, 0), "name": (name, None), "cooperative": (cooperative, False)}
        own = {key: value for key, (value, default) in named.items() if value is not default}
        with _checking.running(session):
            _call(session, kernel, (grid, block, shared), given, constants, own)
    return session.report.raise_if_found() if raise_if_found else session.report


def _quietly(session: Session, launch: Launch) -> None:
    """A launch whose faults are in the report, and no exception."""
    from hirace._errors import CheckError

    try:
        session.launch(launch)
    except CheckError:
        if not session.report.faults and not session.report.races:
            raise


def _call(
    session: Session,
    kernel: Any,
    sizes: tuple[Any, Any, int],
    given: Any,
    constants: dict[str, Any],
    own: dict[str, Any],
) -> None:
    from hirace._errors import CheckError

    grid, block, shared = sizes
    given = list(given.values()) if isinstance(given, Mapping) else given
    try:
        if "numba.cuda" in sys.modules and _numba().is_kernel(kernel):
            _only_for_triton(constants)
            if grid is None or block is None:
                raise TypeError("a kernel of Numba needs `grid` and `block`")
            _numba().check(kernel, _plain(grid), _plain(block), given, shared)
        elif "triton" in sys.modules and callable(kernel) and grid is None:
            kernel(*given, **constants, **own)
        elif "triton" in sys.modules and hasattr(kernel, "__getitem__"):
            kernel[grid if callable(grid) else _size(grid)](*given, **constants, **own)
        else:
            raise TypeError(f"hirace cannot check an object of type {type(kernel).__name__}")
    except CheckError:
        if not session.report.faults and not session.report.races:
            raise
    if not session.report.launches and session.report.failure is None:
        raise HiraceError("no kernel was launched")


def _numba() -> Any:
    from hirace import _numba

    return _numba


def _split(options: dict[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """The options of the check, and the constants of a kernel."""
    known = set(Settings.__dataclass_fields__)
    own = {key: value for key, value in options.items() if key in known}
    rest = {key: value for key, value in options.items() if key not in known}
    base = _checking.current().settings if _checking.is_active() else Settings()
    return base.changed(own), rest


def _only_for_triton(constants: dict[str, Any]) -> None:
    if constants:
        known = ", ".join(sorted(Settings.__dataclass_fields__))
        raise TypeError(f"unknown option `{next(iter(constants))}`; known are {known}")


def _plain(size: Any) -> Any:
    return tuple(map(int, size)) if isinstance(size, Sequence) else int(size)


def _size(size: Size) -> tuple[int, ...]:
    return (int(size),) if not isinstance(size, Sequence) else tuple(map(int, size))


def _is_ptx(text: str | pathlib.Path) -> bool:
    if isinstance(text, pathlib.Path):
        return text.suffix == ".ptx"
    return re.search(r"^\s*\.version\s", text, re.MULTILINE) is not None


BYTES = {"u8": 1, "s8": 1, "b8": 1, "u16": 2, "s16": 2, "b16": 2, "f16": 2, "u32": 4, "s32": 4, "b32": 4}


def _ptx_launch(
    ptx: str | pathlib.Path, name: str | None, sizes: Any, given: Any, shared: int, cooperative: bool
) -> Launch:
    text = ptx.read_text(encoding="utf-8") if isinstance(ptx, pathlib.Path) else ptx
    entries = dict(re.findall(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?", text))
    if name is None and len(entries) != 1:
        raise TypeError(f"the PTX has {len(entries)} kernels; `name` says which: {', '.join(entries)}")
    kernel = name or next(iter(entries))
    parameters = re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^,]*?([\w$]+)\s*(?:\[|,|$)", entries.get(kernel) or "")
    # nvcc and Triton number the parameters; people who write PTX name them.
    own = {number: name for number, (_, name) in enumerate(parameters) if not re.search(r"param_?\d+$", name)}
    arguments = list(arguments_of(given, [kind for kind, _ in parameters], own))
    cooperative = cooperative or "cudaCG" in text
    here = caller((os.path.dirname(os.__file__) + "/unittest",))
    origin = _literals.find(text) if isinstance(ptx, str) else None
    grid, block = sizes
    return Launch(ptx, kernel, grid, block, arguments, shared, cooperative, here, origin)


def arguments_of(given: Any, kinds: list[str], names: Mapping[int, str] = {}) -> list[Argument]:
    """The arguments for parameters of these types, as PTX names them, and with these names."""
    numbered = ((names.get(n, f"argument {n}"), it) for n, it in enumerate([] if isinstance(given, Mapping) else given))
    pairs = given.items() if isinstance(given, Mapping) else numbered
    arguments: list[Argument] = []
    for number, (name, value) in enumerate(pairs):
        found = _arrays.view(value)
        kind = kinds[number] if number < len(kinds) else "b64"
        arguments.append(Pointer(name, found) if found is not None else _number(name, value, kind))
    return arguments


def _number(name: str, value: Any, kind: str) -> Scalar:
    if isinstance(value, np.generic):
        known = _arrays.TYPES.get(value.dtype.name)
        if known is None:
            raise TypeError(f"the argument `{name}` has the type {value.dtype}, which cannot be passed")
        return Scalar(known, value.item())
    size = BYTES.get(kind, 4 if kind == "f32" else 8)
    if value is None:
        return Scalar("u64", 0)
    if isinstance(value, float) or (kind.startswith("f") and isinstance(value, int)):
        return Scalar(f"f{8 * size}", float(value))
    if isinstance(value, int):
        return Scalar(f"{'u' if kind.startswith('u') and value >= 0 and size < 8 else 's'}{8 * size}", int(value))
    raise TypeError(f"the argument `{name}` is neither an array nor a number, but {type(value).__name__}")


def check_triton_file(
    path: str | os.PathLike[str], *args: Any, grid: Any, kernel: str | None = None, **options: Any
) -> Report:
    """Check a kernel of a file of Triton code, such as one that `torch.compile` wrote.

    Only the functions with `@triton.jit` are used, also those in texts that the file hands to a compiler. What
    else decorates them, such as the heuristics of PyTorch, is left out: give block sizes as constants.
    """
    from hirace import _triton_file

    return check(_triton_file.load(pathlib.Path(path), kernel)[grid if callable(grid) else _size(grid)], *args, **options)
