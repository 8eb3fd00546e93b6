# SPDX-License-Identifier: BSD-3-Clause
"""Strategies of hypothesis: contractions of numpy arrays with any strides."""

import numpy as np
from hypothesis import strategies as st

DTYPES = ["float32", "float64", "complex64", "complex128", "float16", "int32", "int64"]


def numbers(shape, dtype, seed):
    """Small whole numbers: sums of them are exact in every type."""
    random = np.random.default_rng(seed)
    values = random.integers(-3, 4, size=shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.integers(-3, 4, size=shape)
    return np.asarray(values).astype(dtype)


@st.composite
def strided(draw, shape, dtype, may_repeat=False):
    """An array of that shape, of any order of its dimensions, with steps, some of them backwards, or, where it may
    repeat its entries, of 0: one entry for a whole dimension."""
    if may_repeat and shape and draw(st.integers(0, 3)) == 0:
        repeats = [draw(st.booleans()) for _ in shape]
        one = draw(strided([1 if r else n for r, n in zip(repeats, shape)], dtype))
        return np.broadcast_to(one, shape)
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 1, 2, -1, -2])) for _ in shape]
    padding = [draw(st.sampled_from([0, 0, 1])) for _ in shape]
    big = [n * abs(s) + p for n, s, p in zip(shape, steps, padding)]
    memory = numbers([big[d] for d in order], dtype, draw(st.integers(0, 2**20)))
    back = np.argsort(order) if shape else []
    view = memory.transpose(back) if shape else memory
    index = []
    for n, s in zip(shape, steps):
        index.append(slice(0, n * s, s) if s > 0 else slice((n - 1) * -s, None, s) if n > 0 else slice(0, 0))
    view = view[tuple(index)] if shape else view
    assert view.shape == tuple(shape)
    return view


@st.composite
def contractions(draw):
    """Subscripts, batch, inputs and an output: one to four operands, with or without a batch."""
    dtype = draw(st.sampled_from(DTYPES))
    has_batch = draw(st.booleans())
    count = draw(st.integers(1, 4))
    letters = "abcdefgh"
    extents = {c: draw(st.sampled_from([1, 2, 3, 4, 5, 7])) for c in letters}
    inputs = []
    for _ in range(count):
        rank = draw(st.integers(0, 4 if count < 3 else 3))
        inputs.append("".join(draw(st.permutations(letters))[:rank]))
    used = sorted(set("".join(inputs)))
    kept = [c for c in used if draw(st.booleans())]
    output = "".join(draw(st.permutations(kept)))
    batch = None
    if has_batch:
        batch = "z"
        extents["z"] = draw(st.integers(0, 9))
        sharers = [draw(st.booleans()) for _ in inputs]
        if not any(sharers):
            sharers[0] = True
        inputs = [put(draw, s, "z") if b else s for s, b in zip(inputs, sharers)]
        output = put(draw, output, "z")
    # A letter that an operand has twice or three times: its diagonal.
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, count - 1))
        for _ in range(draw(st.integers(1, 2)) if inputs[at] else 0):
            inputs[at] = put(draw, inputs[at], draw(st.sampled_from(inputs[at])))
    arrays = [draw(strided([extents[c] for c in s], dtype, may_repeat=True)) for s in inputs]
    out = draw(strided([extents[c] for c in output], dtype))
    return ",".join(inputs) + "->" + output, batch, arrays, out


def put(draw, text, letter):
    """The letter somewhere in the text."""
    at = draw(st.integers(0, len(text)))
    return text[:at] + letter + text[at:]
