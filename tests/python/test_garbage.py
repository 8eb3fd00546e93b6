# SPDX-License-Identifier: BSD-3-Clause
"""Cycles through objects with functions of Python are collected, and nothing is reported at exit."""

import ctypes
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest
import tessera_fem as tf
from tessera_fem.point_block import POINT_FUNCTION


class Model:
    """An operator whose function knows the model that has the operator."""

    def __init__(self, make):
        @POINT_FUNCTION
        def call(block, context):
            b = block.contents
            b.array("value_out", 1)[:] = self.factor * b.array("D", 1) * b.array("value", 1)

        self.factor = 3
        self.function = tf.PointFunction(call, dim=1)
        self.op = make(self.function)


def of_elements(function):
    return tf.ElementOperator(function=function, D=np.ones((2, 3)), dim=1)


def of_unknowns(function):
    return tf.GlobalOperator(unknowns=tf.Restriction.box([2]), function=function, D=np.ones((2, 3)), dim=1)


class OfSubclass(tf.ElementOperator):
    def __init__(self, function):
        super().__init__(function=function, D=np.ones((2, 3)), dim=1)


@pytest.mark.parametrize("make", [of_elements, of_unknowns, OfSubclass, lambda function: None])
def test_cycles_are_collected(make):
    model = Model(make)
    alive = weakref.ref(model)
    if model.op is not None:
        x = np.ones(model.op.shape[1])
        wanted = model.op @ x
        assert wanted.any()
        for _ in range(3):
            gc.collect()
        np.testing.assert_array_equal(model.op @ x, wanted)
    del model
    gc.collect()
    assert alive() is None


unary = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
binary = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)


def negated(owner):
    return tf.EntryFunction(unary(lambda x: (owner, -x)[1]))


def summed(owner):
    return tf.Operations(binary(lambda a, b: a * b), binary(lambda c, x: (owner, c + x)[1]), neutral=0)


def multiplied(owner):
    return tf.Operations(binary(lambda a, b: (owner, a * b)[1]), binary(lambda c, x: c + x), neutral=0)


def planned(functions=None, pair=None):
    return tf.Plan("ik,kj->ij", np.ones((2, 2)), np.ones((2, 2)), functions=functions, pair=pair)


@pytest.mark.parametrize(
    ("make", "factor"),
    [
        (lambda owner: planned(functions={"a": negated(owner)}), -2),
        (lambda owner: planned(functions={"result": negated(owner), "b": negated(owner)}), 2),
        (lambda owner: planned(pair=summed(owner)), 2),
        (lambda owner: planned(pair=multiplied(owner), functions={"addend": "relu", "a": negated(owner)}), -2),
    ],
)
def test_cycles_through_plans_are_collected(make, factor):
    class Owner:
        pass

    owner = Owner()
    owner.plan = make(owner)
    alive = weakref.ref(owner)
    for _ in range(3):
        gc.collect()
    np.testing.assert_array_equal(owner.plan(np.ones((2, 2)), np.ones((2, 2))), np.full((2, 2), factor))
    del owner
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("make", [negated, summed, multiplied])
def test_cycles_through_functions_are_collected_but_for_those_of_kept_plans(make):
    class Owner:
        pass

    a = np.ones((2, 2))
    tf.clear_plans()
    for is_kept in (False, True):
        owner = Owner()
        owner.function = make(owner)
        alive = weakref.ref(owner)
        if is_kept:
            keyword = {"functions": {"a": owner.function}} if make is negated else {"pair": owner.function}
            wanted = tf.einsum("ik,kj->ij", a, a, **keyword)
        del owner
        gc.collect()
        assert (alive() is not None) == is_kept
    np.testing.assert_array_equal(tf.einsum("ik,kj->ij", a, a, **{**keyword}), wanted)
    del keyword
    tf.clear_plans()
    gc.collect()
    assert alive() is None


def test_transposes_share_what_they_keep():
    op = tf.ElementOperator("mass", tf.box_nodes([2]))
    others = [op.T for _ in range(3)] + [tf.ElementOperator("convection", tf.box_nodes([2])).T.T.T]
    wanted = [other @ np.ones(4) for other in others]
    gc.collect()
    del op
    gc.collect()
    for other, y in zip(others, wanted):
        np.testing.assert_array_equal(other @ np.ones(4), y)


SCRIPT = """
import numpy as np, tessera_fem as tf
from tessera_fem.point_block import POINT_FUNCTION

@POINT_FUNCTION
def call(block, context):
    b = block.contents
    b.array("value_out", 1)[:] = np.asarray(b.array("value", 1)) * b.array("D", 1)

function = tf.PointFunction(call, dim=1)
op = tf.ElementOperator(function=function, D=np.ones((2, 3)), dim=1)
A = tf.GlobalOperator(unknowns=tf.Restriction.box([2]), function=function, D=np.ones((2, 3)), dim=1)
print((op @ np.ones(4)).shape, (A @ np.ones(3)).shape)
"""


# The functions see the module that has the plans, and einsum keeps plans of its own.
FUNCTIONS = """
import ctypes, numpy as np, tessera_fem as tf

@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
def negated(x):
    return -x

binary = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
own = tf.EntryFunction(negated)
pair = tf.Operations(binary(lambda a, b: a * b), binary(lambda c, x: c + x), neutral=0)
a = np.ones((2, 2))
plan = tf.Plan("ik,kj->ij", a, a, functions={"a": own}, pair=pair)
print(plan(a, a)[0, 0], tf.einsum("ik,kj->ij", a, a, functions={"a": own}, pair=pair)[0, 0])
"""

# Daemons are in a kernel, in a callback or between calls when the interpreter ends.
DAEMON = """
import threading, time, numpy as np, tessera_fem as tf
a = np.eye(300)
A = tf.ElementOperator("mass", tf.box_nodes([2]))

class Diagonal:
    shape = (300, 300)
    def matvec(self, x):
        return a[0] * sum(x[i] for i in range(300)) + x

calls = [
    lambda: tf.einsum("ij,jk->ik", a, a),
    lambda: A(np.ones((2, 2))),
    lambda: tf.conjugate_gradient(Diagonal(), a[0], preconditioner="none", callback=lambda i, r: None),
    lambda: tf.limits(threads=[1], repetitions=1, progress=lambda m: None),
]

def work():
    while True:
        calls[%d]()

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print("done")
"""


@pytest.mark.parametrize(
    ("script", "printed"),
    [(SCRIPT, "(4,) (3,)\n"), (FUNCTIONS, "-2.0 -2.0\n")] + [(DAEMON % i, "done\n") for i in range(4)],
)
def test_nothing_is_reported_at_exit(script, printed):
    for _ in range(3 if script is SCRIPT or script is FUNCTIONS else 6):
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=100)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, printed, "")
