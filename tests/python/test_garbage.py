# SPDX-License-Identifier: BSD-3-Clause
"""Cycles through operators and functions at points are collected, and nothing is reported at exit."""

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


def test_nothing_is_reported_at_exit():
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "(4,) (3,)\n", "")
