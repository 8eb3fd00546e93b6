# SPDX-License-Identifier: BSD-3-Clause
"""Operators on the values of every element: against formulas in numpy, arrays of all strides, and mistakes."""

import gc
import sys
import threading

import numpy as np
import pytest
import reference
import tessera_fem as tf
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = ["mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion"]
SYMMETRIC = ["mass", "diffusion", "helmholtz", "elasticity"]


def bent_box(dim, geometry_order=1, dtype="float64"):
    return tf.box_nodes([2, 3, 1][:dim], geometry_order, reference.bent).astype(dtype)


def tolerance(dtype):
    return 1e-12 if np.dtype(dtype) == np.float64 else 2e-5


def random_vector(shape, dtype, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_matrices_are_those_of_the_formula(kind, dim):
    nodes = bent_box(dim, 2)
    op = tf.ElementOperator(kind, nodes, order=2, points=4)
    np.testing.assert_allclose(op.matrices(), reference.matrices(kind, nodes, 2, 4), rtol=0, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(KINDS),
    dim=st.integers(1, 3),
    order=st.integers(1, 4),
    more_points=st.integers(0, 2),
    geometry_order=st.integers(1, 3),
    dtype=st.sampled_from(["float64", "float32"]),
    form=st.sampled_from(["stored", "matrix_free"]),
    components=st.integers(1, 3),
    by_direction=st.booleans(),
)
def test_random_operators_are_their_matrices(
    kind, dim, order, more_points, geometry_order, dtype, form, components, by_direction
):
    nodes = bent_box(dim, geometry_order, dtype)
    components = dim if kind == "elasticity" else components
    points = max(order, geometry_order) + 1 + more_points
    op = tf.ElementOperator(kind, nodes, order=order, points=points, form=form, components=components)
    wanted = reference.matrices(kind, nodes.astype("float64"), order, points)
    n = (order + 1) ** dim
    x = random_vector((op.elements, components, n), dtype)
    if kind == "elasticity":
        y = np.einsum("eij,ej->ei", wanted, x.reshape(op.elements, -1).astype("float64")).reshape(x.shape)
    else:
        y = np.einsum("eij,ecj->eci", wanted, x.astype("float64"))
    if by_direction:
        x = x.reshape(op.elements, components, *[order + 1] * dim)
    got = op(x)
    assert got.dtype == dtype and got.shape == x.shape
    scale = np.abs(wanted).max() * np.abs(x).max() * n
    np.testing.assert_allclose(got.reshape(y.shape), y, rtol=0, atol=tolerance(dtype) * scale)
    np.testing.assert_array_equal(op.add(x, np.zeros_like(x)), got)


@pytest.mark.parametrize(
    "strided",
    [
        lambda a: a,
        lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
        lambda a: np.repeat(a, 3, axis=0)[::3],
        lambda a: np.ascontiguousarray(a.transpose(1, 0, 2)).transpose(1, 0, 2),
        lambda a: np.ascontiguousarray(a.transpose(2, 1, 0)).transpose(2, 1, 0),
        lambda a: np.ascontiguousarray(a.transpose(0, 2, 1)).transpose(0, 2, 1),
    ],
    ids=["contiguous", "every_other", "every_third_element", "by_component", "interleaved", "by_node"],
)
def test_any_strides(strided):
    op = tf.ElementOperator("diffusion", bent_box(3), order=2, components=2)
    x = random_vector(op.shape_in, "float64")
    wanted = op(x)
    out = strided(np.full(op.shape_out, 7.0))
    out_with_gaps = out
    assert op(strided(x), out) is out_with_gaps
    np.testing.assert_array_equal(out, wanted)
    op.add(strided(x), out)
    np.testing.assert_allclose(out, 2 * wanted, rtol=1e-14, atol=1e-14)
    nodes = bent_box(3)
    same = tf.ElementOperator("diffusion", strided(nodes), order=2, components=2)
    np.testing.assert_array_equal(same(x), wanted)


def placed(values, order, steps, by_direction):
    """The same entries in an array whose dimensions are in that order in memory, with gaps."""
    extents = [values.shape[d] * steps[d] for d in order]
    memory = np.full(extents, np.nan, values.dtype)
    whole = memory.transpose(np.argsort(order))
    view = whole[tuple(slice(None, None, step) for step in steps)]
    view[...] = values
    if by_direction:  # entry n2 d + n1 by indices of its own
        edge = round(values.shape[2] ** 0.5)
        shape = values.shape[:2] + (edge, edge)
        strides = view.strides[:2] + (edge * view.strides[2], view.strides[2])
        view = np.lib.stride_tricks.as_strided(view, shape, strides)
    return view


layouts = st.tuples(st.permutations(range(3)), st.tuples(*[st.integers(1, 3)] * 3), st.booleans())


@settings(max_examples=80, deadline=None)
@given(of_x=layouts, of_y=layouts, of_nodes=layouts, dtype=st.sampled_from(["float64", "float32"]))
def test_random_strides(of_x, of_y, of_nodes, dtype):
    nodes = bent_box(2, 1, dtype)
    op = tf.ElementOperator("convection", placed(nodes, *of_nodes), order=2, components=3)
    same = tf.ElementOperator("convection", nodes, order=2, components=3)
    x = random_vector(op.shape_in, dtype)
    out = placed(np.zeros(op.shape_out, dtype), *of_y)
    op(placed(x, *of_x), out)
    np.testing.assert_array_equal(out.reshape(op.shape_out), same(x))
    assert not np.isnan(op(placed(x, *of_x))).any()


def test_one_vector_of_all_and_scipy():
    from scipy.sparse.linalg import aslinearoperator

    op = tf.ElementOperator("convection", bent_box(2), order=2, coefficients=[1.0, -2.0])
    size = op.elements * 9
    assert op.shape == (size, size) and op.dtype == np.float64
    x = random_vector(size, "float64")
    wanted = op(x.reshape(op.shape_in)).ravel()
    np.testing.assert_array_equal(op(x), wanted)
    np.testing.assert_array_equal(op @ x, wanted)
    np.testing.assert_array_equal(op @ np.repeat(x, 2)[::2], wanted)
    L = aslinearoperator(op)
    np.testing.assert_array_equal(L @ x, wanted)
    many = random_vector((size, 3), "float64")
    dense = L @ np.eye(size)
    np.testing.assert_allclose(L @ many, dense @ many, rtol=0, atol=1e-13)
    np.testing.assert_allclose(L.T @ x, dense.T @ x, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(op @ np.ones(size, dtype="int32"), op(np.ones(size)))


@pytest.mark.parametrize("elements", [slice(1, 4), slice(None), slice(4, None), slice(5, 2), [3, 0], np.array([2]), []])
def test_some_elements(elements):
    op = tf.ElementOperator("diffusion", bent_box(2), order=2)
    x = random_vector(op.shape_in, "float64")
    out, more = np.full(op.shape_out, 7.0), np.ones(op.shape_out)
    wanted, sums = out.copy(), more.copy()
    wanted[elements] = op(x)[elements]
    sums[elements] += op(x)[elements]
    op(x, out, elements=elements)
    op.add(x, more, elements=elements)
    np.testing.assert_array_equal(out, wanted)
    np.testing.assert_allclose(more, sums, rtol=1e-14)


def test_broadcast_x():
    op = tf.ElementOperator("mass", bent_box(2), order=2)
    one = random_vector(9, "float64")
    x = np.broadcast_to(one, op.shape_in)
    np.testing.assert_array_equal(op(x), op(np.ascontiguousarray(x)))
    ones = np.broadcast_to(1.0, op.shape_in)
    np.testing.assert_array_equal(op(ones), op(np.ones(op.shape_in)))


@pytest.mark.parametrize("kind", SYMMETRIC)
def test_diagonal_and_lower_triangles(kind):
    op = tf.ElementOperator(kind, bent_box(2), order=2)
    M = op.matrices()
    assert op.is_symmetric and op.T(np.ones(op.shape_in)).shape == op.shape_out
    diagonal = op.diagonal()
    assert diagonal.shape == op.shape_out
    np.testing.assert_allclose(diagonal.reshape(op.elements, -1), np.einsum("eii->ei", M), rtol=1e-12)
    lower = op.matrices(1, 2, how="lower")
    n = M.shape[1]
    columns = [M[1:3, j:, j] for j in range(n)]
    np.testing.assert_allclose(lower, np.concatenate(columns, axis=1), rtol=0, atol=1e-13)
    np.testing.assert_array_equal(op.matrices(1, 2), M[1:3])


def test_coefficients():
    nodes = bent_box(2)
    same = dict(rtol=0, atol=1e-13)
    for given_, kappa in [(3.0, 3 * np.eye(2)), ([3.0], 3 * np.eye(2)), ([2.0, 0.5, 1.0], [[2, 0.5], [0.5, 1]])]:
        op = tf.ElementOperator("diffusion", nodes, order=2, coefficients=given_)
        np.testing.assert_allclose(op.matrices(), reference.matrices("diffusion", nodes, 2, 4, kappa=kappa), **same)
    op = tf.ElementOperator("elasticity", nodes, order=1, coefficients=[2.0, 0.25])
    np.testing.assert_allclose(op.matrices(), reference.matrices("elasticity", nodes, 1, 3, lame=(2, 0.25)), **same)
    rho = np.random.default_rng(3).uniform(1, 2, (6, 16))
    for form in ["stored", "matrix_free"]:
        for array in [rho, rho[:, :, None], rho.reshape(6, 4, 4, 1)]:
            op = tf.ElementOperator("mass", nodes, order=2, coefficients=array, form=form)
            wanted = reference.matrices("mass", nodes, 2, 4, rho=rho)
            np.testing.assert_allclose(op.matrices(), wanted, **same)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("test_order", [None, 1, 3])
@pytest.mark.parametrize("form", ["stored", "matrix_free"])
def test_transposes(kind, test_order, form):
    op = tf.ElementOperator(kind, bent_box(2), order=2, test_order=test_order, points=4, form=form)
    wanted = reference.matrices(kind, bent_box(2), 2, 4, test_order=test_order)
    np.testing.assert_allclose(op.matrices(), wanted, rtol=0, atol=1e-12)
    T = op.transpose()
    assert T.shape == op.shape[::-1] and T.shape_in == op.shape_out
    np.testing.assert_allclose(T.matrices(), op.matrices().swapaxes(1, 2), rtol=0, atol=1e-12)
    x = random_vector(op.shape_in, "float64")
    np.testing.assert_array_equal(T.transpose()(x), op(x))
    y = random_vector(op.shape_out, "float64", 2)
    assert np.vdot(op(x), y) == pytest.approx(np.vdot(x, T(y)), rel=1e-10, abs=1e-12)


def test_transpose_follows_new_data():
    op = tf.ElementOperator("convection", bent_box(2), order=2)
    first = op.T.matrices()
    op.set_data(2 * op.data())
    np.testing.assert_allclose(op.T.matrices(), 2 * first, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_simplices_have_areas(dim):
    corners = np.concatenate([np.zeros((dim, 1)), np.eye(dim)], axis=1)
    nodes = np.stack([corners, 2 * corners])
    op = tf.ElementOperator("mass", nodes, order=2, shape="simplex")
    volumes = op(np.ones(op.shape_in)).sum(axis=1)
    factorial = {2: 2, 3: 6}[dim]
    np.testing.assert_allclose(volumes, [1 / factorial, 2**dim / factorial], rtol=1e-13)
    assert op.shape_in == (2, {2: 6, 3: 10}[dim])
    laplace = tf.ElementOperator("diffusion", nodes, order=2, shape="simplex")
    np.testing.assert_allclose(laplace(np.ones(laplace.shape_in)), 0, atol=1e-13)
    np.testing.assert_allclose(
        laplace.matrices(), np.stack([laplace(np.tile(row, (2, 1))) for row in np.eye(op.trial_size)], axis=2),
        rtol=0, atol=1e-13,
    )


def test_tables_of_ones_own():
    nodes = bent_box(2)
    x, w = reference.gauss_rule(4)
    values, gradients = reference.tables(2, 2, x)
    tables = {
        "values": values.T,
        "gradients": gradients.swapaxes(1, 2),
        "node_gradients": reference.tables(2, 1, x)[1].swapaxes(1, 2),
        "weights": np.kron(w, w),
    }
    for kind in ["mass", "diffusion", "convection"]:
        op = tf.ElementOperator(kind, nodes, tables=tables)
        wanted = reference.matrices(kind, nodes, 2, 4)
        np.testing.assert_allclose(op.matrices(), wanted, rtol=0, atol=1e-13)
        np.testing.assert_allclose(op.T.matrices(), wanted.swapaxes(1, 2), rtol=0, atol=1e-13)
    test_values, test_gradients = reference.tables(2, 1, x)
    more = dict(tables, test_values=test_values.T, test_gradients=test_gradients.swapaxes(1, 2))
    op = tf.ElementOperator("diffusion", nodes, tables=more)
    wanted = reference.matrices("diffusion", nodes, 2, 4, test_order=1)
    np.testing.assert_allclose(op.matrices(), wanted, rtol=0, atol=1e-13)
    np.testing.assert_allclose(op.T.matrices(), wanted.swapaxes(1, 2), rtol=0, atol=1e-13)


def test_data_goes_round():
    nodes = bent_box(3)
    op = tf.ElementOperator("helmholtz", nodes, order=2)
    D = op.data()
    assert D.shape == (op.elements, op.points, op.factors) == (6, 64, 7)
    x = random_vector(op.shape_in, "float64")
    again = tf.ElementOperator("helmholtz", D=D, dim=3, order=2)
    np.testing.assert_array_equal(again(x), op(x))
    later = tf.ElementOperator("helmholtz", elements=6, dim=3, order=2)
    np.testing.assert_array_equal(later(x), np.zeros(op.shape_out))
    later.set_data(D[:4])
    later.set_data(D[4:], first=4)
    np.testing.assert_array_equal(later(x), op(x))
    np.testing.assert_array_equal(op.data(2, 3), D[2:5])
    rounded = tf.ElementOperator("helmholtz", nodes, order=2, storage="float").data()
    np.testing.assert_array_equal(rounded, D.astype("float32").astype("float64"))
    assert tf.ElementOperator("mass", elements=1, dim=1, dtype="float32").dtype == np.float32


def test_matrix_free_keeps_and_reads_its_nodes():
    nodes = bent_box(2)
    view = nodes[:]
    op = tf.ElementOperator("mass", view, order=1, form="matrix_free")
    x = np.ones(op.shape_in)
    before = op(x)
    del view
    gc.collect()
    nodes *= 2
    np.testing.assert_allclose(op(x), 4 * before, rtol=1e-13)
    stored = tf.ElementOperator("mass", nodes, order=1)
    wanted = stored(x)
    nodes[:] = np.nan
    np.testing.assert_array_equal(stored(x), wanted)


def test_no_array_is_kept_longer_than_needed():
    nodes = bent_box(2)
    rho = np.ones((6, 16))
    count = sys.getrefcount(nodes), sys.getrefcount(rho)
    stored = tf.ElementOperator("convection", nodes, order=2)
    assert sys.getrefcount(nodes) == count[0]
    free = tf.ElementOperator("mass", nodes, order=2, form="matrix_free", coefficients=rho)
    assert sys.getrefcount(nodes) > count[0] and sys.getrefcount(rho) > count[1]
    x, y = np.ones(free.shape_in), np.ones(free.shape_out)
    for op in [free, stored, stored.T]:
        op(x, y), op.add(x, y), op(x), op.matrices(), op.diagonal()
    for wrong in [np.ones(3), x[::-1]]:
        with pytest.raises(ValueError):
            free(wrong, y)
    with pytest.raises(ValueError):
        tf.ElementOperator("mass", nodes, order=2, form="matrix_free", coefficients=rho[:5])
    del wrong
    assert sys.getrefcount(x) == sys.getrefcount(y) == 2
    del free, op
    gc.collect()
    assert (sys.getrefcount(nodes), sys.getrefcount(rho)) == count


def test_no_elements_and_nodes_on_a_line():
    none = tf.ElementOperator("mass", np.empty((0, 2, 4)), order=2)
    assert none(np.empty((0, 9))).shape == (0, 9) and none.matrices().shape == (0, 9, 9)
    line = np.array([[0.0, 1.0], [1.0, 3.0]])
    a, b = tf.ElementOperator("mass", line), tf.ElementOperator("mass", line[:, None, :])
    np.testing.assert_array_equal(a.matrices(), b.matrices())
    tensor = bent_box(2, 2).reshape(6, 2, 3, 3)
    c, d = tf.ElementOperator("mass", tensor), tf.ElementOperator("mass", bent_box(2, 2))
    np.testing.assert_array_equal(c.matrices(), d.matrices())


def test_results_of_threads():
    op = tf.ElementOperator("diffusion", tf.box_nodes([8, 8]), order=4)
    x = random_vector((8,) + op.shape_in, "float64")
    wanted = [op(one) for one in x]
    got = [None] * len(x)

    def work(i):
        for _ in range(20):
            got[i] = op(x[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(x))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(got, wanted)


def test_descriptions():
    op = tf.ElementOperator("diffusion", bent_box(2), order=2, components=3)
    assert op.describe().startswith("diffusion 2-D, d = 3, q = 4, 3 components, f64:")
    assert len(op.describe(brief=True)) < len(op.describe())
    assert repr(op).startswith("<tessera_fem.ElementOperator diffusion 2-D")
    assert (op.dim, op.elements, op.components, op.test_components) == (2, 6, 3, 3)
    assert (op.trial_size, op.test_size, op.points, op.factors) == (9, 9, 16, 3)
    assert op.shape_in == op.shape_out == (6, 3, 9)
    assert "reference" in tf.ElementOperator("mass", bent_box(2), target="reference").describe()
