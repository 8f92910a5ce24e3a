"""Planted races in Numba kernels, and their repaired twins, on unmodified `kernel[grid, block](…)` calls."""

from __future__ import annotations

import numpy as np
import pytest

cuda = pytest.importorskip("numba.cuda")
from numba import float32, int32  # noqa: E402

import hirace  # noqa: E402
from pairs import Pair, assert_race, assert_repaired  # noqa: E402

BLOCK = 64
WITH_BORDER = BLOCK + 2


@cuda.jit
def reverse_kernel(x, y, race):
    between = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    between[t] = x[t]  # reverse: write
    if race == 0:
        cuda.syncthreads()
    y[t] = between[BLOCK - 1 - t]  # reverse: read


def reverse(race):
    x, y = np.arange(BLOCK, dtype=np.float32), np.zeros(BLOCK, np.float32)
    reverse_kernel[1, BLOCK](x, y, race)
    return y, x[::-1]


@cuda.jit
def shift_kernel(x, y, race):
    i = cuda.grid(1)
    right = x[i + 1] if i + 1 < x.size else np.float32(0)  # shift: read
    if race:
        x[i] = right  # shift: write
    else:
        y[i] = right


def shift(race):
    x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    right = np.append(x[1:], 0)
    shift_kernel[4, BLOCK](x, y, race)
    return y, right


@cuda.jit
def histogram_kernel(keys, counts, race):
    key = keys[cuda.grid(1)]
    if race:
        counts[key] += 1  # histogram: update
    else:
        cuda.atomic.add(counts, key, 1)


def histogram(race):
    keys = np.random.default_rng(1).integers(0, 16, 256).astype(np.int32)
    counts = np.zeros(16, np.int32)
    histogram_kernel[4, BLOCK](keys, counts, race)
    return counts, np.bincount(keys, minlength=16)


@cuda.jit
def total_kernel(x, total, race):
    part = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    part[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    step = BLOCK // 2
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        if race:
            total[0] += part[0]  # total: update
        else:
            cuda.atomic.add(total, 0, part[0])


def total(race):
    x, result = np.arange(256, dtype=np.float32), np.zeros(1, np.float32)
    total_kernel[4, BLOCK](cuda.to_device(x), result, race)
    return result, [x.sum()]


@cuda.jit
def tree_kernel(x, result, race):
    part = cuda.shared.array(128, int32)
    t = cuda.threadIdx.x
    part[t] = x[t]
    cuda.syncthreads()
    step = 64
    while step > 0:
        if t < step:
            part[t] += part[t + step]  # tree: update
        if race == 0:
            cuda.syncthreads()
        step //= 2
    if t == 0:
        result[0] = part[0]


def tree(race):
    x, result = np.arange(128, dtype=np.int32), np.zeros(1, np.int32)
    tree_kernel[1, 128](x, result, race)
    return result, [x.sum()]


@cuda.jit
def transpose_kernel(x, y, race):
    tile = cuda.shared.array((8, 8), float32)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    row, column = cuda.blockIdx.y * 8, cuda.blockIdx.x * 8
    tile[i, j] = x[row + i, column + j]  # transpose: write
    if race == 0:
        cuda.syncthreads()
    y[column + i, row + j] = tile[j, i]  # transpose: read


def transpose(race):
    x, y = np.arange(512, dtype=np.float32).reshape(16, 32), np.zeros((32, 16), np.float32)
    transpose_kernel[(4, 2), (8, 8)](x, y, race)
    return y, x.T


@cuda.jit
def stencil_kernel(x, y, race):
    near = cuda.shared.array(WITH_BORDER, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    near[t + 1] = x[i]  # stencil: write
    if t == 0:
        near[0] = x[i - 1] if i > 0 else np.float32(0)
    if t == BLOCK - 1:
        near[t + 2] = x[i + 1] if i + 1 < x.size else np.float32(0)
    if race == 0:
        cuda.syncthreads()
    y[i] = near[t] + near[t + 1] + near[t + 2]  # stencil: read


def stencil(race):
    x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    stencil_kernel[4, BLOCK](x, y, race)
    wide = np.concatenate([[0], x, [0]])
    return y, wide[:-2] + wide[1:-1] + wide[2:]


@cuda.jit
def scan_kernel(x, y, race):
    sums = cuda.shared.array(BLOCK, int32)
    t = cuda.threadIdx.x
    sums[t] = x[t]
    cuda.syncthreads()
    step = 1
    while step < BLOCK:
        before = sums[t - step] if t >= step else 0  # scan: read
        if race == 0:
            cuda.syncthreads()
        sums[t] += before  # scan: update
        cuda.syncthreads()
        step *= 2
    y[t] = sums[t]


def scan(race):
    x, y = np.arange(BLOCK, dtype=np.int32), np.zeros(BLOCK, np.int32)
    scan_kernel[1, BLOCK](x, y, race)
    return y, np.cumsum(x)


@cuda.jit
def largest_kernel(x, most, race):
    value = x[cuda.grid(1)]
    if race:
        if value > most[0]:  # largest: read
            most[0] = value  # largest: write
    else:
        cuda.atomic.max(most, 0, value)


def largest(race):
    x = np.random.default_rng(2).integers(0, 1000, 256).astype(np.int32)
    most = np.zeros(1, np.int32)
    largest_kernel[4, BLOCK](x, most, race)
    return most, [x.max()]


@cuda.jit
def message_kernel(data, flag, result, race):
    if cuda.blockIdx.x == 0:
        data[0] = 7  # message: write
        if race == 0:
            cuda.threadfence()
        cuda.atomic.exch(flag, 0, 1)
    else:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        if race == 0:
            cuda.threadfence()
        result[0] = data[0]  # message: read


def message(race):
    data, flag, result = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    message_kernel[2, 1](data, flag, result, race)
    return result, [7]


@cuda.jit
def stages_kernel(x, y, race):
    values = cuda.shared.array(BLOCK, int32)
    t = cuda.threadIdx.x
    values[t] = x[t]
    for _ in range(x.size // 16):
        cuda.syncthreads()
        right = values[(t + 1) % BLOCK]  # stages: read
        if race == 0:
            cuda.syncthreads()
        values[t] = right  # stages: write
    cuda.syncthreads()
    y[t] = values[t]


def stages(race):
    x, y = np.arange(BLOCK, dtype=np.int32), np.zeros(BLOCK, np.int32)
    stages_kernel[1, BLOCK](x, y, race)
    return y, np.roll(x, -4)


@cuda.jit
def warp_kernel(x, y, race):
    values = cuda.shared.array(32, int32)
    lane = cuda.laneid
    values[lane] = x[lane]  # warp: write
    if race == 0:
        cuda.syncwarp()
    y[lane] = values[lane ^ 1]  # warp: read


def warp(race):
    x, y = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    warp_kernel[1, 32](x, y, race)
    return y, x.reshape(16, 2)[:, ::-1].reshape(32)


@cuda.jit
def rounds_kernel(x, y, race):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    x[i] += 1  # rounds: update
    if race == 0:
        grid.sync()
    y[i] = x[(i + BLOCK) % x.size]  # rounds: read
    grid.sync()


def rounds(race):
    x, y = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    right = np.roll(x + 1, -BLOCK)
    rounds_kernel[4, BLOCK](x, y, race)
    return y, right


@cuda.jit(device=True)
def put(values, i, value):
    values[i] = value  # functions: write


@cuda.jit(device=True)
def take(values, i):
    return values[i]  # functions: read


@cuda.jit
def functions_kernel(x, y, race):
    values = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    put(values, t, x[t])
    if race == 0:
        cuda.syncthreads()
    y[t] = take(values, (t + 5) % BLOCK)


def functions(race):
    x, y = np.arange(BLOCK, dtype=np.float32), np.zeros(BLOCK, np.float32)
    functions_kernel[1, BLOCK](x, y, race)
    return y, np.roll(x, -5)


@cuda.jit
def slots_kernel(x, count, found, race):
    i = cuda.grid(1)
    if x[i] % 3 == 0:
        if race:
            at = count[0]  # slots: read
            count[0] = at + 1  # slots: write
        else:
            at = cuda.atomic.add(count, 0, 1)
        found[at] = x[i]


def slots(race):
    x, count, found = np.arange(128, dtype=np.int32), np.zeros(1, np.int32), np.zeros(128, np.int32)
    slots_kernel[2, BLOCK](x, count, found, race)
    return np.sort(found[: count[0]]), x[x % 3 == 0]


cell = np.dtype([("sum", np.int32), ("count", np.int32)], align=True)


@cuda.jit
def records_kernel(x, cells, race):
    i = cuda.grid(1)
    bin = i % cells.size if race else i
    cells[bin].sum += x[i]  # records: update
    cells[bin].count = 1


def records(race):
    x = np.arange(128, dtype=np.int32)
    cells = np.zeros(8 if race else 128, cell)
    records_kernel[2, BLOCK](x, cells, race)
    return cells["sum"], x if not race else cells["sum"]


@cuda.jit
def product_kernel(a, b, c, race):
    left = cuda.shared.array((8, 8), float32)
    right = cuda.shared.array((8, 8), float32)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    result = float32(0)
    for tile in range(4):
        left[i, j] = a[i, 8 * tile + j]  # product: write
        right[i, j] = b[8 * tile + i, j]
        cuda.syncthreads()
        for k in range(8):
            result += left[i, k] * right[k, j]  # product: read
        if race == 0:
            cuda.syncthreads()
    c[i, j] = result


def product(race):
    random = np.random.default_rng(3)
    a, b = random.random((8, 32), np.float32), random.random((32, 8), np.float32)
    c = cuda.device_array((8, 8), np.float32)
    product_kernel[1, (8, 8)](cuda.to_device(a), cuda.to_device(b), c, race)
    return c.copy_to_host(), a @ b


def both(name):
    return (f"# {name}: write", f"# {name}: read")


def update(name):
    return (f"# {name}: update", f"# {name}: update")


PAIRS = [
    Pair(reverse, "between", both("reverse")),
    Pair(shift, "x", both("shift")),
    Pair(histogram, "counts", update("histogram")),
    Pair(total, "total", update("total")),
    Pair(tree, "part", update("tree")),
    Pair(transpose, "tile", both("transpose")),
    Pair(stencil, "near", both("stencil")),
    Pair(scan, "sums", ("# scan: update", "# scan: read")),
    Pair(largest, "most", both("largest")),
    Pair(message, "data", both("message")),
    Pair(stages, "values", both("stages")),
    Pair(warp, "values", both("warp")),
    Pair(rounds, "x", ("# rounds: update", "# rounds: read")),
    Pair(functions, "values", both("functions")),
    Pair(slots, "count", both("slots")),
    Pair(records, "cells", update("records")),
    Pair(product, "left", both("product")),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda it: it.name)
def test_race(pair):
    assert_race(pair)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda it: it.name)
def test_repaired(pair):
    assert_repaired(pair)


@cuda.jit
def unrolled(a, b, c):
    left = cuda.shared.array((8, 8), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    left[y, x] = a[y, x]
    sum = float32(0)
    for k in range(8):
        sum += left[y, k] * b[k, x]
    c[y, x] = sum


def test_instructions_of_one_line_are_one_race():
    a, c = np.ones((8, 8), np.float32), np.zeros((8, 8), np.float32)
    report = hirace.check(unrolled, grid=1, block=(8, 8), args=(a, a, c))
    assert len(report.races) == 1 and str(report).count("data race") == 1


def test_kernels_with_signatures_defaults_and_names():
    with hirace.checking() as report:

        @cuda.jit("void(int32[:], int32)")
        def last(x, value):
            x[0] = value + cuda.grid(1)

        x = np.zeros(2, np.int32)
        last[1, 4](x, 3)
    assert [it.kernel for it in report.races] == ["last"]

    @cuda.jit
    def fill(x, value=5):
        x[cuda.grid(1)] = value

    assert hirace.check(fill, grid=1, block=2, args={"x": x})
    assert x.tolist() == [5, 5]
    assert hirace.check(fill, grid=1, block=2, args={"value": 6, "x": x})
    assert x.tolist() == [6, 6]
    with hirace.checking():
        assert hirace.check(fill[1, 2], x, 7)
    assert x.tolist() == [7, 7]
    with pytest.raises(TypeError, match="kernel `fill`: missing a required argument: 'x'"):
        hirace.check(fill, grid=1, block=2, args={"value": 6})


def test_faults_of_an_unrolled_loop_are_one():
    @cuda.jit
    def sums(x, y):
        i = cuda.grid(1)
        for j in range(8):
            y[i] += x[i + j]

    report = hirace.check(sums, grid=1, block=32, args=(np.zeros(32, np.float32), np.zeros(32, np.float32)))
    assert len(report.faults) == 1 and report.faults[0].kernel == "sums"


def test_a_kernel_that_does_not_end_has_its_line():
    @cuda.jit
    def wait(x):
        while x[0] == 0:  # waits
            x[1] += 1

    with pytest.raises(hirace.CheckError, match="while x.0. == 0:  # waits"):
        hirace.check(wait, grid=1, block=1, args=(np.zeros(2, np.int32),), timeout=5)


def test_arguments_that_are_only_read_from_the_host_stay():
    @cuda.jit
    def fill(x):
        x[cuda.grid(1)] = 1

    x = np.zeros(4, np.int32)
    assert hirace.check(fill, grid=1, block=4, args=(cuda.In(x),))
    assert not x.any()
    assert hirace.check(fill, grid=1, block=4, args=(cuda.InOut(x),))
    assert x.all()


@pytest.mark.parametrize("dtype", [np.int8, np.bool_, np.int16, np.float64])
def test_arrays_of_all_sizes_have_their_names(dtype):
    @cuda.jit
    def pairs(x):
        x[cuda.grid(1) // 2] = cuda.grid(1) % 100

    (race,) = hirace.check(pairs, grid=1, block=64, args=(np.zeros(64, dtype),)).races
    assert race.variable == "x"


def test_what_debug_mode_does_is_not_seen():
    @cuda.jit(debug=True, opt=False)
    def checked(x):
        if x[0] == 0:
            raise ValueError("zero")

    report = hirace.check(checked, grid=1, block=1, args=(np.zeros(1, np.int32),))
    assert report.notes == ["exceptions of `checked`, which has `debug=True`, are not seen"]


@pytest.mark.parametrize("value", [np.uint64(2**64 - 2), np.int64(-2), np.uint8(254)])
def test_numbers_keep_their_bits(value):
    @cuda.jit
    def put(x, value):
        x[0] = value

    x = np.zeros(1, value.dtype)
    assert hirace.check(put, grid=1, block=1, args=(x, value))
    assert x[0] == value
