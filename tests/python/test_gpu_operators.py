# SPDX-License-Identifier: BSD-3-Clause
"""Operators on arrays in a GPU's memory do what those on a CPU do."""

import numpy as np
import pytest
import reference
import tessera_fem as tf

if "cuda" not in tf.targets():
    pytest.skip("no GPU", allow_module_level=True)

KINDS = ["mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion"]


@pytest.fixture(params=["cupy", "torch"])
def library(request):
    """(to the GPU, from it, the type of its arrays)"""
    module = pytest.importorskip(request.param)
    if request.param == "cupy":
        return module.asarray, module.asnumpy, module.ndarray
    if not module.cuda.is_available():
        pytest.skip("PyTorch without CUDA")
    return lambda a: module.as_tensor(a).cuda(), lambda t: t.cpu().numpy(), module.Tensor


def bent_box(dim):
    return tf.box_nodes([3, 2, 2][:dim], 1, reference.bent)


def random_vector(shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * max(1, np.abs(b).max()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("form", ["stored", "matrix_free"])
def test_is_that_of_a_cpu(library, kind, dim, form):
    to, back, type_of = library
    nodes = bent_box(dim)
    host = tf.ElementOperator(kind, nodes, order=2)
    op = tf.ElementOperator(kind, to(nodes), order=2, form=form)
    x = random_vector(host.shape_in)
    on_gpu = to(x)
    y = op(on_gpu)
    assert isinstance(y, type_of)
    close(back(y), host(x))
    assert op(on_gpu, y) is y
    op.add(on_gpu, y)
    close(back(y), 2 * host(x))
    if form == "stored":
        close(back(op.diagonal()), host.diagonal())
        close(back(op.matrices()), host.matrices())
        close(op.data(), host.data())
        close(back(op.T(on_gpu)), host.T(x))
    close(back(op @ on_gpu.reshape(-1)), host(x).ravel())


@pytest.mark.parametrize("kind", ["diffusion", "advection_diffusion"])
def test_nodes_in_host_memory(library, kind):
    to, back, _ = library
    nodes = bent_box(2)
    host = tf.ElementOperator(kind, nodes, order=2)
    op = tf.ElementOperator(kind, nodes, order=2, target="cuda")
    x = random_vector(host.shape_in)
    close(back(op(to(x))), host(x))
    close(op.matrices(), host.matrices())
    close(op.diagonal(), host.diagonal())
    with pytest.raises(ValueError, match="x is in memory of the cpu, not of the gpu"):
        op(x)
    with pytest.raises(ValueError, match="x is in memory of the gpu, not of the cpu"):
        host(to(x))


def test_strides(library):
    to, back, _ = library
    op, host = (tf.ElementOperator("mass", n, order=2, components=2) for n in (to(bent_box(2)), bent_box(2)))
    x = random_vector((2, 6, 9))
    close(back(op(to(x).swapaxes(0, 1))), host(x.swapaxes(0, 1)))


def test_some_elements(library):
    to, back, _ = library
    op, host = (tf.ElementOperator("mass", n, order=2) for n in (to(bent_box(2)), bent_box(2)))
    x = random_vector((6, 9))
    for elements, on_gpu in [(slice(1, 4), slice(1, 4)), ([3, 0], to(np.array([3, 0])))]:
        out, wanted = to(np.ones((6, 9))), np.ones((6, 9))
        op(to(x), out, elements=on_gpu)
        host(x, wanted, elements=elements)
        close(back(out), wanted)
    with pytest.raises(ValueError, match="elements is in memory of the cpu, not of the gpu"):
        op(to(x), to(x), elements=np.array([1]))


@pytest.mark.parametrize("kind", ["diffusion", "convection", "advection_diffusion"])
def test_operators_on_unknowns(library, kind):
    to, back, type_of = library
    nodes = bent_box(2)
    unknowns = tf.Restriction.box([3, 2], order=2, constrained=[0, 5])
    host = tf.GlobalOperator(kind, nodes, unknowns, order=2)
    A = tf.GlobalOperator(kind, to(nodes), unknowns, order=2)
    x = random_vector(unknowns.size)
    on_gpu = to(x)
    y = A(on_gpu)
    assert isinstance(y, type_of)
    close(back(y), host(x))
    close(back(A.T(on_gpu)), host.T(x))
    close(back(A.add(on_gpu, A(on_gpu))), 2 * host(x))
    close(back(A.diagonal()), host.diagonal())
    close(back(unknowns.to_elements(on_gpu)), unknowns.to_elements(x))
    E = random_vector((6, 9), 2)
    close(back(unknowns.add_from_elements(to(E), to(x))), unknowns.add_from_elements(E, x.copy()))
    b, host_b = to(x), x.copy()
    A.eliminate(b)
    host.eliminate(host_b)
    close(back(b), host_b)
    A.set_data(to(2 * host.data()))
    close(A.data(), 2 * host.data())


@pytest.mark.parametrize("preconditioner", ["jacobi", "chebyshev", "none"])
def test_conjugate_gradients(library, preconditioner):
    to, back, type_of = library
    nodes = tf.box_nodes([4, 4])
    fixed = tf.numbers_on(tf.Restriction.box([4, 4], order=3), tf.box_faces([4, 4]), 2, order=3)
    unknowns = tf.Restriction.box([4, 4], order=3, constrained=fixed)
    host = tf.GlobalOperator("diffusion", nodes, unknowns, order=3)
    A = tf.GlobalOperator("diffusion", to(nodes), unknowns, order=3)
    b = tf.ElementPoints(nodes, order=3).load(1.0, unknowns)
    b[fixed] = 0
    calls = []
    u, result = tf.conjugate_gradient(A, to(b), tolerance=1e-11, preconditioner=preconditioner,
                                      callback=lambda k, r: calls.append(k))
    assert result.converged and isinstance(u, type_of) and len(calls) > 0
    wanted, _ = tf.conjugate_gradient(host, b, tolerance=1e-11)
    np.testing.assert_allclose(back(u), wanted, rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="a preconditioner in Python is for host memory, and A is on the gpu"):
        tf.conjugate_gradient(A, to(b), preconditioner=lambda r: r)


SOURCE = """
#include <tessera/element/pointwise.hpp>
namespace mine {
struct cubes {
  double factor;
  static constexpr int dim = 2, factors = 1;
  static constexpr tessera::point_shape trial{.value = true}, test{.value = true};
  template <class S>
  constexpr void operator()(const tessera::at_point<S, 1, 2>& u, const S (&D)[1], tessera::at_point<S, 1, 2>& v) const {
    v.value[0] = S(factor) * D[0] * u.value[0] * u.value[0] * u.value[0];
  }
};
}
"""


def test_a_function_as_text(library):
    to, back, _ = library
    state = np.array([3.0]).tobytes()
    function = tf.PointFunction(dim=2, source=SOURCE, source_type="mine::cubes", state=state, name="cubes")
    D = tf.ElementPoints(bent_box(2), order=2).weights()
    op = tf.ElementOperator(function=function, D=to(D), order=2)
    x = random_vector((6, 9))
    values, _ = reference.tables(2, 2, reference.gauss_rule(4)[0])
    wanted = 3 * np.einsum("kn,ek,ek->en", values, D, np.einsum("kn,en->ek", values, x) ** 3)
    close(back(op(to(x))), wanted)
    with pytest.raises(ValueError, match="a GPU needs source="):
        tf.ElementOperator(function=tf.PointFunction(1, dim=2), D=to(D), order=2)


def test_work_waits_for_the_stream_of_its_arrays():
    """x is written in a stream of CuPy behind long work; a call in another stream would read what was there before."""
    cupy = pytest.importorskip("cupy")
    nodes = cupy.asarray(tf.box_nodes([16, 16, 16]))
    op = tf.ElementOperator("mass", nodes, order=3)
    ones = cupy.ones(op.shape_in)
    wanted = cupy.asnumpy(op(ones))
    a = cupy.random.random((4096, 4096))
    stream = cupy.cuda.Stream(non_blocking=True)
    for given in [None, stream]:
        x, y = cupy.zeros(op.shape_in), cupy.zeros(op.shape_out)
        cupy.cuda.Device().synchronize()
        with stream:
            b = a
            for _ in range(20):
                b = b @ a
            x += 1
            op(x, y, stream=given)
            stream.synchronize()
        np.testing.assert_array_equal(cupy.asnumpy(y), wanted)


def test_scipy_of_cupy():
    cupy = pytest.importorskip("cupy")
    linalg = pytest.importorskip("cupyx.scipy.sparse.linalg")
    nodes = tf.box_nodes([4, 3])
    unknowns = tf.Restriction.box([4, 3], order=2)
    A = tf.GlobalOperator("helmholtz", cupy.asarray(nodes), unknowns, order=2)
    b = cupy.ones(A.shape[0])
    u, info = linalg.cg(linalg.aslinearoperator(A), b, atol=1e-10)
    assert info == 0
    assert float(cupy.abs(A @ u - b).max()) < 1e-4


def test_points_are_in_host_memory(library):
    to, _, _ = library
    with pytest.raises(ValueError, match="nodes is in memory of the gpu; points are computed on a CPU"):
        tf.ElementPoints(to(bent_box(2)), order=2)
