# SPDX-License-Identifier: BSD-3-Clause
"""What an installed wheel has to do, in an environment that has nothing else but numpy: .ci/run wheel.

wheel_works.py [FOLDER]: where the wheel was installed, this Python's environment where it is not given.
"""

import doctest
import importlib.metadata
import pathlib
import subprocess
import sys

import numpy as np

import tessera_fem as tf
import tessera_fem.tune


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


folder = pathlib.Path(tf.__file__).parent
place = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else sys.prefix).resolve()
assert place in folder.resolve().parents, f"{folder} is not in {place}: another package was imported"
assert importlib.metadata.version("tessera-fem") == tf.__version__
for name in ("_core.pyi", "py.typed", "tools/bin/tessera-tune", "tools/bin/tessera-tune-worker"):
    assert (folder / name).exists(), f"the wheel has no {name}"

random = np.random.default_rng(0)
B, x = random.standard_normal((5, 4)), random.standard_normal((100, 4, 4, 4))
expected = np.einsum("kj,ejbc->ekbc", B, x)
close(tf.einsum("kj,ejbc->ekbc", B, x, batch="e"), expected)
for target in tf.targets():
    if target != "cuda":
        close(tf.einsum("kj,ejbc->ekbc", B, x, batch="e", target=target), expected)

op = tf.ElementOperator("diffusion", tf.box_nodes([3, 2, 2]), order=3)
u = random.standard_normal(op.shape_in)
close(op(u), np.einsum("eij,ej->ei", op.matrices(), u))

unknowns = tf.Restriction.box([8], order=2, constrained=[0, 16])
A = tf.GlobalOperator("diffusion", tf.box_nodes([8]), unknowns, order=2)
b = tf.ElementPoints(tf.box_nodes([8]), order=2).load(1.0, unknowns)
b[unknowns.constrained] = 0
solution, result = tf.conjugate_gradient(A, b, tolerance=1e-12)
points = np.linspace(0, 1, 17)
assert result.converged
np.testing.assert_allclose(solution, points * (1 - points) / 2, atol=1e-10)  # -u'' = 1

attempted = 0
for name in tf.__all__:
    for example in doctest.DocTestFinder().find(getattr(tf, name), name, module=False, globs={}):
        outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
        assert outcome.failed == 0, name
        attempted += outcome.attempted
assert attempted > 30

subprocess.run([tf.tune.program(), "--help"], check=True, stdout=subprocess.DEVNULL)
tf.show_config()
print(f"tessera_fem {tf.__version__} works: {', '.join(tf.targets())}; {attempted} examples")
