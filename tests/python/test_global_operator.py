# SPDX-License-Identifier: BSD-3-Clause
"""Operators on vectors of unknowns: against sparse matrices that SciPy assembles; restrictions; conjugate gradients."""

import numpy as np
import pytest
import reference
import scipy.sparse
import scipy.sparse.linalg
import tessera_fem as tf
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = ["mass", "diffusion", "helmholtz", "convection", "advection_diffusion"]


def bent_box(cells, geometry_order=1):
    return tf.box_nodes(cells, geometry_order, reference.bent)


def random_vector(size, seed=1, dtype="float64"):
    return np.random.default_rng(seed).standard_normal(size).astype(dtype)


@settings(max_examples=40, deadline=None)
@given(
    kind=st.sampled_from(KINDS),
    cells=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    order=st.integers(1, 3),
    dtype=st.sampled_from(["float64", "float32"]),
    form=st.sampled_from(["stored", "matrix_free"]),
    in_given_order=st.booleans(),
    random_numbers=st.booleans(),
    data=st.data(),
)
def test_is_the_assembled_matrix(kind, cells, order, dtype, form, in_given_order, random_numbers, data):
    nodes = bent_box(cells).astype(dtype)
    box = tf.Restriction.box(cells, order=order)
    numbers = box.numbers
    if random_numbers:
        numbers = np.random.default_rng(5).permutation(box.size)[numbers]
    constrained = data.draw(st.lists(st.integers(0, box.size - 1), max_size=4, unique=True))
    unknowns = tf.Restriction(numbers, constrained=constrained)
    options = dict(order=order, form=form)
    A = tf.GlobalOperator(kind, nodes, unknowns, in_given_order=in_given_order, **options)
    matrices = tf.ElementOperator(kind, nodes, **options).matrices().astype("float64")
    free = np.ones(box.size)
    free[constrained] = 0
    P = scipy.sparse.diags(free)
    wanted = P @ reference.assembled(matrices, numbers, box.size) @ P + scipy.sparse.diags(1 - free)
    x = random_vector(box.size, dtype=dtype)
    scale = (abs(wanted) @ np.abs(x)).max()
    tolerance = 1e-13 if dtype == "float64" else 1e-5
    got = A(x)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, wanted @ x, rtol=0, atol=tolerance * scale)
    np.testing.assert_allclose(A.add(x, x.copy()), wanted @ x + x, rtol=0, atol=tolerance * (scale + np.abs(x).max()))
    np.testing.assert_allclose(A.T(x), wanted.T @ x, rtol=0, atol=5 * tolerance * scale)
    np.testing.assert_allclose(A.diagonal(), wanted.diagonal(), rtol=0, atol=tolerance * abs(wanted).max())


@pytest.mark.parametrize("kind", ["mass", "convection", "advection_diffusion"])
def test_two_restrictions(kind):
    nodes = bent_box([3, 2])
    x_numbers = tf.Restriction.box([3, 2], order=2, constrained=[4])
    y_numbers = tf.Restriction.box([3, 2], order=1, constrained=[1, 5])
    A = tf.GlobalOperator(kind, nodes, x_numbers, test_unknowns=y_numbers, order=2, test_order=1)
    assert A.shape == (12, 35) and not A.is_symmetric
    M = tf.ElementOperator(kind, nodes, order=2, test_order=1).matrices()
    dense = np.zeros(A.shape)
    for one, rows, columns in zip(M, y_numbers.numbers, x_numbers.numbers):
        dense[np.ix_(rows, columns)] += one
    dense[[1, 5]] = 0
    dense[:, 4] = 0
    x, y = random_vector(35), random_vector(12)
    np.testing.assert_allclose(A @ x, dense @ x, rtol=0, atol=1e-13)
    np.testing.assert_allclose(A.T @ y, dense.T @ y, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(A.T.T @ x, A @ x)
    L = scipy.sparse.linalg.aslinearoperator(A)
    np.testing.assert_allclose(L.T @ y, dense.T @ y, rtol=0, atol=1e-13)
    again = tf.GlobalOperator(kind, None, x_numbers, test_unknowns=y_numbers, D=A.data(), dim=2, order=2, test_order=1,
                              points=4)
    np.testing.assert_allclose(again @ x, dense @ x, rtol=0, atol=1e-13)


def test_components_and_signs():
    cells = [2, 2]
    nodes = bent_box(cells)
    M = tf.ElementOperator("elasticity", nodes, order=2).matrices()
    for interleaved in [False, True]:
        box = tf.Restriction.box(cells, order=2, components=2, interleaved=interleaved)
        assert (box.size, box.components) == (50, 2)
        A = tf.GlobalOperator("elasticity", nodes, box, order=2)
        whole = np.stack([box.numbers, box.numbers + box.component_stride], axis=1).reshape(4, 18)
        wanted = reference.assembled(M, whole, 50)
        x = random_vector(50)
        np.testing.assert_allclose(A @ x, wanted @ x, rtol=0, atol=1e-12)
        by_hand = tf.Restriction(box.numbers, components=2, component_stride=box.component_stride)
        np.testing.assert_array_equal(tf.GlobalOperator("elasticity", nodes, by_hand, order=2) @ x, A @ x)
    numbers = np.array([[0, 1], [-2, 2]])
    signed = tf.Restriction(numbers, negative="sign")
    assert signed.size == 3
    np.testing.assert_array_equal(signed.to_elements(np.array([1.0, 2.0, 3.0])), [[1, 2], [-2, 3]])


def test_restriction_and_its_transpose():
    box = tf.Restriction.box([3, 2], order=2, components=2)
    x = random_vector(box.size)
    E = box.to_elements(x)
    assert E.shape == (6, 2, 9)
    np.testing.assert_array_equal(E[:, 1], x[box.numbers + box.component_stride])
    F = random_vector(E.shape, 2)
    y = box.add_from_elements(F, np.zeros(box.size))
    assert np.vdot(E, F) == pytest.approx(np.vdot(x, y))
    np.testing.assert_array_equal(box.multiplicity(), box.add_from_elements(np.ones(E.shape), np.zeros(box.size)))
    single = box.to_elements(x.astype("float32"))
    assert single.dtype == np.float32
    assert "6 elements of 9 entries, 2 components" in box.describe()
    assert repr(box).startswith("<tessera_fem.Restriction ")
    op = tf.ElementOperator("mass", bent_box([3, 2]), order=2, components=2)
    A = tf.GlobalOperator("mass", bent_box([3, 2]), box, order=2, components=2)
    gathered = box.add_from_elements(op(E), np.zeros(box.size))
    np.testing.assert_allclose(A @ x, gathered, rtol=0, atol=1e-14)


def test_vectors_of_restrictions_do_not_overlap():
    box = tf.Restriction.box([4, 4], order=2)  # 81 unknowns, 144 entries
    x = np.arange(225.0)
    for y in [x[:144], x[80:224]]:
        with pytest.raises(ValueError, match="x of 81 entries and out of 144 overlap in memory"):
            box.to_elements(x[:81], y)
        with pytest.raises(ValueError, match="E of 144 entries and y of 81 overlap in memory"):
            box.add_from_elements(y, x[:81])
    np.testing.assert_array_equal(x, np.arange(225.0))
    np.testing.assert_array_equal(box.to_elements(x[:81], x[81:]).reshape(16, 9), box.to_elements(np.arange(81.0)))
    box.add_from_elements(x[81:], x[:81])


def poisson(cells, order):
    """-div grad u = f with u = sin(pi x) sin(pi y) on the unit square."""
    nodes = tf.box_nodes(cells)
    sides = tf.numbers_on(tf.Restriction.box(cells, order=order), tf.box_faces(cells), len(cells), order=order)
    unknowns = tf.Restriction.box(cells, order=order, constrained=sides)
    A = tf.GlobalOperator("diffusion", nodes, unknowns, order=order)
    at = tf.ElementPoints(nodes, order=order)

    def exact(x):
        return np.sin(np.pi * x[0]) * np.sin(np.pi * x[1])

    b = at.load(lambda x: 2 * np.pi**2 * exact(x), unknowns)
    b[unknowns.constrained] = 0
    return A, b, unknowns, at, exact


def test_poisson_converges():
    errors = []
    for n in [2, 4]:
        A, b, unknowns, at, exact = poisson([n, n], 3)
        u, result = tf.conjugate_gradient(A, b, tolerance=1e-12)
        assert result.converged and result.outcome == "converged"
        errors.append(at.l2_error(u, exact, unknowns))
    assert errors[0] < 5e-3 and errors[0] / errors[1] > 13  # the fourth power of 2


@pytest.mark.parametrize("preconditioner", ["jacobi", "none", "chebyshev", "function", "scipy", "matrix"])
def test_preconditioners(preconditioner):
    A, b, _, _, _ = poisson([4, 3], 3)
    diagonal = A.diagonal()
    seen = []

    def divide(r):
        seen.append(r)
        return r / diagonal

    given_ = {
        "function": divide,
        "scipy": scipy.sparse.linalg.LinearOperator(A.shape, matvec=divide, dtype=float),
        "matrix": scipy.sparse.diags(1 / diagonal),
    }.get(preconditioner, preconditioner)
    u, result = tf.conjugate_gradient(A, b, tolerance=1e-11, preconditioner=given_)
    assert result.converged
    np.testing.assert_allclose(A @ u, b, rtol=0, atol=1e-10 * np.linalg.norm(b))
    if preconditioner in ("function", "scipy"):
        assert len(seen) >= result.iterations
        v, same = tf.conjugate_gradient(A, b, tolerance=1e-11)
        assert same.iterations == result.iterations
        np.testing.assert_allclose(u, v, rtol=1e-9, atol=1e-12)


def test_guesses_callbacks_and_results():
    A, b, _, _, _ = poisson([4, 4], 2)
    calls = []
    u, result = tf.conjugate_gradient(A, b, callback=lambda k, r: calls.append((k, r)), tolerance=1e-10)
    assert [k for k, _ in calls] == list(range(1, result.iterations + 1))
    assert [r for _, r in calls] == result.residuals[1:] and result.residual == result.residuals[-1] <= result.limit
    smallest, largest = result.eigenvalues
    assert 0 < smallest < largest
    assert repr(result) == f"<tessera_fem.SolveResult {result.describe()}>"
    start = u.copy()
    again, short = tf.conjugate_gradient(A, b, start, tolerance=1e-9)
    assert again is start and short.converged and short.iterations == 0
    _, limited = tf.conjugate_gradient(A, b, max_iterations=2, preconditioner="none")
    assert not limited.converged and (limited.iterations, limited.outcome) == (2, "iteration_limit")
    _, preconditioned = tf.conjugate_gradient(A, b, norm="preconditioned", flexible=True, absolute=1e-9)
    assert preconditioned.converged
    x, zero = tf.conjugate_gradient(A, np.zeros_like(b))
    assert zero.converged and zero.outcome == "zero_right_hand_side" and not x.any()
    single = tf.GlobalOperator("mass", bent_box([3, 3]).astype("float32"), tf.Restriction.box([3, 3]))
    x, result = tf.conjugate_gradient(single, np.ones(16, dtype="float32"), tolerance=1e-5)
    assert x.dtype == np.float32 and result.converged


def test_sparse_and_dense_matrices():
    rng = np.random.default_rng(2)
    dense = rng.standard_normal((20, 20))
    dense = dense @ dense.T + 20 * np.eye(20)
    b = rng.standard_normal(20)
    for A in [dense, scipy.sparse.csr_matrix(dense)]:
        x, result = tf.conjugate_gradient(A, b, tolerance=1e-12)
        assert result.converged
        np.testing.assert_allclose(dense @ x, b, atol=1e-10)


def test_scipy_solves_with_it():
    A, b, _, _, _ = poisson([4, 4], 2)
    u, result = tf.conjugate_gradient(A, b, tolerance=1e-13)
    v, info = scipy.sparse.linalg.cg(scipy.sparse.linalg.aslinearoperator(A), b, maxiter=500, atol=1e-12)
    assert info == 0
    np.testing.assert_allclose(u, v, atol=1e-4 * np.abs(u).max())
    largest = scipy.sparse.linalg.eigsh(scipy.sparse.linalg.aslinearoperator(A), k=1, return_eigenvectors=False)
    dense = np.stack([A @ one for one in np.eye(len(b))])
    assert largest[0] == pytest.approx(np.linalg.eigvalsh(dense)[-1])


def test_given_values():
    cells = [3, 3]
    nodes = bent_box(cells)
    sides = tf.numbers_on(tf.Restriction.box(cells, order=2), tf.box_faces(cells), 2, order=2)
    unknowns = tf.Restriction.box(cells, order=2, constrained=sides)
    A = tf.GlobalOperator("diffusion", nodes, unknowns, order=2, points=4)
    geometry = tf.box_nodes(cells, 2)  # a linear function of the coordinates is harmonic
    bent_nodes = tf.box_nodes(cells, 2, lambda x: x)
    linear = np.zeros(unknowns.size)
    linear[unknowns.numbers] = (geometry[:, 0] * 2 - bent_nodes[:, 1])
    straight = tf.GlobalOperator("diffusion", tf.box_nodes(cells), unknowns, order=2)
    b = np.zeros(unknowns.size)
    b[sides] = linear[sides]
    straight.eliminate(b)
    u, _ = tf.conjugate_gradient(straight, b, tolerance=1e-13)
    np.testing.assert_allclose(u, linear, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(unknowns.constrained, sides)
    assert A.unknowns.size == A.test_unknowns.size == unknowns.size


def test_new_data():
    unknowns = tf.Restriction.box([3, 2], order=2)
    A = tf.GlobalOperator("convection", bent_box([3, 2]), unknowns, order=2)
    x = random_vector(unknowns.size)
    D, y, t = A.data(), A @ x, A.T @ x
    A.set_data(3 * D)
    np.testing.assert_allclose(A @ x, 3 * y, rtol=0, atol=1e-13)
    np.testing.assert_allclose(A.T @ x, 3 * t, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(A.data(), 3 * D)
    later = tf.GlobalOperator("mass", None, unknowns, elements=6, dim=2, order=2)
    assert not (later @ x).any()


@pytest.mark.parametrize("of_unknowns", [True, False])
@pytest.mark.parametrize("kind", ["convection", "advection_diffusion", "mass"])
def test_new_data_of_one_of_two_transposes(kind, of_unknowns):
    nodes, sizes = bent_box([3, 2]), dict(order=2, test_order=1 if kind == "mass" else 2)

    def made():
        if not of_unknowns:
            return tf.ElementOperator(kind, nodes, **sizes)
        restrictions = [tf.Restriction.box([3, 2], order=n) for n in sizes.values()]
        return tf.GlobalOperator(kind, nodes, restrictions[0], test_unknowns=restrictions[1], **sizes)

    op = made()
    D, x, y = op.data(), random_vector(op.shape[1]), random_vector(op.shape[0], 2)
    Ax, Aty = op @ x, op.T @ y
    t = op.T
    t.set_data(2 * D)
    for got, wanted in [(t @ y, 2 * Aty), (t.T @ x, 2 * Ax), (op @ x, Ax), (op.T @ y, Aty)]:
        np.testing.assert_allclose(got.ravel(), wanted.ravel(), rtol=0, atol=1e-12)
    t = op.T
    op.set_data(3 * D)
    for got, wanted in [(op @ x, 3 * Ax), (op.T @ y, 3 * Aty), (t @ y, Aty), (t.T @ x, Ax)]:
        np.testing.assert_allclose(got.ravel(), wanted.ravel(), rtol=0, atol=1e-12)


def test_matrix_free_keeps_its_nodes():
    nodes = bent_box([3, 2])
    unknowns = tf.Restriction.box([3, 2], order=1)
    A = tf.GlobalOperator("mass", nodes.copy(), unknowns, form="matrix_free", in_given_order=True)
    B = tf.GlobalOperator("mass", nodes, unknowns)
    x = random_vector(unknowns.size)
    np.testing.assert_allclose(A @ x, B @ x, rtol=0, atol=1e-14)


def test_numbers_on_sides():
    box = tf.Restriction.box([2, 2], order=1)
    faces = tf.box_faces([2, 2])
    assert faces.shape == (8, 3)
    left = faces[faces[:, 2] == 0]
    np.testing.assert_array_equal(tf.numbers_on(box, left, 2), [0, 3, 6])
    np.testing.assert_array_equal(tf.numbers_on(box, left[:, :2], 2), [0, 3, 6])
    two = tf.Restriction.box([2, 2], order=1, components=2)
    np.testing.assert_array_equal(tf.numbers_on(two, left, 2, component=1), [9, 12, 15])


def test_results_have_the_shape_of_what_is_given():
    unknowns = tf.Restriction.box([4])
    A = tf.GlobalOperator("mass", tf.box_nodes([4]), unknowns)
    x = random_vector(5)
    y = A(x)
    assert y.shape == (5,)
    for shape in [(5, 1), (1, 5), (1, 5, 1)]:
        np.testing.assert_array_equal(A(x.reshape(shape)), y.reshape(shape))
        np.testing.assert_array_equal(A @ x.reshape(shape), y.reshape(shape))
    wide = tf.GlobalOperator("mass", tf.box_nodes([4]), unknowns, test_unknowns=tf.Restriction.box([4], order=2),
                             test_order=2)
    assert wide(x).shape == (9,) and wide(x[:, None]).shape == (9, 1)
    np.testing.assert_array_equal(wide(x[:, None])[:, 0], wide(x))
    square = tf.GlobalOperator("mass", tf.box_nodes([3]), tf.Restriction.box([3]),
                               test_unknowns=tf.Restriction.box([3], order=2), test_order=2)
    with pytest.raises(ValueError, match=r"x has the shape \(2, 2\), not \(4,\): y has 7 entries"):
        square(np.ones((2, 2)))


def test_solutions_have_the_shape_of_the_right_hand_side():
    E = tf.ElementOperator("mass", tf.box_nodes([6], 1), order=3)
    b = random_vector((6, 4))
    x, result = tf.conjugate_gradient(E, b, tolerance=1e-13)
    assert result.converged and x.shape == (6, 4)
    np.testing.assert_allclose(E(x), b, atol=1e-10)
    flat, _ = tf.conjugate_gradient(E, b.ravel(), tolerance=1e-13)
    np.testing.assert_array_equal(flat, x.ravel())
    A = tf.GlobalOperator("mass", tf.box_nodes([4]), tf.Restriction.box([4]))
    assert tf.conjugate_gradient(A, np.ones((5, 1)))[0].shape == (5, 1)
