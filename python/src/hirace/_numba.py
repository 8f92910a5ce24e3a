"""Numba: launches of `@cuda.jit` kernels are compiled to PTX and checked.

Numba compiles without a GPU if the types of the arguments are known. What needs a driver – launches, arrays in
device memory, streams, events – is replaced in a checked block: `_numba_device.py` has the stand-ins.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import re
import textwrap
from typing import Any, Iterator, Mapping, Sequence

import numpy as np
from numba import cuda
from numba.cuda import dispatcher as dispatching
from numba.cuda import types
from numba.cuda.args import ArgHint, In
from numba.cuda.dispatcher import CUDADispatcher, ForAll, _LaunchConfiguration
from numba.cuda.typing.typeof import Purpose, typeof

from hirace import _arrays, _checking, _numba_device, _sizes
from hirace._errors import HiraceError
from hirace._launch import Argument, Launch, Pointer, Scalar, caller
from hirace._numba_device import DeviceArray

PACKAGE = os.path.dirname(os.path.abspath(dispatching.__file__))

# Threads of a block for `kernel.forall(n)`, for which Numba asks the driver.
THREADS = 128

COOPERATIVE = re.compile(r"\bcudaCG\w+")


class Configured:
    """What `kernel[grid, block, stream, shared]` returns."""

    def __init__(self, dispatcher: Any, grid: Any, block: Any, stream: Any, shared: int) -> None:
        self.dispatcher = dispatcher
        self.griddim, self.blockdim = dispatching.normalize_kernel_dimensions(_sizes.grid(grid), _sizes.block(block))
        self.stream, self.sharedmem = stream, shared

    def __call__(self, *arguments: Any) -> None:
        launch = _launch(self.dispatcher, self.griddim, self.blockdim, arguments, self.sharedmem)
        _checking.current().launch(launch)


def _launch(kernel: Any, grid: Any, block: Any, arguments: Any, shared: int) -> Launch:
    if kernel.targetoptions.get("device"):
        raise HiraceError(f"`{kernel.__name__}` is a device function, not a kernel")
    if kernel.targetoptions.get("link"):
        raise HiraceError(f"`{kernel.__name__}` links other code, which hirace does not see: link={kernel.targetoptions['link']}")
    values = [_plain(it) for it in _bound(kernel.py_func, arguments)]
    if kernel.targetoptions.get("debug"):
        _checking.current().report._note(f"exceptions of `{kernel.__name__}`, which has `debug=True`, are not seen")
    signature = _signature(kernel, values)
    ptx = _compiled(kernel, signature)
    names = _names(kernel.py_func, len(values))
    flat = [it for given in zip(names, signature, values) for it in _flat(*given)]
    return Launch(
        ptx,
        _entry(ptx, kernel.py_func),
        tuple(grid),
        tuple(block),
        flat,
        shared=shared,
        cooperative=bool(COOPERATIVE.search(ptx)),
        caller=caller((PACKAGE,)),
    )


def _entry(ptx: str, function: Any) -> str:
    """The name of the kernel of a PTX text, which has one."""
    entry = re.search(r"\.entry\s+([\w$]+)", ptx)
    if entry is None:
        raise HiraceError(f"Numba compiled no kernel for `{function.__name__}`")
    return entry[1]


def _bound(function: Any, given: Any) -> Sequence[Any]:
    """The arguments in the order of the parameters, with defaults; `given` may be a mapping from their names."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(**given) if isinstance(given, Mapping) else signature.bind(*given)
    except TypeError as error:
        raise TypeError(f"kernel `{function.__name__}`: {error}") from None
    bound.apply_defaults()
    return bound.args


def _plain(value: Any) -> Any:
    """The host's array for a stand-in of a device array, and for cuda.In, Out and InOut."""
    if isinstance(value, In):
        # The host's array stays as it is.
        return np.copy(_plain(value.value))
    if isinstance(value, ArgHint):
        value = value.value
    if isinstance(value, DeviceArray):
        return value.host
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return tuple(map(_plain, value))
    if isinstance(value, _arrays.Tensor):
        return value.data
    if isinstance(value, np.ndarray) or np.isscalar(value) or isinstance(value, np.void):
        return value
    if hasattr(value, "data_ptr") or hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"):
        return np.asarray(value)
    return value


def _signature(kernel: Any, values: list[Any]) -> tuple[Any, ...]:
    given = tuple(typeof(it, Purpose.argument) for it in values)
    declared = getattr(kernel, "_hirace_signatures", None)
    if not declared or given in declared:
        return given
    fitting = [it for it in declared if len(it) == len(given) and all(map(_fits, given, it))]
    if not fitting:
        known = ", ".join(map(str, declared))
        raise TypeError(f"`{kernel.__name__}` has no signature for {given}; it has {known}")
    return tuple(fitting[0])


def _fits(given: Any, declared: Any) -> bool:
    if isinstance(declared, types.Array):
        same = isinstance(given, types.Array) and given.dtype == declared.dtype and given.ndim == declared.ndim
        return same and (declared.layout in ("A", given.layout)) and (given.mutable or not declared.mutable)
    return isinstance(given, types.Number) == isinstance(declared, types.Number)


_ptx: dict[Any, str] = {}


def _compiled(kernel: Any, signature: tuple[Any, ...]) -> str:
    architecture = divmod(_checking.current().settings.architecture, 10)
    options = kernel.targetoptions
    # Numba's own key of a function is its object, which lives as long as the kernel.
    chosen = tuple(repr(options.get(it)) for it in ("debug", "opt", "fastmath", "launch_bounds"))
    key = (kernel.py_func, signature, architecture, chosen)
    if key not in _ptx:
        lines = {"debug": True, "opt": False} if options.get("debug") else {"lineinfo": True, "opt": options.get("opt")}
        _ptx[key], _ = cuda.compile_ptx(
            kernel.py_func,
            signature,
            device=False,
            fastmath=bool(options.get("fastmath")),
            cc=architecture,
            launch_bounds=options.get("launch_bounds"),
            **lines,
        )
        _ptx[key] = _with_names(_ptx[key], kernel.py_func)
    return _ptx[key]


def _with_names(ptx: str, function: Any) -> str:
    """The PTX with the kernel's own names of its shared arrays, which Numba numbers in their order.

    They keep Numba's names if the kernel calls functions that have some, too, or if one name has several arrays.
    """
    numbers = sorted(set(map(int, re.findall(r"\b_cudapy_smem_(\d+)\b", ptx))))
    names = _shared_arrays(function)
    if len(numbers) != len(names) or len(set(names)) != len(names):
        return ptx
    for number, name in zip(numbers, names):
        if re.search(rf"\b{name}\b", ptx) is None:
            ptx = re.sub(rf"\b_cudapy_smem_{number}\b", name, ptx)
    return ptx


def _shared_arrays(function: Any) -> list[str]:
    """The variables that a function assigns shared arrays to, in the order of its text."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1:
            called, target = ast.unparse(node.value.func), node.targets[0]
            if called.endswith("shared.array") and isinstance(target, ast.Name):
                found.append((node.lineno, node.col_offset, target.id))
    return [it[2] for it in sorted(found)]


def _names(function: Any, count: int) -> list[str]:
    names = [it.name for it in inspect.signature(function).parameters.values()]
    return (names + [f"argument {it}" for it in range(len(names), count)])[:count]


def _flat(name: str, kind: Any, value: Any) -> Iterator[Argument]:
    """What the PTX kernel gets for an argument, as `_Kernel._prepare_args` of Numba passes it."""
    if isinstance(kind, types.Array):
        # The owner of the memory, the number of elements and their bytes, the data, the shape and the strides.
        for number in (0, 0, value.size, value.dtype.itemsize):
            yield Scalar("s64", number)
        yield _pointer(name, value)
        for number in (*value.shape, *value.strides):
            yield Scalar("s64", number)
    elif isinstance(kind, types.Record):
        yield _pointer(name, value)
    elif isinstance(kind, types.Boolean):
        yield Scalar("u8", int(value))
    elif isinstance(kind, types.Integer):
        yield Scalar(f"{'s' if kind.signed else 'u'}{kind.bitwidth}", _wrapped(int(value), kind))
    elif isinstance(kind, types.Float):
        yield Scalar(f"f{kind.bitwidth}", float(value))
    elif isinstance(kind, types.Complex):
        part = f"f{kind.bitwidth // 2}"
        yield Scalar(part, complex(value).real)
        yield Scalar(part, complex(value).imag)
    elif isinstance(kind, (types.NPDatetime, types.NPTimedelta)):
        yield Scalar("s64", int(np.asarray(value).view(np.int64)))
    elif isinstance(kind, types.BaseTuple):
        for number, inner in enumerate(zip(kind, value)):
            yield from _flat(f"{name}[{number}]", *inner)
    elif isinstance(kind, types.EnumMember):
        yield from _flat(name, kind.dtype, value.value)
    else:
        raise HiraceError(f"hirace cannot pass the argument `{name}` of type {kind}")


def _wrapped(value: int, kind: Any) -> int:
    """An integer as the bits of its type have it."""
    value &= (1 << kind.bitwidth) - 1
    is_negative = value >> (kind.bitwidth - 1) and kind.signed
    return value - (1 << kind.bitwidth) if is_negative else value


def _pointer(name: str, value: Any) -> Pointer:
    found = _arrays.view(value)
    assert found is not None
    return Pointer(name, found)


def check(kernel: Any, grid: Any, block: Any, arguments: Any, shared: int) -> None:
    """Launch a kernel into the current session. `kernel[grid, block]` has its sizes."""
    if isinstance(kernel, (Configured, _LaunchConfiguration)):
        if grid is not None or block is not None:
            raise TypeError("the sizes are given twice: in `kernel[…]` and by `grid` and `block`")
        dispatcher, grid, block, shared = kernel.dispatcher, kernel.griddim, kernel.blockdim, kernel.sharedmem
    else:
        dispatcher = kernel
    if grid is None or block is None:
        raise TypeError("a kernel of Numba needs `grid` and `block`")
    configured = Configured(dispatcher, grid, block, 0, shared)
    configured(*_bound(dispatcher.py_func, arguments))


def is_kernel(kernel: Any) -> bool:
    return isinstance(kernel, (CUDADispatcher, Configured, _LaunchConfiguration))


def _configure(self: Any, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> Configured:
    return Configured(self, griddim, blockdim, stream, sharedmem)


def _compile(self: Any, signature: Any) -> None:
    """`@cuda.jit("void(…)")` compiles for the GPU at once; here the types are kept for the launch."""
    arguments, _ = dispatching.sigutils.normalize_signature(signature)
    self.__dict__.setdefault("_hirace_signatures", []).append(tuple(arguments))


def _for_all(self: Any, *arguments: Any) -> None:
    if self.ntasks > 0:
        threads = self.thread_per_block or THREADS
        blocks = (self.ntasks + threads - 1) // threads
        Configured(self.dispatcher, blocks, threads, self.stream, self.sharedmem)(*arguments)


def _compile_device(self: Any, *arguments: Any, **options: Any) -> Any:
    """Functions that a kernel calls, with their lines."""
    before = self.targetoptions.get("lineinfo")
    self.targetoptions["lineinfo"] = not self.targetoptions.get("debug")
    try:
        return _original_compile_device(self, *arguments, **options)
    finally:
        self.targetoptions["lineinfo"] = before


_original_compile_device = CUDADispatcher.compile_device
_depth = 0
_undo = contextlib.ExitStack()


def _replace(owner: Any, name: str, value: Any) -> None:
    if not hasattr(owner, name):
        return
    before = vars(owner).get(name, getattr(owner, name))
    setattr(owner, name, value)
    _undo.callback(setattr, owner, name, before)


@contextlib.contextmanager
def intercepted() -> Iterator[None]:
    """Numba launches into the current session in this block."""
    global _depth
    _depth += 1
    if _depth == 1:
        _replace(CUDADispatcher, "configure", _configure)
        _replace(CUDADispatcher, "compile", _compile)
        # It asserts that something was compiled before.
        _replace(CUDADispatcher, "disable_compile", lambda *_: None)
        _replace(CUDADispatcher, "compile_device", _compile_device)
        _replace(CUDADispatcher, "specialize", lambda self, *_: self)
        _replace(ForAll, "__call__", _for_all)
        _numba_device.install(_replace, lambda: _checking.current().settings.architecture)
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _undo.close()


