"""Triton's compiler without a GPU."""

import re

import numpy as np
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from cases import Array, Case, Launch, Scalar

POINTERS = {
    "int8": "*i8", "int16": "*i16", "int32": "*i32", "int64": "*i64",
    "uint8": "*u8", "uint16": "*u16", "uint32": "*u32", "uint64": "*u64",
    "float16": "*fp16", "float32": "*fp32", "float64": "*fp64",
}  # fmt: skip
NUMBERS = {"s32": "i32", "s64": "i64", "u32": "u32", "u64": "u64", "f32": "fp32"}


def build(architecture, kernel, grid, arguments, constants, *, types=(), warps=4, stages=3, scratch=0):
    """The case of one launch of `kernel`.

    `arguments` has the arrays and numbers by parameter, and `constants` the values of `tl.constexpr`
    parameters. `types` replaces the types of some parameters, such as `*bf16`. Each program of the grid
    gets `scratch` bytes of global memory.
    """
    signature, attributes = {}, {}
    for at, name in enumerate(kernel.arg_names):
        if name in constants:
            signature[name] = "constexpr"
            continue
        argument = arguments[name]
        if isinstance(argument, Array):
            signature[name] = POINTERS[argument.first.dtype.name]
            aligned = True
        else:
            signature[name] = NUMBERS[argument.type]
            aligned = isinstance(argument.value, int) and argument.value % 16 == 0
        if aligned:
            # What Triton's launcher finds out about each argument.
            attributes[(at,)] = [["tt.divisibility", 16]]
    signature.update(types)
    source = ASTSource(kernel, signature, constexprs=constants, attrs=attributes)
    options = {"num_warps": warps, "num_stages": stages}
    compiled = triton.compile(source, target=GPUTarget("cuda", architecture, 32), options=options)
    ptx = compiled.asm["ptx"]
    given = [arguments[name] for name in kernel.arg_names if name not in constants]
    # Triton's launcher also passes memory for the whole grid.
    hidden = len(re.findall(r"\.param", ptx.split(".entry", 1)[1].split(")", 1)[0])) - len(given)
    room = max(1, scratch * int(np.prod(grid)))
    given += [Array(f"scratch{it}", np.zeros(room, np.uint8)) for it in range(hidden)]
    metadata = compiled.metadata
    launch = Launch(metadata.name, grid, (32 * metadata.num_warps,), given, shared=metadata.shared)
    return Case(ptx, [launch], '[check]\nsame-value-writes = "benign"\n')


__all__ = ["Array", "Scalar", "build"]
