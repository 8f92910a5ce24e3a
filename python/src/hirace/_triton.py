"""Triton: a driver for `triton.runtime.driver` whose launches are checked.

Triton compiles as for a GPU, with its own specialisation and cache, and its driver launches what it compiled.
This one hands the PTX and the arguments to the session.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import re
from types import SimpleNamespace
from typing import Any, Callable, Iterator

import numpy as np
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource
from triton.runtime.autotuner import Autotuner
from triton.runtime.cache import get_cache_manager
from triton.runtime.jit import JITFunction

from hirace import _arrays, _checking
from hirace._errors import HiraceError
from hirace._launch import Argument, Launch, Pointer, Scalar, Scratch, caller

PACKAGE = os.path.dirname(os.path.abspath(triton.__file__))

NUMBERS = {
    "i1": "u8", "u1": "u8", "i8": "s8", "i16": "s16", "i32": "s32", "i64": "s64",
    "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64",
    "fp16": "f16", "bf16": "bf16", "fp32": "f32", "f32": "f32", "fp64": "f64",
}  # fmt: skip

# Bytes of shared memory that a block can have.
SHARED = {80: 166912, 86: 101376, 89: 101376, 90: 232448}


class Launcher:
    """What Triton calls to launch a kernel: one object for each compiled kernel."""

    def __init__(self, source: Any, metadata: Any) -> None:
        self.metadata = metadata
        names = getattr(getattr(source, "fn", None), "arg_names", [])
        self.parameters = list(_parameters(source.signature, names))
        manager = get_cache_manager(metadata.hash)
        file = manager.get_file(f"{source.name[:150]}.ptx")
        if file is None:
            raise HiraceError("Triton kept no PTX of the kernel: unset TRITON_STORE_BINARY_ONLY")
        self.ptx = pathlib.Path(file).read_text(encoding="utf-8")
        entry = self.ptx.split(".entry", 1)[1].split(")", 1)[0]
        self.parameter_count = len(re.findall(r"\.param\b", entry))

    def __call__(self, x: int, y: int, z: int, stream: Any, function: Any, *rest: Any) -> None:
        _, launch_metadata, enter, leave, *values = rest
        metadata = self.metadata
        if enter is not None:
            enter(launch_metadata)
        count = getattr(metadata, "num_ctas", 1)
        arguments = [it for given in zip(self.parameters, values) for it in _arguments(*given)]
        grid = (int(x) * count, int(y), int(z))
        # Triton passes memory for the whole grid, and after it memory for its profiler.
        programs = int(np.prod(grid))
        sizes = [getattr(metadata, f"{it}_scratch_size", 0) or 0 for it in ("global", "profile")]
        hidden = zip(("scratch", "profiler scratch"), sizes)
        missing = self.parameter_count - len(arguments)
        arguments += [Scratch(name, size * programs) for name, size in list(hidden)[:missing]]
        launch = Launch(
            self.ptx,
            metadata.name,
            grid,
            (metadata.warp_size * metadata.num_warps,),
            arguments,
            shared=metadata.shared,
            cooperative=bool(getattr(metadata, "launch_cooperative_grid", False)),
            caller=caller((PACKAGE,)),
            # All lanes that have a number may store it, which the memory model calls a race.
            same_value_writes="benign",
        )
        if programs > 0:
            _checking.current().launch(launch)
        else:
            _checking.current().report._note(f"the grid {grid} of `{metadata.name}` is empty: nothing ran")
        if leave is not None:
            leave(launch_metadata)


def _parameters(signature: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    for number, (key, kind) in enumerate(signature.items()):
        fallback = names[number] if number < len(names) else f"argument {number}"
        yield (key if isinstance(key, str) else fallback), kind


def _arguments(parameter: tuple[str, Any], value: Any) -> Iterator[Argument]:
    """What the PTX kernel gets for a parameter: nothing for a constant, several values for a tuple."""
    name, kind = parameter
    if isinstance(kind, tuple):
        for number, inner in enumerate(zip(kind, value)):
            yield from _arguments((f"{name}[{number}]", inner[0]), inner[1])
    elif kind.startswith("tensordesc"):
        yield from _descriptor(name, kind, value)
    elif kind.startswith("*"):
        if value is None:
            yield Scalar("u64", 0)
            return
        found = _arrays.view_of(name, getattr(value, "base", value) if _is_wrapper(value) else value)
        if found is None:
            raise HiraceError(f"the argument `{name}` is a pointer; pass an array, not {type(value).__name__}")
        yield Pointer(name, found)
    elif kind in NUMBERS:
        yield Scalar(NUMBERS[kind], value)
    elif kind != "constexpr":
        raise HiraceError(f"hirace cannot pass the argument `{name}` of type `{kind}`")


def _is_wrapper(value: Any) -> bool:
    return type(value).__name__ == "TensorWrapper"


def _descriptor(name: str, kind: str, value: Any) -> Iterator[Argument]:
    """A tensor descriptor of the host, which is passed in its parts before sm_90."""
    if _checking.current().settings.architecture >= 90:
        raise HiraceError(
            f"the argument `{name}` is a tensor descriptor, which can be checked for sm_80 only; "
            "descriptors that the kernel makes can be checked for sm_90, too"
        )
    found = _arrays.view(value.base)
    if found is None:
        raise HiraceError(f"the tensor descriptor `{name}` describes no array")
    yield Pointer(name, found)
    for size in (*value.shape, *value.strides):
        yield Scalar("s64", int(size))
    yield Scalar("u8", int(getattr(value, "padding", "zero") == "nan"))
    yield Scalar("u8", int(getattr(value, "round_f32_to_tf32", False)))
    for size in value.shape:
        yield Scalar("s32", int(size))
    for size in value.strides:
        yield Scalar("s64", int(size))


class _Event:
    """An event of a device on which everything is done at once."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def record(self, *_: Any) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, _: Any) -> float:
        # So long that `triton.testing.do_bench` does not repeat the kernel.
        return 1e6


class Driver:
    """The interface of Triton's drivers, for a device that runs nothing but checks."""

    def __init__(self) -> None:
        self.launcher_cls = Launcher
        self.utils = SimpleNamespace(
            load_binary=lambda *_: (None, None, 0, 0, 1024),
            unload_module=lambda *_: None,
            get_device_properties=self._properties,
        )

    @staticmethod
    def is_active() -> bool:
        return _checking.is_active()

    def get_current_device(self) -> int:
        # Triton keeps compiled kernels by device. No GPU has this number.
        return -_checking.current().settings.architecture

    def set_current_device(self, _: Any) -> None:
        pass

    def get_current_stream(self, _: Any = None) -> int:
        return 0

    def get_device_capability(self, _: Any = None) -> tuple[int, int]:
        return divmod(_checking.current().settings.architecture, 10)

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", _checking.current().settings.architecture, 32)

    def get_active_torch_device(self) -> Any:
        try:
            import torch
        except ImportError:
            return "cpu"
        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        return SimpleNamespace(
            Event=_Event,
            synchronize=lambda *_: None,
            current_device=self.get_current_device,
            current_stream=lambda *_: SimpleNamespace(cuda_stream=0, synchronize=lambda: None),
            get_device_properties=self._properties,
        )

    def map_python_to_cpp_type(self, kind: str) -> str:
        from triton.backends.nvidia.driver import ty_to_cpp

        return str(ty_to_cpp(kind))

    def assemble_tensormap_to_arg(self, _: Any, arguments: Any) -> Any:
        return arguments

    def allocate_default_profile_scratch(self, size: int, *_: Any) -> Any:
        return _arrays.zeros(size, np.int8)

    def get_empty_cache_for_benchmark(self) -> Any:
        return _arrays.zeros(1, np.int8)

    def clear_cache(self, cache: Any) -> None:
        pass

    def get_benchmarker(self) -> Callable[..., Any]:
        return _benchmark

    def _properties(self, _: Any = None) -> dict[str, int]:
        architecture = _checking.current().settings.architecture
        return {
            "max_shared_mem": SHARED.get(architecture, 101376),
            "max_num_regs": 65536,
            "multiprocessor_count": 108,
            "warpSize": 32,
            "sm_clock_rate": 1410000,
            "mem_clock_rate": 1215000,
            "mem_bus_width": 5120,
        }


def _benchmark(call: Callable[[], Any], *arguments: Any, **options: Any) -> Any:
    """How long `@triton.autotune` thinks that a configuration takes: always the same, so that it takes the
    first one. With `autotune="all"`, each runs once, and is checked."""
    if _checking.current().settings.autotune == "all":
        call()
    quantiles = options.get("quantiles")
    return [1.0] * len(quantiles) if quantiles else 1.0


def _tune(self: Any, *arguments: Any, **options: Any) -> Any:
    """`Autotuner.run` with what the session tuned, so that it does not matter what ran before.

    What was tuned on a GPU stays as it is, in memory and on disk.
    """
    session = _checking.current()
    own = {"cache": session.tuned(self), "cache_results": False, "do_bench": _benchmark}
    before = {name: vars(self)[name] for name in own if name in vars(self)}
    vars(self).update(own)
    try:
        return _original_tune(
            self, *map(_tensor, arguments), **{name: _tensor(value) for name, value in options.items()}
        )
    finally:
        for name in own:
            del vars(self)[name]
        vars(self).update(before)
        if len(self.configs) > 1 and session.settings.autotune == "first":
            session.report._note(
                f"autotuning: one of {len(self.configs)} configurations of `{self.base_fn.__name__}` was run; "
                'autotune="all" runs all of them'
            )


def _hash(self: Any) -> str:
    """`ASTSource.hash` with the file of the kernel, which lines in the PTX name: copies of a file have their own."""
    file = self.fn.fn.__code__.co_filename
    return hashlib.sha256(f"{_original_hash(self)} {file}".encode()).hexdigest()


def _run(self: Any, *arguments: Any, **options: Any) -> Any:
    """`JITFunction.run` with NumPy arrays as tensors, which Triton would refuse."""
    return _original_run(
        self, *map(_tensor, arguments), **{name: _tensor(value) for name, value in options.items()}
    )


def _tensor(value: Any) -> Any:
    if isinstance(value, tuple):
        items = map(_tensor, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.name not in _arrays.TYPES:
        raise TypeError(f"a kernel of Triton takes no array of the type {value.dtype}")
    return _arrays.Tensor(value)


_original_run, _original_tune, _original_hash = JITFunction.run, Autotuner.run, ASTSource.hash
_depth = 0
_undo = contextlib.ExitStack()


@contextlib.contextmanager
def intercepted() -> Iterator[None]:
    """Triton launches into the current session in this block."""
    global _depth
    _depth += 1
    if _depth == 1:
        for owner, name, value in ((JITFunction, "run", _run), (Autotuner, "run", _tune), (ASTSource, "hash", _hash)):
            _undo.callback(setattr, owner, name, vars(owner)[name])
            setattr(owner, name, value)
        config = triton.runtime.driver
        attribute = "_active" if "_active" in vars(config) else "active"
        _undo.callback(setattr, config, attribute, vars(config)[attribute])
        config.set_active(Driver())
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _undo.close()
