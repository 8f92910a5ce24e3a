"""`hirace.check`: one launch of a kernel of any kind."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, Mapping, Sequence

from hirace import _checking, _cuda_text, _ptx_text, _sizes
from hirace._checking import Session
from hirace._errors import CheckError, HiraceError
from hirace._launch import Launch
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
      `shared`, or `kernel[grid, block]`, which has its sizes;
    - CUDA C++ as a text, a path (`.cu`) or a `cupy.RawKernel`, with the same; `name` is that of the kernel,
      such as `scale<float>`, if the text has several;
    - PTX as a text or a path (`.ptx`), with the same.

    `args` may be a mapping from the names of parameters.

    Options: seed, explore, architecture, timeout, config, suppressions, same_value_writes, predict,
    init_check, autotune and arguments (of `hirace check`). CheckError says why a kernel could not be checked.
    """
    settings, constants = _split(options)
    _sizes.shared(shared)
    if not isinstance(cooperative, bool):
        raise TypeError(f"`cooperative` is False or True, not {cooperative!r}")
    session = Session(settings)
    given = positional if args is None else args
    if args is not None and positional:
        raise TypeError("give the arguments of the kernel either in `args` or one after another")
    text = _cuda_text.text_of(kernel)
    if text is not None:
        _only_for_triton(constants)
        if grid is None or block is None:
            raise TypeError("a kernel that is text needs `grid` and `block`")
        sizes = (_sizes.grid(grid), _sizes.block(block))
        if _ptx_text.is_ptx(text):
            launch = _ptx_text.launch(text, name, sizes, given, shared, cooperative)
            _quietly(session, launch)
        else:
            name = name or _cuda_text.name_of(kernel)
            compiler = _cuda_text.options_of(kernel)
            session.report._extend(_cuda_text.run(text, name, sizes, given, shared, cooperative, compiler, settings))
        _checking.close(session)
    else:
        # A kernel of Triton may have parameters of these names, and has no such properties.
        named = {"block": (block, None), "shared": (shared, 0), "name": (name, None), "cooperative": (cooperative, False)}
        own = {key: value for key, (value, default) in named.items() if value is not default}
        with _checking.running(session):
            _call(session, kernel, (grid, block, shared), given, constants, own)
    return session.report.raise_if_found() if raise_if_found else session.report


def _quietly(session: Session, launch: Launch) -> None:
    """A launch whose faults are in the report, and no exception."""
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
    grid, block, shared = sizes
    try:
        if "numba.cuda" in sys.modules and _numba().is_kernel(kernel):
            _only_for_triton(constants)
            _numba().check(kernel, grid, block, given, shared)
        elif "triton" in sys.modules and (callable(kernel) or hasattr(kernel, "__getitem__")):
            _call_triton(kernel, grid, given, {**constants, **own})
        else:
            raise TypeError(f"hirace cannot check an object of type {type(kernel).__name__}")
    except CheckError:
        if not session.report.faults and not session.report.races:
            raise
    if not session.report.launches and session.report.failure is None:
        raise HiraceError("; ".join(["no kernel was launched", *session.report.notes]))


def _call_triton(kernel: Any, grid: Any, given: Any, named: dict[str, Any]) -> None:
    """Call `kernel[grid]`, or what a caller made of it."""
    from triton.runtime.jit import KernelInterface

    if grid is not None:
        kernel = kernel[grid if callable(grid) else _sizes.grid(grid)]
    elif isinstance(kernel, KernelInterface):
        raise TypeError("a kernel of Triton needs its grid: hirace.check(kernel[grid], …)")
    if isinstance(given, Mapping):
        kernel(**given, **named)
    else:
        kernel(*given, **named)


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


def check_triton_file(
    path: str | os.PathLike[str], *args: Any, grid: Any, kernel: str | None = None, **options: Any
) -> Report:
    """Check a kernel of a file of Triton code, such as one that `torch.compile` wrote.

    Only the functions with `@triton.jit` are used, also those in texts that the file hands to a compiler. What
    else decorates them, such as the heuristics of PyTorch, is left out: give block sizes as constants.
    """
    from hirace import _triton_file

    return check(_triton_file.load(pathlib.Path(path), kernel), *args, grid=grid, **options)
