"""Planted races in Triton kernels, and their repaired twins, on unmodified `kernel[grid](…)` calls."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

triton = pytest.importorskip("triton")
import triton.language as tl  # noqa: E402

import hirace  # noqa: E402
from pairs import Pair, assert_race, assert_repaired  # noqa: E402

BLOCK = 128


@triton.jit
def reverse_kernel(x, between, y, N: tl.constexpr, RACE: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(between + at, tl.load(x + at))  # reverse: write
    if RACE == 0:
        tl.debug_barrier()
    tl.store(y + at, tl.load(between + N - 1 - at))  # reverse: read


def reverse(race):
    x, between, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32), np.zeros(256, np.float32)
    reverse_kernel[(1,)](x, between, y, 256, race)
    return y, x[::-1]


@triton.jit
def neighbours_kernel(x, y, n, N: tl.constexpr, RACE: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    right = tl.load(x + at + 1, mask=at + 1 < n, other=0.0)  # neighbours: read
    if RACE:
        tl.store(x + at, right)  # neighbours: write
    else:
        tl.store(y + at, right)


def neighbours(race):
    x, y = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    right = np.append(x[1:], 0)
    neighbours_kernel[(4,)](x, y, 512, BLOCK, race)
    return y, right


@triton.jit
def histogram_kernel(keys, counts, N: tl.constexpr, RACE: tl.constexpr):
    key = tl.load(keys + tl.program_id(0) * N + tl.arange(0, N))
    if RACE:
        tl.store(counts + key, tl.load(counts + key) + 1)  # histogram: update
    else:
        tl.atomic_add(counts + key, 1)


def histogram(race):
    keys = np.random.default_rng(1).integers(0, 16, 512).astype(np.int32)
    counts = np.zeros(16, np.int32)
    histogram_kernel[(4,)](keys, counts, BLOCK, race)
    return counts, np.bincount(keys, minlength=16)


@triton.jit
def total_kernel(x, total, N: tl.constexpr, RACE: tl.constexpr):
    part = tl.sum(tl.load(x + tl.program_id(0) * N + tl.arange(0, N)))
    if RACE:
        tl.store(total, tl.load(total) + part)  # total: update
    else:
        tl.atomic_add(total, part)


def total(race):
    x, result = np.arange(512, dtype=np.float32), np.zeros(1, np.float32)
    total_kernel[(4,)](x, result, BLOCK, race)
    return result, [x.sum()]


@triton.jit
def overlap_kernel(x, y, step, n, N: tl.constexpr):
    at = tl.program_id(0) * step + tl.arange(0, N)
    tl.store(y + at, tl.load(x + at, mask=at < n) + tl.program_id(0), mask=at < n)  # overlap: write


def overlap(race):
    x, y = np.zeros(512, np.float32), np.zeros(512, np.float32)
    overlap_kernel[(4,)](x, y, 96 if race else BLOCK, 512, BLOCK)
    return y, np.arange(4).repeat(BLOCK)


@triton.jit
def ready_kernel(x, parts, count, out, N: tl.constexpr, PROGRAMS: tl.constexpr, RACE: tl.constexpr):
    number = tl.program_id(0)
    part = tl.sum(tl.load(x + number * N + tl.arange(0, N)))
    tl.store(parts + number, part)  # ready: write
    tl.debug_barrier()
    if RACE:
        before = tl.atomic_add(count, 1, sem="relaxed")
    else:
        before = tl.atomic_add(count, 1, sem="acq_rel")
    if before == PROGRAMS - 1:
        tl.store(out, tl.sum(tl.load(parts + tl.arange(0, PROGRAMS))))  # ready: read


def ready(race):
    x, parts = np.arange(512, dtype=np.float32), np.zeros(4, np.float32)
    count, out = np.zeros(1, np.int32), np.zeros(1, np.float32)
    ready_kernel[(4,)](x, parts, count, out, BLOCK, 4, race)
    return out, [x.sum()]


@triton.jit
def locked_kernel(lock, value, RACE: tl.constexpr):
    if RACE == 0:
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
    tl.store(value, tl.load(value) + 1)  # locked: update
    tl.debug_barrier()
    if RACE == 0:
        tl.atomic_xchg(lock, 0)


def locked(race):
    lock, value = np.zeros(1, np.int32), np.zeros(1, np.int32)
    locked_kernel[(4,)](lock, value, race)
    return value, [4]


@triton.jit
def transpose_kernel(x, y, SIZE: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0) * N + tl.arange(0, N)
    column = tl.program_id(1) * N + tl.arange(0, N)
    tile = tl.load(x + row[:, None] * SIZE + column[None, :])  # transpose: read
    tl.store(y + column[None, :] * SIZE + row[:, None], tile)  # transpose: write


def transpose(race):
    x = np.arange(1024, dtype=np.float32).reshape(32, 32)
    right = x.T.copy()
    y = x if race else np.zeros_like(x)
    transpose_kernel[(2, 2)](x, y, 32, 16)
    return y, right


@triton.jit
def rows_kernel(x, y, columns, pitch, N: tl.constexpr, RACE: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, N)
    value = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    if RACE:
        tl.store(y + row * pitch + at, value + row)  # rows: write
    else:
        tl.store(y + row * pitch + at, value + row, mask=at < columns)


def rows(race):
    x, y = np.ones((4, 100), np.float32), np.zeros(4 * 100 + 28, np.float32)
    rows_kernel[(4,)](x, y, 100, 100, BLOCK, race)
    return y[:400].reshape(4, 100), x + np.arange(4)[:, None]


@triton.jit
def largest_kernel(x, most, N: tl.constexpr, RACE: tl.constexpr):
    own = tl.max(tl.load(x + tl.program_id(0) * N + tl.arange(0, N)))
    if RACE:
        if own > tl.load(most):  # largest: read
            tl.store(most, own)  # largest: write
    else:
        tl.atomic_max(most, own)


def largest(race):
    x, most = np.arange(512, dtype=np.int32), np.zeros(1, np.int32)
    largest_kernel[(4,)](x, most, BLOCK, race)
    return most, [511]


@triton.jit
def scatter_kernel(x, target, y, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + tl.load(target + at), tl.load(x + at))  # scatter: write


def scatter(race):
    random = np.random.default_rng(2)
    x, y = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    target = (random.integers(0, 512, 512) if race else random.permutation(512)).astype(np.int32)
    scatter_kernel[(4,)](x, target, y, BLOCK)
    right = np.zeros(512)
    right[target] = x
    return y, right


@triton.jit
def message_kernel(data, flag, out, RACE: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(data, 42)  # message: write
        tl.debug_barrier()
        if RACE:
            tl.atomic_xchg(flag, 1, sem="relaxed")
        else:
            tl.atomic_xchg(flag, 1, sem="release")
    else:
        while tl.atomic_add(flag, 0, sem="acquire") == 0:
            pass
        tl.store(out, tl.load(data))  # message: read


def message(race):
    data, flag, out = (np.zeros(1, np.int32) for _ in range(3))
    message_kernel[(2,)](data, flag, out, race)
    return out, [42]


@triton.jit
def carry_kernel(x, sums, N: tl.constexpr, RACE: tl.constexpr, PROGRAMS: tl.constexpr):
    if RACE:
        number = tl.program_id(0)
        part = tl.sum(tl.load(x + number * N + tl.arange(0, N)))
        before = tl.load(sums + number - 1, mask=number > 0, other=0.0)  # carry: read
        tl.store(sums + number, before + part)  # carry: write
    elif tl.program_id(0) == 0:
        before = 0.0
        for number in range(PROGRAMS):
            before += tl.sum(tl.load(x + number * N + tl.arange(0, N)))
            tl.store(sums + number, before)


def carry(race):
    x, sums = np.ones(512, np.float32), np.zeros(4, np.float32)
    carry_kernel[(4,)](x, sums, BLOCK, race, 4)
    return sums, [128, 256, 384, 512]


@triton.jit
def stages_kernel(x, work, N: tl.constexpr, STEPS: tl.constexpr, RACE: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(work + at, tl.load(x + at))
    for _ in range(STEPS):
        tl.debug_barrier()
        value = tl.load(work + (at + 1) % N)  # stages: read
        if RACE == 0:
            tl.debug_barrier()
        tl.store(work + at, value)  # stages: write


def stages(race):
    x, work = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    stages_kernel[(1,)](x, work, 256, 3, race)
    return work, np.roll(x, -3)


@triton.jit
def slots_kernel(x, count, out, N: tl.constexpr, RACE: tl.constexpr):
    number = tl.program_id(0)
    value = tl.sum(tl.load(x + number * N + tl.arange(0, N)))
    if RACE:
        slot = tl.load(count)  # slots: update
        tl.store(count, slot + 1)  # slots: update
    else:
        slot = tl.atomic_add(count, 1)
    tl.store(out + slot, value)


def slots(race):
    x, count, out = np.arange(512, dtype=np.float32), np.zeros(1, np.int32), np.zeros(4, np.float32)
    slots_kernel[(4,)](x, count, out, BLOCK, race)
    return np.sort(out), x.reshape(4, BLOCK).sum(axis=1)


@triton.jit
def split_kernel(a, b, c, K: tl.constexpr, N: tl.constexpr, RACE: tl.constexpr):
    at = tl.arange(0, N)
    inner = tl.program_id(0) * K + tl.arange(0, K)
    left = tl.load(a + at[:, None] * 64 + inner[None, :])
    right = tl.load(b + inner[:, None] * N + at[None, :])
    part = tl.dot(left, right, input_precision="ieee")
    where = c + at[:, None] * N + at[None, :]
    if RACE:
        tl.store(where, tl.load(where) + part)  # split: update
    else:
        tl.atomic_add(where, part)


def split(race):
    a, b = np.random.default_rng(3).integers(0, 4, (2, 16, 64)).astype(np.float32)
    b, c = np.ascontiguousarray(b.T), np.zeros((16, 16), np.float32)
    split_kernel[(2,)](a, b, c, 32, 16, race)
    return c, a @ b


@triton.jit
def partial_sums_kernel(values, sums, locks, used, n, GROUP: tl.constexpr, N: tl.constexpr, RACE: tl.constexpr):
    # Fewer elements than threads, so that two threads hold each.
    at = tl.arange(0, N)
    mine = tl.program_id(0) % GROUP
    total = tl.load(values + tl.program_id(0) * n + at, mask=at < n, other=0)
    here = sums + mine * n + at
    if RACE == 0:
        while tl.atomic_cas(locks + mine, 0, 1) == 1:
            pass
    if tl.load(used + mine) == 0:
        tl.atomic_xchg(used + mine, 1)
    else:
        total += tl.load(here, mask=at < n)  # partial_sums: read
    tl.store(here, total, mask=at < n)  # partial_sums: write
    tl.debug_barrier()
    tl.atomic_xchg(locks + mine, 0)


def partial_sums(race):
    values = np.random.default_rng(2).integers(0, 9, (8, 50)).astype(np.int32)
    sums, locks, used = np.zeros((2, 50), np.int32), np.zeros(2, np.int32), np.zeros(2, np.int32)
    partial_sums_kernel[(8,)](values, sums, locks, used, 50, 2, 64, race)
    return sums, [values[0::2].sum(0), values[1::2].sum(0)]


PAIRS = [
    Pair(reverse, "between", ("# reverse: write", "# reverse: read")),
    Pair(neighbours, "x", ("# neighbours: read", "# neighbours: write")),
    Pair(histogram, "counts", ("# histogram: update", "# histogram: update")),
    Pair(total, "total", ("# total: update", "# total: update")),
    Pair(overlap, "y", ("# overlap: write", "# overlap: write")),
    Pair(ready, "parts", ("# ready: write", "# ready: read")),
    Pair(locked, "value", ("# locked: update", "# locked: update")),
    Pair(partial_sums, "sums", ("# partial_sums: read", "# partial_sums: write")),
    Pair(transpose, "x", ("# transpose: read", "# transpose: write")),
    Pair(rows, "y", ("# rows: write", "# rows: write")),
    Pair(largest, "most", ("# largest: read", "# largest: write")),
    Pair(scatter, "y", ("# scatter: write", "# scatter: write")),
    Pair(message, "data", ("# message: write", "# message: read")),
    Pair(carry, "sums", ("# carry: read", "# carry: write")),
    Pair(stages, "work", ("# stages: read", "# stages: write")),
    Pair(slots, "count", ("# slots: update", "# slots: update")),
    Pair(split, "c", ("# split: update", "# split: update")),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda it: it.name)
def test_race(pair):
    assert_race(pair)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda it: it.name)
def test_repaired(pair):
    assert_repaired(pair)


def test_a_kernel_without_its_grid_is_a_mistake():
    with pytest.raises(TypeError, match=r"needs its grid: hirace.check\(kernel\[grid\]"):
        hirace.check(scaled, np.zeros(4, np.float32))


@triton.jit
def scaled(x, factor, n: tl.constexpr):
    at = tl.arange(0, n)
    tl.store(x + at, tl.load(x + at) * factor)


def test_arguments_by_name():
    x = np.ones(16, np.float32)
    assert hirace.check(scaled[(1,)], args={"factor": 3, "x": x}, n=16)
    assert (x == 3).all()


def test_copies_of_a_file_have_their_own_lines(tmp_path):
    text = """
import triton
import triton.language as tl

@triton.jit
def last(x):
    tl.store(x, tl.program_id(0))
"""
    for folder in ("one", "two"):
        file = tmp_path / folder / "kernels.py"
        file.parent.mkdir()
        file.write_text(text)
        specification = importlib.util.spec_from_file_location("kernels", file)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        (race,) = hirace.check(module.last[(2,)], np.zeros(1, np.int32)).races
        assert {it.file for it in race.accesses} == {str(file)}


@triton.jit
def descriptors(x, y, race: tl.constexpr):
    row = tl.program_id(0) * 16
    y.store([0 if race else row, 0], x.load([row, 0]) * 2)


@pytest.mark.parametrize("race", [0, 1])
def test_descriptors_of_the_host(race):
    described = pytest.importorskip("triton.tools.tensor_descriptor")
    x, y = (hirace.tensor(np.ones((64, 16), np.float32)) for _ in range(2))
    arguments = [described.TensorDescriptor.from_tensor(it, [16, 16]) for it in (x, y)]
    report = hirace.check(descriptors[(4,)], *arguments, race=race, same_value_writes="race")
    assert bool(report.races) == bool(race)
    assert race or (y.numpy() == 2).all()
