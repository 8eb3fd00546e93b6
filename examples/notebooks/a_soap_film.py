# SPDX-License-Identifier: BSD-3-Clause
# A notebook: an operator of your own, compiled by numba, for a minimal surface.

# %% [markdown]
# # A soap film, by an operator of your own
#
# A film that hangs in a wire has the least area: its height $u$ over the unit square satisfies
# $$ -\nabla \cdot \frac{\nabla u}{\sqrt{1 + |\nabla u|^2}} = 0 $$
# with the wire's height at the boundary. Newton's method solves, for the change $\delta$, a linear diffusion whose
# tensor depends on the point: $K = (I - g g^T / s^2) / s$, with $g = \nabla u$ and $s = \sqrt{1 + |g|^2}$.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tessera_fem as tf
from tessera_fem.numba import point_function

cells, order = [16, 16], 4
nodes = tf.box_nodes(cells, order=order)
faces = tf.box_faces(cells)
boundary = tf.numbers_on(tf.Restriction.box(cells, order=order), faces, 2, order=order)
unknowns = tf.Restriction.box(cells, order=order, constrained=boundary)
at = tf.ElementPoints(nodes, order=order)

# %% [markdown]
# ## What happens at a point
#
# An operator $B^T D B$ evaluates $u$ and its gradient at the quadrature points, applies a function there, and sums the
# result against the test functions. The function is Python text that numba compiles. It gets derivatives in the
# directions of the reference square and three numbers of each point: the symmetric tensor
# $D = w \det J \; J^{-1} K J^{-T}$.


# %%
@point_function(2, takes="gradient", gives="gradient", factors=3)
def linearised(value, gradient, D, value_out, gradient_out):
    for n in range(D.shape[1]):
        a, b = gradient[0, 0, n], gradient[0, 1, n]
        gradient_out[0, 0, n] = D[0, n] * a + D[1, n] * b
        gradient_out[0, 1, n] = D[1, n] * a + D[2, n] * b


weights = at.weights()  # w det J
inverse = at.inverse_jacobians()  # (elements, points, 2, 2): J^-1


def tensor_of(u):
    """D for the linearisation around u: three numbers for each point."""
    g = at.gradients(u, unknowns)
    s = np.sqrt(1 + (g**2).sum(axis=-1))
    K = (np.eye(2) - g[..., :, None] * g[..., None, :] / s[..., None, None] ** 2) / s[..., None, None]
    D = weights[..., None, None] * np.einsum("epac,epcd,epbd->epab", inverse, K, inverse)
    return np.stack([D[..., 0, 0], D[..., 0, 1], D[..., 1, 1]], axis=-1)


def area(u):
    return at.integral(np.sqrt(1 + (at.gradients(u, unknowns) ** 2).sum(axis=-1)))


# %% [markdown]
# ## Newton's method
#
# `set_data` gives the operator another D, without making it again. The residual is the flux against the gradients of
# the test functions. `eliminate` takes the boundary's values to the right side.

# %%
numbers = unknowns.numbers.reshape(-1)
x = np.empty((2, unknowns.size))
x[:, numbers] = nodes.reshape(nodes.shape[0], 2, -1).transpose(1, 0, 2).reshape(2, -1)
wire = 0.5 * np.sin(2 * np.pi * x[0]) * (1 - 2 * x[1]) ** 2 + 0.4 * x[1] * np.cos(np.pi * x[0])

# The first guess is the film of small slopes, for which D is that of a flat film.
A = tf.GlobalOperator(function=linearised, D=tensor_of(np.zeros(unknowns.size)), unknowns=unknowns, order=order)
b = np.zeros(unknowns.size)
b[boundary] = wire[boundary]
A.eliminate(b)
u, solved = tf.conjugate_gradient(A, b, tolerance=1e-10, max_iterations=2000)
assert solved.converged, solved

history = []
for _ in range(20):
    g = at.gradients(u, unknowns)
    flux = g / np.sqrt(1 + (g**2).sum(axis=-1, keepdims=True))
    residual = -at.gradient_load(flux, unknowns)
    residual[boundary] = 0
    history.append((float(np.linalg.norm(residual)), area(u)))
    if history[-1][0] < 1e-11:
        break
    A.set_data(tensor_of(u))
    change, solved = tf.conjugate_gradient(A, residual, tolerance=1e-10, max_iterations=2000)
    assert solved.converged, solved
    u += change

for step, (size, film) in enumerate(history):
    print(f"step {step}: residual {size:.1e}, area {film:.10f}")
assert history[-1][0] < 1e-11
assert all(film >= history[-1][1] - 1e-12 for _, film in history)

# %%
figure = plt.figure(figsize=(9, 3.8))
left = figure.add_subplot(1, 2, 1, projection="3d")
left.plot_trisurf(x[0], x[1], u, cmap="viridis", linewidth=0)
left.set_title("the film")
right = figure.add_subplot(1, 2, 2)
right.semilogy([size for size, _ in history], marker="o")
right.set_xlabel("step of Newton's method")
right.set_ylabel("residual")
figure.tight_layout()
