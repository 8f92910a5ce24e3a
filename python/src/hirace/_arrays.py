"""Arrays of other libraries as memory, and the package's own stand-in for a tensor.

A launch gets the bytes of each array that is passed, and writes the bytes that changed back. Arrays that
share memory share it in the launch, too.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

# NumPy's types, as launch files name them. Others are passed as bytes.
TYPES = {
    "int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "f16", "float32": "f32", "float64": "f64", "bool": "u8",
}  # fmt: skip

# The types of PyTorch, and of `Tensor`, that NumPy lacks: how their bits are passed.
BITS = {"bfloat16": np.uint16, "bool": np.uint8, "complex64": np.float32, "complex128": np.float64}


@dataclass
class View:
    """Where an array is, and how it is laid out."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in bytes
    dtype: np.dtype[Any]
    kind: str  # as launch files name it
    writable: bool
    owner: object  # keeps the memory alive

    @property
    def extent(self) -> tuple[int, int]:
        """The first byte, and the one after the last."""
        if 0 in self.shape:
            return self.address, self.address
        reach = [(size - 1) * stride for size, stride in zip(self.shape, self.strides)]
        low = sum(it for it in reach if it < 0)
        high = sum(it for it in reach if it > 0) + self.dtype.itemsize
        return self.address + low, self.address + high

    @property
    def is_contiguous(self) -> bool:
        expected = self.dtype.itemsize
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size != 1 and stride != expected:
                return False
            expected *= size
        return True


def view(array: Any) -> View | None:
    """The memory of an array of any library, or None if it is not one."""
    if isinstance(array, Tensor):
        return _of_numpy(array.data, array.dtype_name, array)
    if isinstance(array, (np.ndarray, np.void)):
        return _of_numpy(np.asarray(array), array.dtype.name, array)
    if hasattr(array, "data_ptr") and hasattr(array, "element_size"):
        return _of_torch(array)
    if hasattr(array, "__array_interface__") and not np.isscalar(array):
        return _of_numpy(np.asarray(array), None, array)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        raise TypeError(f"{_name(array)} is in the memory of a GPU; copy it to the host first")
    return None


def view_of(name: str, value: Any) -> View | None:
    """`view` of an argument, which a message names."""
    try:
        return view(value)
    except TypeError as error:
        raise TypeError(f"the argument `{name}`: {error}") from None


def _name(array: object) -> str:
    return f"an array of type {type(array).__module__}.{type(array).__qualname__}"


def _of_numpy(array: np.ndarray[Any, Any], name: str | None, owner: object) -> View:
    dtype = array.dtype
    if dtype.hasobject:
        raise TypeError("an array of Python objects cannot be passed to a kernel")
    if dtype.byteorder == ">":
        raise TypeError("an array with the other byte order cannot be passed to a kernel")
    kind = "bf16" if name == "bfloat16" else TYPES.get(dtype.name, "u8")
    address = array.__array_interface__["data"][0]
    return View(address, array.shape, array.strides, dtype, kind, bool(array.flags.writeable), owner)


def _of_torch(tensor: Any) -> View:
    device = getattr(tensor, "device", None)
    place = str(getattr(device, "type", device) or "cpu")
    if place != "cpu":
        raise TypeError(f"a tensor on the device `{place}` cannot be checked; move it with `.cpu()`")
    name = str(tensor.dtype).rpartition(".")[2]
    size = int(tensor.element_size())
    dtype = np.dtype(BITS[name]) if name in BITS else _dtype(name, size)
    strides = tensor.stride() if callable(getattr(tensor, "stride", None)) else tensor.strides
    kind = "bf16" if name == "bfloat16" else TYPES.get(dtype.name, "u8")
    if dtype.itemsize != size:  # complex numbers
        dtype, kind = np.dtype((np.void, size)), "u8"
    shape = tuple(int(it) for it in tensor.shape)
    return View(int(tensor.data_ptr()), shape, tuple(int(it) * size for it in strides), dtype, kind, True, tensor)


def _dtype(name: str, size: int) -> np.dtype[Any]:
    try:
        dtype = np.dtype(name)
    except TypeError:
        # Such as float8_e4m3fn.
        return np.dtype(f"u{size}") if size in (1, 2, 4, 8) else np.dtype((np.void, size))
    return dtype


def _of_dlpack(array: Any) -> View:
    kind, _ = array.__dlpack_device__()
    if int(kind) != 1:
        raise TypeError(f"{_name(array)} is not in the memory of the host; copy it there first")
    return _of_numpy(np.from_dlpack(array), None, array)


@dataclass
class Buffer:
    """Memory that one or several arrays share, and its place in the launch."""

    start: int
    end: int
    views: list[View]
    name: str = ""

    @property
    def single(self) -> View | None:
        """The view that is the whole buffer in row-major order, if there is one."""
        whole = [it for it in self.views if it.is_contiguous and it.extent == (self.start, self.end)]
        same = {it.kind for it in self.views}
        return whole[0] if whole and len(same) == 1 else None

    @property
    def kind(self) -> str:
        """The type of its elements: that of all views, or bytes."""
        kinds = {(it.kind, it.dtype.itemsize) for it in self.views}
        if len(kinds) != 1:
            return "u8"
        kind, size = kinds.pop()
        aligned = all((edge - self.start) % size == 0 for it in self.views for edge in it.extent)
        return kind if aligned and kind_bytes(kind) == size else "u8"

    @property
    def shape(self) -> tuple[int, ...]:
        whole = self.single
        if whole is not None and kind_bytes(self.kind) == whole.dtype.itemsize:
            return whole.shape or (1,)
        return ((self.end - self.start) // kind_bytes(self.kind),)

    def bytes(self) -> np.ndarray[Any, Any]:
        """The memory itself."""
        count = self.end - self.start
        if count == 0:
            return np.zeros(0, np.uint8)
        return np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(self.start))

    def write_back(self, values: np.ndarray[Any, Any]) -> None:
        """Put the last values where the arrays are. Only bytes that changed are written."""
        now, last = self.bytes(), values.reshape(-1).view(np.uint8)
        changed = now != last
        if not changed.any():
            return
        if not any(it.writable for it in self.views):
            raise ValueError(f"the kernel wrote to `{self.name}`, which is a read-only array")
        now[changed] = last[changed]


def kind_bytes(kind: str) -> int:
    return {"b": 2}.get(kind[0]) or int(kind[1:]) // 8


def buffers(views: Sequence[View]) -> list[Buffer]:
    """The memory of all views: those that overlap are in one buffer."""
    found: list[Buffer] = []
    for it in sorted(views, key=lambda it: it.extent):
        start, end = it.extent
        last = found[-1] if found else None
        if last is not None and start != end and start < last.end:
            last.views.append(it)
            last.end = max(last.end, end)
        else:
            found.append(Buffer(start, end, [it]))
    return found


class Dtype(str):
    """The name of a type, with what Triton asks a type of PyTorch for."""

    itemsize: int
    is_floating_point: bool

    def __new__(cls, name: str, dtype: np.dtype[Any]) -> Dtype:
        made = super().__new__(cls, name)
        made.itemsize = int(dtype.itemsize)
        made.is_floating_point = name == "bfloat16" or dtype.kind == "f"
        return made


class Tensor:
    """An array with the interface by which Triton knows a tensor: a stand-in where PyTorch is missing.

    `data` is its NumPy array; it has `bfloat16` numbers as bits.
    """

    def __init__(self, data: Any, dtype: str | None = None) -> None:
        self.data = np.asarray(data)
        self.dtype_name = dtype or self.data.dtype.name
        if self.dtype_name == "bfloat16" and self.data.dtype != np.uint16:
            self.data = _bfloat16(self.data)
        self.device = "cpu"
        self.is_cuda = False

    @property
    def dtype(self) -> Dtype:
        return Dtype(self.dtype_name, self.data.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.data.shape)

    @property
    def ndim(self) -> int:
        return int(self.data.ndim)

    def dim(self) -> int:
        return int(self.data.ndim)

    def size(self, dimension: int | None = None) -> Any:
        return self.shape if dimension is None else self.shape[dimension]

    def stride(self, dimension: int | None = None) -> Any:
        strides = tuple(it // self.data.itemsize for it in self.data.strides)
        return strides if dimension is None else strides[dimension]

    def numel(self) -> int:
        return math.prod(self.shape)

    def element_size(self) -> int:
        return int(self.data.itemsize)

    def data_ptr(self) -> int:
        return int(self.data.__array_interface__["data"][0])

    def is_contiguous(self) -> bool:
        return bool(self.data.flags.c_contiguous)

    def contiguous(self) -> Tensor:
        return self if self.is_contiguous() else Tensor(np.ascontiguousarray(self.data), self.dtype_name)

    def clone(self) -> Tensor:
        return Tensor(self.data.copy(), self.dtype_name)

    def copy_(self, other: Tensor) -> Tensor:
        self.data[...] = other.data
        return self

    def zero_(self) -> Tensor:
        self.data[...] = 0
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        """The values; those of bfloat16 as float32."""
        if self.dtype_name == "bfloat16":
            return (self.data.astype(np.uint32) << 16).view(np.float32)
        return self.data

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        values = self.numpy()
        return values if dtype is None else values.astype(dtype)

    def __getitem__(self, key: Any) -> Tensor:
        return Tensor(self.data[key], self.dtype_name)

    def __setitem__(self, key: Any, value: Any) -> None:
        values = value.data if isinstance(value, Tensor) else value
        if self.dtype_name == "bfloat16" and not isinstance(value, Tensor):
            values = _bfloat16(np.asarray(value))
        self.data[key] = values

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"hirace.Tensor({self.numpy()!r}, dtype={self.dtype_name!r})"


def _bfloat16(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The bits of the nearest bfloat16 numbers, ties to even."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    quiet = np.where(np.isnan(values), np.uint32(0x7FC00000), rounded)
    return (quiet >> 16).astype(np.uint16)


def _numpy_dtype(dtype: Any) -> tuple[Any, str | None]:
    name = str(getattr(dtype, "name", dtype)).rpartition(".")[2]
    return (np.uint16, name) if name == "bfloat16" else (dtype, None)


def tensor(data: Any, dtype: Any = None) -> Tensor:
    """A tensor with these values; `dtype` as NumPy names it, or "bfloat16"."""
    if dtype is not None and _numpy_dtype(dtype)[1]:
        return Tensor(np.array(data, dtype=np.float32), "bfloat16")
    return Tensor(np.array(data, dtype=dtype))


def zeros(shape: Any, dtype: Any = np.float32) -> Tensor:
    kind, name = _numpy_dtype(dtype)
    return Tensor(np.zeros(shape, kind), name)


def empty(shape: Any, dtype: Any = np.float32) -> Tensor:
    kind, name = _numpy_dtype(dtype)
    return Tensor(np.empty(shape, kind), name)


def zeros_like(like: Any) -> Tensor:
    return Tensor(np.zeros_like(like.data if isinstance(like, Tensor) else like), getattr(like, "dtype_name", None))


def empty_like(like: Any) -> Tensor:
    return Tensor(np.empty_like(like.data if isinstance(like, Tensor) else like), getattr(like, "dtype_name", None))
