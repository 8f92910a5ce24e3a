# verdict: clean
"""Layer normalisation: mean and variance of each row, in several steps."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build


@triton.jit
def layer_norm(x, y, weight, bias, columns, epsilon, BLOCK: tl.constexpr):
    x += tl.program_id(0) * columns
    y += tl.program_id(0) * columns
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < columns, other=0.0)
    mean = tl.sum(total, axis=0) / columns
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        far = tl.where(at < columns, tl.load(x + at, mask=at < columns, other=0.0) - mean, 0.0)
        total += far * far
    scale = tl.rsqrt(tl.sum(total, axis=0) / columns + epsilon)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        normal = (tl.load(x + at, mask=inside) - mean) * scale
        tl.store(y + at, normal * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside), mask=inside)


def case(architecture):
    x = random(1).standard_normal((4, 300), dtype=np.float32)
    weight, bias = random(2).standard_normal((2, 300), dtype=np.float32)
    normal = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    arguments = {
        "x": Array("x", x),
        "y": Array("y", np.zeros_like(x), normal * weight + bias, 1e-4),
        "weight": Array("weight", weight),
        "bias": Array("bias", bias),
        "columns": Scalar("s32", 300),
        "epsilon": Scalar("f32", 1e-5),
    }
    return build(architecture, layer_norm, (4,), arguments, {"BLOCK": 128})
