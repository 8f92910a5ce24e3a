"""The sizes of grids and blocks, with the limits of CUDA (CUDA C++ Programming Guide, Technical Specifications)."""

from __future__ import annotations

import math
import operator
from typing import Any, Sequence

MOST_THREADS = 1024
MOST_SHARED = 227 * 1024
BLOCK_LIMITS = (1024, 1024, 64)
GRID_LIMITS = (2**31 - 1, 65535, 65535)


def grid(value: Any, least: int = 1) -> tuple[int, ...]:
    """The blocks of a grid in each dimension."""
    return _checked("grid", value, GRID_LIMITS, least)


def block(value: Any) -> tuple[int, ...]:
    """The threads of a block in each dimension."""
    found = _checked("block", value, BLOCK_LIMITS, 1)
    if math.prod(found) > MOST_THREADS:
        raise ValueError(f"`block` is {value!r}, which is {math.prod(found)} threads; a block has at most {MOST_THREADS}")
    return found


def shared(value: Any) -> int:
    """Bytes of dynamic shared memory of a block."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"`shared` is a number of bytes, not {value!r}") from None
    if not 0 <= number <= MOST_SHARED:
        raise ValueError(f"`shared` is {value!r}, and a block has 0 to {MOST_SHARED} bytes of shared memory")
    return number


def _checked(name: str, value: Any, limits: tuple[int, ...], least: int) -> tuple[int, ...]:
    given = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
    try:
        numbers = tuple(map(operator.index, given))
    except TypeError:
        raise TypeError(f"`{name}` is an integer or a tuple of up to three, not {value!r}") from None
    if not 1 <= len(numbers) <= 3:
        raise TypeError(f"`{name}` has one to three dimensions, not {len(numbers)}: {value!r}")
    for axis, number, most in zip("xyz", numbers, limits):
        if not least <= number <= most:
            raise ValueError(f"`{name}` is {value!r}, and {axis} can be {least} to {most}")
    return numbers
