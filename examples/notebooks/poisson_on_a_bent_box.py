# SPDX-License-Identifier: BSD-3-Clause
# A notebook: Poisson's equation on a bent box, with a picture and the order of convergence.

# %% [markdown]
# # Poisson's equation on a bent box
#
# $-\Delta u = f$ in a square whose elements are bent, $u = g$ on its boundary, with the exact solution
# $u = \sin \pi x \, \cosh y$, so that $f = (\pi^2 - 1) u$.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tessera_fem as tf


def exact(x):
    return np.sin(np.pi * x[0]) * np.cosh(x[1])


def source(x):
    return (np.pi**2 - 1) * exact(x)


def bend(x):
    """Moves the inside of the unit square along waves; its boundary stays straight."""
    wave = 0.06 * np.sin(2 * np.pi * x[0]) * np.sin(2 * np.pi * x[1])
    return [x[0] + wave, x[1] + wave]


# %% [markdown]
# ## One solve
#
# `box_nodes` has the coordinates of the nodes of every element, `Restriction.box` the number of the unknown that each
# of them is. A mesh of your own is two such arrays. Known values are set in `b`; `eliminate` brings them to the right
# side.

# %%
def solve(cells, order):
    nodes = tf.box_nodes(cells, order=order, move=bend)
    faces = tf.box_faces(cells)
    boundary = tf.numbers_on(tf.Restriction.box(cells, order=order), faces, 2, order=order)
    unknowns = tf.Restriction.box(cells, order=order, constrained=boundary)
    A = tf.GlobalOperator("diffusion", nodes, unknowns, order=order, geometry_order=order)
    at = tf.ElementPoints(nodes, order=order, geometry_order=order)

    # Nodes and unknowns are at the same places here: coordinates of every unknown.
    numbers = unknowns.numbers.reshape(-1)
    x = np.empty((2, A.shape[0]))
    x[:, numbers] = nodes.reshape(nodes.shape[0], 2, -1).transpose(1, 0, 2).reshape(2, -1)

    b = at.load(source, unknowns)
    b[boundary] = exact(x[:, boundary])
    A.eliminate(b)
    u, result = tf.conjugate_gradient(A, b, tolerance=1e-11, max_iterations=2000)
    assert result.converged
    return x, u, at.l2_error(u, exact, unknowns), result, A


x, u, error, result, A = solve([12, 12], 4)
print(f"{u.size} unknowns, {result.iterations} iterations, error {error:.1e}")
print(A.describe())

# %%
figure, plot = plt.subplots(figsize=(5, 3.8))
picture = plot.tricontourf(x[0], x[1], u, levels=24)
figure.colorbar(picture, ax=plot)
plot.plot(x[0], x[1], ".", markersize=0.6, color="white")
plot.set_title("u, and the unknowns")
plot.set_aspect("equal")
figure.tight_layout()

# %% [markdown]
# ## The order of convergence
#
# Elements of order $p$ and width $h$ have an error of $O(h^{p+1})$.

# %%
widths = np.array([2, 4, 8, 16])
figure, plot = plt.subplots(figsize=(5, 3.8))
for p in (1, 2, 3, 4):
    errors = np.array([solve([n, n], p)[2] for n in widths])
    orders = np.log2(errors[:-1] / errors[1:])
    plot.loglog(1 / widths, errors, marker="o", label=f"p = {p}: order {orders[-1]:.1f}")
    print(p, errors, orders)
    assert orders[-1] > p + 0.7
plot.set_xlabel("h")
plot.set_ylabel("error in L2")
plot.legend()
figure.tight_layout()
