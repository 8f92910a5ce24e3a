# verdict: clean
"""A sorting network for each row."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def sort(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(y + at, tl.sort(tl.load(x + at)))


def case(architecture):
    x = random(1).integers(-1000, 1000, (4, 128)).astype(np.int32)
    arguments = {"x": Array("x", x), "y": Array("y", np.zeros_like(x), np.sort(x, axis=1))}
    return build(architecture, sort, (1,), arguments, {"ROWS": 4, "COLUMNS": 128})
