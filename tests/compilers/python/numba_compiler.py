"""Numba's compiler without a GPU."""

import re
import types as types_of_modules

import numpy as np
from numba import cuda, from_dtype, types
from numba.cuda import api, dispatcher

from cases import Array, Case, Launch, Scalar

NUMBERS = {"s32": types.int32, "s64": types.int64, "f32": types.float32, "f64": types.float64}


def flattened(array):
    """What Numba passes for an array: its owner, its size, its data, its shape and its strides."""
    values = array.first
    sizes = [0, 0, values.size, values.itemsize]
    before = [Scalar("s64", it) for it in sizes]
    after = [Scalar("s64", it) for it in values.shape + values.strides]
    if values.dtype.names:
        # Launch files have no structures: these are bytes.
        plain = lambda it: None if it is None else it.view(np.uint8).reshape(-1)  # noqa: E731
        array = Array(array.name, plain(values), plain(array.last), array.tolerance)
    return [*before, array, *after]


def build(architecture, function, grid, block, arguments, *, shared=0, cooperative=False, debug=False):
    """The case of one launch of `function`, which is not compiled yet."""
    signature = []
    for it in arguments:
        if isinstance(it, Array):
            signature.append(types.Array(from_dtype(it.first.dtype), it.first.ndim, "C"))
        else:
            signature.append(NUMBERS[it.type])
    target = (architecture // 10, architecture % 10)
    # Functions that a kernel calls are compiled for the current device, which may be missing.
    device = types_of_modules.SimpleNamespace(compute_capability=target)
    for module in (api, dispatcher):
        module.get_current_device = lambda: device
    lines = {"debug": True, "opt": False} if debug else {"lineinfo": True}
    ptx, _ = cuda.compile_ptx(function, tuple(signature), device=False, cc=target, **lines)
    kernel = re.search(r"\.entry\s+([\w$]+)", ptx).group(1)
    given = []
    for it in arguments:
        given += flattened(it) if isinstance(it, Array) else [it]
    return Case(ptx, [Launch(kernel, grid, block, given, shared, cooperative)])


__all__ = ["Array", "Scalar", "build", "cuda"]
