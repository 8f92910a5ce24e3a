# verdict: clean
"""Arithmetic of `bf16`, whose arrays hold the bits."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def swish(x, y, z, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at).to(tl.float32)
    tl.store(y + at, (value * tl.sigmoid(value)).to(tl.bfloat16))
    both = tl.load(x + at) + tl.load(x + at)
    tl.store(z + at, tl.maximum(both, 0.25))


def bits(numbers):
    """The nearest numbers of 16 bits."""
    words = numbers.astype(np.float32).view(np.uint32)
    return ((words + 0x7FFF + (words >> 16 & 1)) >> 16).astype(np.uint16)


def numbers(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def case(architecture):
    x = bits(random(1).standard_normal(256))
    value = numbers(x)
    arguments = {
        "x": Array("x", x),
        "y": Array("y", np.zeros_like(x), bits(value / (1 + np.exp(-value))), 2e-4),
        "z": Array("z", np.zeros_like(x), bits(np.maximum(2 * value, 0.25))),
    }
    types = {name: "*bf16" for name in arguments}
    return build(architecture, swish, (2,), arguments, {"BLOCK": 128}, types=types)
