# SPDX-License-Identifier: BSD-3-Clause
# A notebook: the values of functions at the quadrature points of many elements, by einsum.

# %% [markdown]
# # One small contraction in each of many elements
#
# A function in an element of order $p$ has $(p+1)^3$ coefficients $x_{abc}$, one for each node. Its values at the
# $(p+2)^3$ quadrature points are
# $$ y_{ijk} = \sum_{a,b,c} B_{ia} B_{jb} B_{kc} x_{abc}, $$
# with a small matrix $B$: the basis functions of a segment at its points. It takes three contractions, one for each
# direction, in every element.

# %%
import timeit

import matplotlib.pyplot as plt
import numpy as np

import tessera_fem as tf


def basis(p):
    """The polynomials of order p that are 1 at one Chebyshev node and 0 at the others, at p + 2 Gauss points."""
    nodes = np.cos(np.pi * (np.arange(p + 1) + 0.5) / (p + 1))
    points, _ = np.polynomial.legendre.leggauss(p + 2)
    B = np.ones((p + 2, p + 1))
    for a in range(p + 1):
        for other in range(p + 1):
            if other != a:
                B[:, a] *= (points - nodes[other]) / (nodes[a] - nodes[other])
    return B


# %% [markdown]
# ## In one call
#
# Four operands are three pairs. `describe()` prints the order in which they are multiplied, the one of the fewest
# operations, and the kernel of each.

# %%
p = 4
B = basis(p)
x = np.random.default_rng(0).standard_normal((2000, p + 1, p + 1, p + 1))
plan = tf.Plan("ia,jb,kc,eabc->eijk", B, B, B, x, batch="e")
y = plan(B, B, B, x)
print(plan.describe())
assert np.allclose(y, np.einsum("ia,jb,kc,eabc->eijk", B, B, B, x, optimize=True))

# %% [markdown]
# ## Against numpy, direction by direction
#
# On one thread, with a batch that stays in cache. Which direction is contracted makes little difference: the arrays are
# row-major here, and Tessera orders indices by strides.

# %%
orders = range(1, 9)
axes = {"last": "kc,eabc->eabk", "middle": "jb,eabc->eajc", "first": "ia,eabc->eibc"}


def seconds(call):
    """The best of some runs, each long enough to be timed."""
    call()
    once = timeit.timeit(call, number=1)
    number = max(1, int(2e-3 / max(once, 1e-7)))
    return min(timeit.repeat(call, number=number, repeat=5)) / number


speedup = {axis: [] for axis in axes}
for p in orders:
    B = basis(p)
    elements = max(1, 20000 // (p + 2) ** 3)
    x = np.random.default_rng(p).standard_normal((elements, p + 1, p + 1, p + 1))
    for axis, text in axes.items():
        expected = np.einsum(text, B, x, optimize=True)
        out = np.empty_like(expected)
        plan = tf.Plan(text, B, x, out, batch="e", threads=1)
        assert np.allclose(plan.run(B, x, out), expected)
        ours = seconds(lambda: plan.run(B, x, out))
        numpys = seconds(lambda: np.einsum(text, B, x, out=out, optimize=True))
        speedup[axis].append(numpys / ours)

figure, axes_of_plot = plt.subplots(figsize=(6, 3.5))
for axis, values in speedup.items():
    axes_of_plot.plot(orders, values, marker="o", label=f"{axis} index")
axes_of_plot.axhline(1, color="gray", linewidth=0.8)
axes_of_plot.set_xlabel("order p")
axes_of_plot.set_ylabel("times as fast as numpy.einsum")
axes_of_plot.set_yscale("log")
axes_of_plot.legend()
figure.tight_layout()
print({axis: [round(float(v), 1) for v in values] for axis, values in speedup.items()})
