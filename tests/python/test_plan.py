# SPDX-License-Identifier: BSD-3-Clause
"""Plan: made once, run many times."""

import numpy as np
import pytest

import tessera_fem as tf


def arrays(elements, order="C"):
    random = np.random.default_rng(elements)
    B, x = random.standard_normal((5, 4)), random.standard_normal((elements, 4, 4, 4))
    return np.asarray(B, order=order), x, np.empty((elements, 5, 4, 4))


def test_runs_on_batches_of_any_length():
    plan = tf.Plan("kj,ejbc->ekbc", *arrays(10), batch="e")
    for elements in (10, 1, 0, 200):
        B, x, y = arrays(elements)
        assert plan.run(B, x, y) is y
        np.testing.assert_allclose(y, np.einsum("kj,ejbc->ekbc", B, x), atol=1e-14)
        np.testing.assert_allclose(plan(B, x), y, atol=1e-14)


def test_empty_batches_of_any_layout():
    B, x, y = arrays(10)
    y = np.empty((5, 4, 4, 10)).transpose(3, 0, 2, 1)
    plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e")
    np.testing.assert_allclose(plan.run(B, x, y), np.einsum("kj,ejbc->ekbc", B, x), atol=1e-14)
    assert plan.run(B, x[:0], y[:0]).shape == (0, 5, 4, 4)
    assert plan.run(B, np.empty((0, 4, 4, 4)), np.empty((0, 5, 4, 4))).shape == (0, 5, 4, 4)
    assert plan(B, x[:0]).shape == (0, 5, 4, 4)


def test_batches_with_gaps_and_backwards():
    B, x, y = arrays(10)
    plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e")
    for step in (slice(None, None, 2), slice(None, None, -1)):
        plan.run(B, x[step], y[step])
        np.testing.assert_allclose(y[step], np.einsum("kj,ejbc->ekbc", B, x[step]), atol=1e-14)


@pytest.mark.parametrize("text", ["z->z", "zi->iz", "zi,ij->zj"])
@pytest.mark.parametrize("batch", ["", "z"])
def test_the_stride_of_one_entry_may_be_anything(text, batch):
    inputs, _ = text.split("->")
    operands = [np.arange(1.0, 4.0)[:, None] * [[1.0, 2.0, 3.0]] for _ in inputs.split(",")]
    first = np.array([[4.0, 5.0, 6.0]])[:, : 1 if len(inputs) == 1 else 3]
    shape = (1, 3)[: len(inputs.split(",")[0])]
    operands[0] = np.lib.stride_tricks.as_strided(first, shape, (2**62 + 8, 8)[: len(shape)])
    np.testing.assert_array_equal(tf.einsum(text, *operands, batch=batch), np.einsum(text, *operands))


def test_other_layouts_and_sizes_are_refused():
    B, x, y = arrays(10)
    plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e")
    with pytest.raises(ValueError, match='operand 1 has another order in memory, "jk" .* made for, "kj"'):
        plan.run(np.asfortranarray(B), x, y)
    with pytest.raises(ValueError, match=r"operand 1 has the shape \(4, 4\), the plan was made for \(5, 4\); of the batch"):
        plan.run(B[:4], x, y)
    with pytest.raises(ValueError, match=r"out has the shape \(10, 5, 4, 3\), the plan was made for \(10, 5, 4, 4\)"):
        plan.run(B, x, y[:, :, :, :3])
    with pytest.raises(TypeError, match="operand 1 is float32, the plan was made for float64"):
        plan.run(B.astype("float32"), x, y)
    with pytest.raises(ValueError, match="operand 2 is a batch of 9, the output of 10"):
        plan.run(B, x[:9], y)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        plan.run(B, x, y)
    with pytest.raises(TypeError, match="takes 3 arrays"):
        plan.run(B, x)
    with pytest.raises(TypeError, match="takes 2 arrays"):
        plan(B)


def test_describes_itself():
    B, x, y = arrays(10)
    plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e")
    assert "gemm f64" in plan.describe()
    assert "\n" not in plan.describe(brief=True)
    assert plan.describe(brief=True) in repr(plan)
    assert plan.workspace_bytes == 0
    assert plan.is_ready
    assert plan.target == tf.default_target()
    assert plan.target in tf.targets()


def test_row_major_arrays_get_the_kernel_of_column_major_ones():
    """What the library sees depends on where entries are, and not on the order in which Python names the indices."""
    B, x, y = np.ones((6, 5)), np.ones((10, 5, 5, 5)), np.empty((10, 5, 5, 6))
    rows = tf.Plan("kj,ebcj->ebck", B, x, y, batch="e")
    columns = tf.Plan("jk,ejcb->ekcb", B.T, x.transpose(0, 3, 2, 1), y.transpose(0, 3, 2, 1), batch="e")
    assert rows.describe() == columns.describe()
    assert "generic" not in rows.describe()
    other = tf.Plan("kj,ebcj->ebck", np.asfortranarray(B), x, y, batch="e")
    assert other.describe() != rows.describe()


def test_targets_can_be_forced():
    B, x, y = arrays(3)
    for target in tf.targets():
        if target == "cuda":
            continue
        plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e", target=target)
        assert plan.target == target
        np.testing.assert_allclose(plan(B, x), np.einsum("kj,ejbc->ekbc", B, x), atol=1e-14)


def test_without_an_output_and_networks():
    a, b, c = (np.ones((n, n + 1)) for n in (2, 3, 4))
    plan = tf.Plan("ij,jk,kl->il", a, b, c)
    np.testing.assert_array_equal(plan(a, b, c), a @ b @ c)
    assert plan.workspace_bytes > 0
    assert "steps" in plan.describe()


def test_threads():
    tf.set_num_threads(1)
    assert tf.get_num_threads() == 1
    tf.set_num_threads(0)
    with pytest.raises(ValueError, match="-1"):
        tf.set_num_threads(-1)
    with pytest.raises(ValueError):
        tf.Plan("ij,jk->ik", *[np.ones((2, 2))] * 3, threads=-1)


def test_faults():
    with pytest.raises(TypeError, match="takes 2 arrays, and the output as one more; 4 given"):
        tf.Plan("ij,jk->ik", *[np.ones((2, 2))] * 4)
    with pytest.raises(TypeError, match="not as out="):
        tf.Plan("ij,jk->ik", np.ones((2, 2)), np.ones((2, 2)), out=np.ones((2, 2)))


def test_a_plan_runs_on_operands_that_are_one_for_all_elements():
    """A batch may have the stride 0 in one run and another one in the next."""
    B, x, y = np.arange(20.0).reshape(5, 4), np.arange(240.0).reshape(20, 4, 3), np.empty((20, 5, 3))
    plan = tf.Plan("kj,ejb->ekb", B, x, y, batch="e")
    for operand in [x, np.broadcast_to(x[7], x.shape), np.broadcast_to(x[0], (3, 4, 3)), x]:
        out = np.empty((len(operand), 5, 3))
        np.testing.assert_array_equal(plan.run(B, operand, out), np.einsum("kj,ejb->ekb", B, operand))
    np.testing.assert_array_equal(plan.run(B, x[::-1], y[::-1])[::-1], np.einsum("kj,ejb->ekb", B, x[::-1])[::-1])
    with pytest.raises(ValueError, match='"e" has strides of both signs, and that of the arrays .* of one sign: make'):
        plan.run(B, x[::-1], y)
    with pytest.raises(ValueError, match='"e" has strides of one sign, and that of the arrays .* of both signs: make'):
        tf.Plan("kj,ejb->ekb", B, x[::-1], y, batch="e").run(B, x, y)
