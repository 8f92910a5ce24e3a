"""Stand-ins for what Numba has in the memory of a GPU. A stream does everything at once."""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Any, Callable, Iterator

import numpy as np


class DeviceArray:
    """An array of `cuda.to_device` or `cuda.device_array`; `host` has its values."""

    def __init__(self, host: np.ndarray[Any, Any]) -> None:
        self.host = host

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "strides", "dtype", "size", "ndim", "nbytes", "itemsize"):
            return getattr(self.host, name)
        raise AttributeError(f"a device array has no attribute `{name}`")

    @property
    def alloc_size(self) -> int:
        return int(self.host.nbytes)

    @property
    def T(self) -> DeviceArray:
        return self.transpose()

    @property
    def __array_interface__(self) -> Any:
        return self.host.__array_interface__

    def transpose(self, axes: Any = None) -> DeviceArray:
        return DeviceArray(self.host.transpose(axes))

    def reshape(self, *shape: Any, **options: Any) -> DeviceArray:
        reshaped = self.host.reshape(*shape, **options)
        if not np.shares_memory(reshaped, self.host) and self.host.size:
            raise NotImplementedError("reshaping needs a copy")
        return DeviceArray(reshaped)

    def ravel(self, order: str = "C") -> DeviceArray:
        return self.reshape(-1, order=order)

    def view(self, dtype: Any) -> DeviceArray:
        return DeviceArray(self.host.view(dtype))

    def squeeze(self, axis: Any = None, stream: Any = 0) -> DeviceArray:
        return DeviceArray(self.host.squeeze(axis))

    def split(self, section: int, stream: Any = 0) -> Iterator[DeviceArray]:
        for start in range(0, len(self.host), section):
            yield DeviceArray(self.host[start : start + section])

    def is_c_contiguous(self) -> bool:
        return bool(self.host.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        return bool(self.host.flags.f_contiguous)

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        if ary is None:
            return self.host.copy(order="K")
        ary[...] = self.host
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        self.host[...] = _host(ary)

    def bind(self, stream: Any = 0) -> DeviceArray:
        return self

    def getitem(self, item: Any, stream: Any = 0) -> Any:
        return self[item]

    def setitem(self, key: Any, value: Any, stream: Any = 0) -> None:
        self[key] = value

    def __getitem__(self, key: Any) -> Any:
        part = self.host[key]
        return DeviceArray(part) if isinstance(part, np.ndarray) else part

    def __setitem__(self, key: Any, value: Any) -> None:
        self.host[key] = _host(value)

    def __len__(self) -> int:
        return len(self.host)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.host, dtype=dtype)

    def __repr__(self) -> str:
        return f"<device array of {self.host.shape}, {self.host.dtype}>"


def _host(value: Any) -> Any:
    return value.host if isinstance(value, DeviceArray) else value


def _array(shape: Any, dtype: Any, strides: Any, order: Any) -> np.ndarray[Any, Any]:
    if strides is None:
        whole: np.ndarray[Any, Any] = np.empty(shape, dtype, order)
        return whole
    shape = shape if isinstance(shape, tuple) else (shape,)
    size = np.dtype(dtype).itemsize
    bytes_needed = size + sum((count - 1) * abs(step) for count, step in zip(shape, strides)) if 0 not in shape else 0
    return np.ndarray(shape, dtype, np.empty(bytes_needed, np.uint8).data, strides=strides)


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> DeviceArray:
    values = np.asarray(_host(obj))
    if to is None:
        return DeviceArray(np.array(values, copy=True, order="K") if copy else np.empty_like(values))
    target: DeviceArray = to
    if copy:
        target.copy_to_device(values)
    return target


def device_array(shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C", stream: Any = 0) -> DeviceArray:
    return DeviceArray(_array(shape, dtype, strides, order))


def device_array_like(ary: Any, stream: Any = 0) -> DeviceArray:
    return DeviceArray(np.empty_like(_host(ary)))


def host_array(shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C", **_: Any) -> Any:
    """Memory that host and device share: pinned, mapped and managed."""
    return _array(shape, dtype, strides, order)


def host_array_like(ary: Any, *_: Any, **__: Any) -> Any:
    return np.empty_like(_host(ary))


class Stream:
    """Work that is done as soon as it is submitted."""

    handle = types.SimpleNamespace(value=0)

    def synchronize(self) -> None:
        pass

    @contextlib.contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        yield self

    def add_callback(self, callback: Callable[..., Any], arg: Any = None) -> None:
        callback(self, 0, arg)

    def __int__(self) -> int:
        return 0


class Event:
    def record(self, stream: Any = 0) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def wait(self, stream: Any = 0) -> None:
        pass

    def query(self) -> bool:
        return True

    def elapsed_time(self, end: Any) -> float:
        return 0.0


def device(architecture: int) -> Any:
    """What Numba tells of a GPU."""
    return types.SimpleNamespace(
        id=0,
        name="hirace",
        compute_capability=divmod(architecture, 10),
        supports_float16=True,
        supports_bfloat16=True,
        supports_fp8=architecture >= 89,
        WARP_SIZE=32,
        MULTIPROCESSOR_COUNT=108,
        MAX_THREADS_PER_BLOCK=1024,
        MAX_BLOCK_DIM_X=1024,
        MAX_BLOCK_DIM_Y=1024,
        MAX_BLOCK_DIM_Z=64,
        MAX_GRID_DIM_X=2**31 - 1,
        MAX_GRID_DIM_Y=65535,
        MAX_GRID_DIM_Z=65535,
        MAX_SHARED_MEMORY_PER_BLOCK=49152,
        MAX_THREADS_PER_MULTI_PROCESSOR=2048,
    )


class Context:
    """`cuda.current_context()`, and an entry of `cuda.gpus`."""

    def __init__(self, of: Callable[[], Any]) -> None:
        self._of = of

    @property
    def device(self) -> Any:
        return self._of()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of(), name)

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def reset(self) -> None:
        pass

    def get_memory_info(self) -> Any:
        return types.SimpleNamespace(free=2**34, total=2**34)


@contextlib.contextmanager
def _nothing(*_: Any, **__: Any) -> Iterator[None]:
    yield


def install(replace: Callable[[Any, str, Any], None], architecture: Callable[[], int]) -> None:
    """Put the stand-ins where programs and Numba itself look for them."""
    current = lambda: device(architecture())  # noqa: E731
    context = Context(current)
    stand_ins = {
        "to_device": to_device,
        "device_array": device_array,
        "device_array_like": device_array_like,
        **dict.fromkeys(("pinned_array", "mapped_array", "managed_array"), host_array),
        **dict.fromkeys(("pinned_array_like", "mapped_array_like"), host_array_like),
        **dict.fromkeys(("pinned", "mapped", "defer_cleanup", "profiling"), _nothing),
        **dict.fromkeys(
            ("stream", "default_stream", "legacy_default_stream", "per_thread_default_stream", "external_stream"),
            lambda *_: Stream(),
        ),
        "event": lambda *_, **__: Event(),
        **dict.fromkeys(("synchronize", "close", "profile_start", "profile_stop"), lambda: None),
        "is_available": lambda: True,
        "detect": lambda: True,
        "cuda_error": lambda: None,
        **dict.fromkeys(("is_float16_supported", "is_bfloat16_supported"), lambda: True),
        "get_current_device": current,
        "current_context": lambda *_: context,
        "select_device": lambda *_: context,
        "list_devices": lambda: [context],
        "gpus": [context],
        "is_cuda_array": lambda it: isinstance(it, DeviceArray) or hasattr(it, "__cuda_array_interface__"),
    }
    names = ["numba.cuda", "numba.cuda.api"]
    for name in names:
        for key, value in stand_ins.items():
            replace(sys.modules[name], key, value)
    # Numba compiles functions that a kernel calls for the current device.
    for name in ("dispatcher", "compiler", "memory_management.nrt"):
        module = sys.modules.get(f"numba.cuda.{name}")
        if module is not None:
            replace(module, "get_current_device", current)
