# SPDX-License-Identifier: BSD-3-Clause
"""Points of elements and of faces, functions there, loads, integrals and norms: against formulas in numpy."""

import numpy as np
import pytest
import reference
import tessera_fem as tf


def bent_box(dim, geometry_order=2):
    return tf.box_nodes([2, 1, 3][:dim], geometry_order, reference.bent)


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_geometry(dim):
    nodes = bent_box(dim)
    at, wanted = tf.ElementPoints(nodes, order=2, points=4), reference.Geometry(nodes, 4)
    close(at.coordinates(), wanted.coordinates)
    close(at.jacobians(), wanted.jacobians)
    close(at.inverse_jacobians(), wanted.inverse)
    close(at.weights(), wanted.weights)
    assert (at.count, at.points, at.dim, at.components) == (len(nodes), 4**dim, dim, 1)
    assert at.dtype == np.float64
    assert f"{4**dim} points in each of {len(nodes)} elements" in at.describe() and at.describe() in repr(at)


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("components", [1, 2])
def test_functions(dim, components):
    nodes = bent_box(dim)
    at = tf.ElementPoints(nodes, order=3, points=4, components=components)
    values, gradients = reference.Geometry(nodes, 4).functions(3)
    unknowns = tf.Restriction.box([2, 1, 3][:dim], order=3, components=components)
    x = np.random.default_rng(1).standard_normal(unknowns.size)
    u = unknowns.to_elements(x)
    each = u.reshape(len(nodes), components, -1)
    of_values = np.einsum("kn,ecn->ekc", values, each)
    of_gradients = np.einsum("ekdn,ecn->ekcd", gradients, each)
    if components == 1:
        of_values, of_gradients = of_values[:, :, 0], of_gradients[:, :, 0]
    close(at.values(u), of_values)
    close(at.values(x, unknowns), of_values)
    close(at.gradients(x, unknowns), of_gradients)
    in_reference = np.einsum("ekcd,ek...c->ek...d", at.jacobians(), of_gradients)
    close(at.reference_gradients(u), in_reference)

    weights = at.weights()
    f = np.random.default_rng(2).standard_normal(of_values.shape)
    b = np.einsum("ek,ekc,kn->ecn", weights, f.reshape(*weights.shape, components), values).reshape(u.shape)
    close(at.load(f), b)
    on_unknowns = unknowns.add_from_elements(b, np.zeros(unknowns.size))
    close(at.load(f, unknowns), on_unknowns)
    out = np.ones(unknowns.size)
    assert at.load(f, unknowns, out=out, add=True) is out
    close(out, on_unknowns + 1)
    F = np.random.default_rng(3).standard_normal(of_gradients.shape)
    c = np.einsum("ek,ekcd,ekdn->ecn", weights, F.reshape(*weights.shape, components, dim), gradients)
    close(at.gradient_load(F), c.reshape(u.shape))
    close(at.gradient_load(F, out=np.full(u.shape, 9.0)), c.reshape(u.shape))

    volume = tuple(range(2, of_values.ndim))
    norm = np.sqrt((weights * (of_values**2).sum(axis=volume)).sum())
    assert at.l2_norm(u) == pytest.approx(norm) and at.l2_norm(x, unknowns) == pytest.approx(norm)
    volume = tuple(range(2, of_gradients.ndim))
    slope = np.sqrt((weights * (of_gradients**2).sum(axis=volume)).sum())
    assert at.h1_seminorm(x, unknowns) == pytest.approx(slope)
    error = np.sqrt((weights * ((of_values - f) ** 2).sum(axis=tuple(range(2, f.ndim)))).sum())
    assert at.l2_error(u, f) == pytest.approx(error)
    assert at.h1_error(u, of_gradients) == pytest.approx(0, abs=1e-12)
    assert at.l2_error(u, 0.0) == pytest.approx(norm)


def test_functions_of_coordinates():
    nodes = bent_box(2)
    at = tf.ElementPoints(nodes, order=2, components=2)
    x = at.coordinates()
    wanted = np.stack([x[..., 0] * x[..., 1], np.full(x.shape[:2], 3.0)], axis=2)
    close(at.evaluate(lambda x: [x[0] * x[1], 3.0]), wanted)
    close(at.evaluate(2.0), np.full((2, 16, 2), 2.0))
    single = tf.ElementPoints(nodes, order=2)
    close(single.evaluate(lambda x: x[1] ** 2), x[..., 1] ** 2)
    assert single.integral(lambda x: x[0]) == pytest.approx((single.weights() * x[..., 0]).sum())
    assert single.integral(1) == pytest.approx(single.weights().sum())
    # A function of the space, and its gradient, have no error.
    geometry = nodes.reshape(2, 2, 9)
    u = 2 * geometry[:, 0] - geometry[:, 1]
    assert single.l2_error(u, lambda x: 2 * x[0] - x[1]) < 1e-13
    assert single.h1_error(u, lambda x: [2.0, -1.0]) < 1e-12
    vector = np.stack([geometry[:, 0], 3 * geometry[:, 1]], axis=1)
    assert at.h1_error(vector, lambda x: [[1.0, 0.0], [0.0, 3.0]]) < 1e-12
    assert at.h1_error(vector, lambda x: [[1.0, 0.0], [1.0, 3.0]]) == pytest.approx(np.sqrt(at.weights().sum()))


def test_faces():
    cells = [2, 3]
    nodes = tf.box_nodes(cells)
    faces = tf.box_faces(cells)
    right = faces[faces[:, 2] == 1]
    at = tf.ElementPoints(nodes, order=2, faces=right)
    assert (at.count, at.points) == (3, 4) and "on each of 3 faces" in at.describe()
    close(at.normals(), np.broadcast_to([1.0, 0.0], (3, 4, 2)))
    close(at.coordinates()[..., 0], np.ones((3, 4)))
    assert at.integral(lambda x: x[1] ** 2) == pytest.approx(1 / 3)
    unknowns = tf.Restriction.box(cells, order=2)
    b = at.load(1.0, unknowns)
    on_right = tf.numbers_on(unknowns, right, 2, order=2)
    assert b.sum() == pytest.approx(1) and b[on_right].sum() == pytest.approx(1)


def test_in_float_and_with_an_operators_options():
    options = dict(order=2, form="matrix_free", coefficients=[2.0])
    nodes = bent_box(2, 1).astype("float32")
    op, at = tf.ElementOperator("mass", nodes, **options), tf.ElementPoints(nodes, **options)
    b = at.load(1)
    assert b.dtype == np.float32
    np.testing.assert_allclose(op(np.ones(op.shape_in, "float32")), 2 * b, rtol=1e-5)


def test_tables_and_simplices():
    triangle = np.array([[[0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]])
    at = tf.ElementPoints(triangle, order=1, shape="simplex")
    assert at.integral(1.0) == pytest.approx(1.0)
    close(at.load(1.0), np.full((1, 3), 1 / 3))
    u = triangle[:, 0] + 5 * triangle[:, 1]
    close(at.gradients(u)[0], np.broadcast_to([1.0, 5.0], (at.points, 2)))


def test_coordinates_are_kept():
    at = tf.ElementPoints(bent_box(2).copy(), order=1)
    others = [np.full((2, 2, 9), float(i)) for i in range(50)]
    assert at.integral(1) == pytest.approx(tf.ElementPoints(bent_box(2), order=1).integral(1))
    assert len(others) == 50


def test_mistakes():
    nodes = bent_box(2)
    at = tf.ElementPoints(nodes, order=1)
    two = tf.ElementPoints(nodes, order=1, components=2)
    unknowns = tf.Restriction.box([2, 1])

    class Exported:  # no buffer, as tensors of PyTorch
        def __init__(self, of):
            self.of = of

        def __dlpack__(self, **_):
            return self.of.__dlpack__()

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

    cases = [
        (lambda: at.load(Exported(np.ones((9, 2)))), r"f has the shape \(9, 2\), not \(2, 9\): numbers at points"),
        (lambda: tf.ElementPoints(None), r"ElementPoints: nodes is None, not an array \(elements, dim, nodes\)"),
        (lambda: tf.ElementPoints(nodes, faces=[[0, 9]]), "9"),
        (lambda: tf.ElementPoints(nodes, faces=[0, 1]), r"faces has the shape \(2,\), not \(faces, 3\)"),
        (lambda: at.normals(), "points in elements have no normals"),
        (lambda: at.values(np.ones(3)), "u has 3 entries, not 8"),
        (lambda: at.values(np.ones(8), unknowns), "u has 8 entries, not 6"),
        (lambda: at.values(np.ones(6, "float32"), unknowns), "u has entries of float32, not float64"),
        (lambda: at.load(np.ones((2, 8))), r"f has the shape \(2, 8\), not \(2, 9\): numbers at points"),
        (lambda: two.load(np.ones((2, 9))), r"f has the shape \(2, 9\), not \(2, 9, 2\)"),
        (lambda: two.load(lambda x: [x[0]]), r"gives 1 parts, not 2: those of \(2, 9, 2\)"),
        (lambda: at.load(lambda x: x[0][:, :3]), r"coordinates gives the shape \(2, 3\), neither one number nor"),
        (lambda: at.load(lambda x: x), r"coordinates gives the shape \(2, 2, 9\), neither one number nor .*, \(2, 9\)"),
        (lambda: at.load(1.0, unknowns, out=np.ones(7)), "out has 7 entries, not 6"),
        (lambda: at.load(1.0, unknowns, add=True), "add=True adds to out, which is not given"),
        (lambda: two.load(1.0, unknowns), "restriction has"),
        (lambda: at.l2_error(np.ones(8), np.ones((3, 3))), r"exact has the shape \(3, 3\), not \(2, 9\)"),
    ]
    for call, text in cases:
        error = TypeError if "has entries of" in text else (ValueError, tf.Error)
        with pytest.raises(error, match=text):
            call()
    with pytest.raises(TypeError, match="unknowns is 3, not a Restriction"):
        at.values(np.ones(6), 3)
    with pytest.raises(TypeError, match="ElementPoints has no argument face; there are: faces"):
        tf.ElementPoints(nodes, face=[[0, 0]])
    with pytest.raises(ZeroDivisionError):
        at.load(lambda x: 1 / 0)


def test_complex_numbers_are_refused():
    nodes = bent_box(2)
    at, two = tf.ElementPoints(nodes, order=1), tf.ElementPoints(nodes.astype("float32"), order=1, components=2)
    cases = [
        (lambda: at.load(lambda x: np.exp(1j * x[0])), "f has entries of complex128, not float64"),
        (lambda: at.load(1j), "f has entries of complex128, not float64"),
        (lambda: at.integral(lambda x: 1j), "f has entries of complex128, not float64"),
        (lambda: at.l2_error(np.ones(8), lambda x: 1j * x[0]), "exact has entries of complex128, not float64"),
        (lambda: two.evaluate(lambda x: [x[0], 1j]), "f has entries of complex128, not float32"),
    ]
    for call, text in cases:
        with pytest.raises(TypeError, match=text):
            call()
