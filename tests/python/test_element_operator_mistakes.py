# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with the arguments of element operators is said with names and extents."""

import numpy as np
import pytest
import reference
import tessera_fem as tf


def bent_box(dim):
    return tf.box_nodes([2, 3, 1][:dim], 1, reference.bent)


def made(**changes):
    arguments = dict(kind="mass", nodes=np.array([[[0.0, 1.0]], [[1.0, 3.0]]]), order=1)
    arguments.update(changes)
    return tf.ElementOperator(**arguments)


@pytest.mark.parametrize(
    "changes, error, text",
    [
        (dict(kind="mas"), ValueError, 'there is no operator "mas"; there are: mass, diffusion'),
        (dict(kind="\ud800"), TypeError, r"kind is '\\ud800', which is not valid Unicode"),
        (dict(basis="\ud800"), TypeError, r"basis is '\\ud800', which is not valid Unicode"),
        (dict(tables={"\ud800": 1}), TypeError, r"a key of tables is '\\ud800', which is not valid"),
        ({"\ud800": 1}, TypeError, r"the name of an argument is '\\ud800', which is not valid"),
        (dict(kind=3), TypeError, "kind is 3, not a string"),
        (dict(basis="lagrange"), ValueError, 'no basis "lagrange"; there are: gauss_lobatto, gauss, bernstein'),
        (dict(rule="x"), ValueError, 'no rule "x"'),
        (dict(form="free"), ValueError, 'no form "free"; there are: stored, matrix_free'),
        (dict(storage="half"), ValueError, 'no storage "half"; there are: same, float'),
        (dict(shape="wedge"), ValueError, 'no shape "wedge"; there are: cube, simplex'),
        (dict(target="avx9"), (ValueError, tf.Error), "avx9"),
        (dict(ordr=2), TypeError, "has no argument ordr; there are: function, order, basis"),
        (dict(order=2.5), TypeError, "order is 2.5, not an integer"),
        (dict(order=0), (ValueError, tf.Error), "order"),
        (dict(order=99), (ValueError, tf.Error), "99"),
        (dict(points=99), (ValueError, tf.Error), "99"),
        (dict(nodes=None), ValueError, "nodes or D are to be given, or elements="),
        (dict(nodes=np.zeros(3)), ValueError, r"nodes has the shape \(3,\), not \(elements, dim, nodes\)"),
        (
            dict(nodes=np.zeros((6, 4, 2))),
            ValueError,
            r"^ElementOperator: nodes has the shape \(6, 4, 2\), not \(elements, dim, nodes\): dim, the second extent, "
            r"is 4, not 1, 2 or 3; nodes.swapaxes\(1, 2\) has the coordinates before the nodes$",
        ),
        (dict(nodes=np.zeros((2, 4, 8))), ValueError, "dim, the second extent, is 4, not 1, 2 or 3$"),
        (dict(nodes=np.zeros((2, 200, 2))), ValueError, "dim, the second extent, is 200, not 1"),
        (dict(coefficients=lambda x: x[0]), TypeError, r"coefficients is <function .*, a function; .*evaluate\(f\)"),
        (dict(coefficients="1"), TypeError, "coefficients is '1', neither a number, a list of numbers nor an array"),
        (dict(coefficients={"rho": 1}), TypeError, "coefficients is {'rho': 1}, neither a number"),
        (dict(kind=np.zeros((30, 9))), TypeError, r"kind is a .*ndarray of the shape \(30, 9\), not a string"),
        (dict(nodes=np.zeros((2, 2, 5))), ValueError, r"shape \(2, 2, 5\): no order has 5 nodes in 2-D"),
        (dict(nodes=np.zeros((2, 1, 2), dtype=int)), TypeError, "nodes has entries of int64; operators are of"),
        (dict(nodes=[[0.0]]), TypeError, "nodes is a list"),
        (dict(geometry_order=2), ValueError, "elements of order 2 have 3 nodes"),
        (dict(nodes=None, D=np.zeros((2, 3)), dim=1, geometry_order=1), ValueError, "geometry_order is that of nodes"),
        (dict(nodes=None, elements=-1, dim=1), ValueError, "ElementOperator: elements=-1 is negative"),
        (dict(nodes=None, dim=1), ValueError, "nodes or D are to be given"),
        (dict(nodes=np.zeros((1, 1, 2))), (ValueError, tf.Error), "determinant"),
        (dict(nodes=np.zeros((1, 1, 2))[:, :, ::-1]), ValueError, "nodes has the negative stride -1 along dimension 2"),
        (dict(dim=2), ValueError, "has 1 dimensions, and other arguments 2"),
        (dict(dtype="float32"), ValueError, "dtype=float32, and nodes has entries of float64"),
        (dict(dtype="int32"), ValueError, "dtype=int32; operators are of float32 or float64"),
        (dict(elements=3), ValueError, "elements=3, and nodes of 2 elements"),
        (dict(nodes=None, D=np.zeros((2, 3, 1)), dim=1, elements=-1), ValueError, "elements=-1, and D of 2 elements"),
        (dict(nodes=None, D=np.zeros((2, 3, 1), "f4"), dim=1, dtype="float64"), ValueError, "D has entries of float32"),
        (dict(D=np.zeros((2, 3, 1))), ValueError, "D is computed from the nodes, or given"),
        (dict(nodes=None, D=np.zeros((2, 3, 1))), ValueError, "dim= is to be given"),
        (dict(nodes=None, D=np.zeros((2, 4, 1)), dim=1), ValueError, r"D has the shape \(2, 4, 1\), not \(2, 3, 1\)"),
        (dict(nodes=None, D=np.zeros(2), dim=1), ValueError, r"D has the shape \(2,\)"),
        (dict(nodes=None, D=np.zeros((2, 6))[:, ::2], dim=1), ValueError, "D is not contiguous"),
        (dict(coefficients=np.array([1j])), TypeError, "coefficients has entries of complex128, not float64"),
        (dict(coefficients=[1.0, 2.0]), (ValueError, tf.Error), "coefficient"),
        (dict(coefficients=np.ones((2, 4))), ValueError, r"coefficients has the shape \(2, 4\), not \(2, 3, "),
        (dict(coefficients=np.ones((2, 3), "f4")), TypeError, "coefficients has entries of float32, not float64"),
        (dict(kind="elasticity", nodes=bent_box(2), components=3), (ValueError, tf.Error), "component"),
        (dict(function=3), TypeError, "function is 3, not a tessera_fem.PointFunction"),
        (dict(tables=3), TypeError, "tables is 3, not a dictionary"),
        (dict(tables={"values": np.eye(2) * 1j}), TypeError, "values has entries of complex128, not float64"),
        (dict(tables={"value": 1}), ValueError, 'tables has no "value"; there are: values'),
        (dict(tables={"values": np.ones((2, 3))}), ValueError, "gradients or node_gradients are needed"),
        (dict(form=True), TypeError, "form is True, not a string"),
    ],
)
def test_mistakes_of_construction(changes, error, text):
    with pytest.raises(error, match=text):
        made(**changes)


def test_the_ways_that_texts_of_mistakes_name():
    nodes = bent_box(2)
    last = np.ascontiguousarray(nodes.swapaxes(1, 2))
    with pytest.raises(ValueError, match="swapaxes"):
        made(nodes=last)
    np.testing.assert_array_equal(made(nodes=last.swapaxes(1, 2)).matrices(), made(nodes=nodes).matrices())
    rho = tf.ElementPoints(nodes, order=1).evaluate(lambda x: x[0])
    op = made(nodes=nodes, coefficients=rho)
    assert np.isclose(op(np.ones(op.shape_in)).sum(), tf.ElementPoints(nodes, order=1).integral(lambda x: x[0]))


def test_what_nodes_have_can_be_said_again():
    assert made(dtype="float64", elements=2).shape_in == (2, 2)
    assert made(nodes=None, D=np.zeros((2, 3, 1), "float32"), dim=1, dtype="float32", elements=2).dtype == np.float32


def test_mistakes_of_calls():
    op = tf.ElementOperator("diffusion", bent_box(2), order=2, components=2)
    x = np.ones(op.shape_in)
    cases = [
        (lambda: op(np.ones((6, 9))), r"x has the shape \(6, 9\), not \(6, 2, 9\) or \(6, 2, 3, 3\): 6 elements, 2"),
        (lambda: op(np.ones((5, 2, 9))), r"x has the shape \(5, 2, 9\), not"),
        (lambda: op(x.astype("float32")), "x has entries of float32, not float64"),
        (lambda: op(x[..., ::-1]), "x has the negative stride -1 along dimension 2; numpy.ascontiguousarray"),
        (lambda: op(np.ones((6, 2, 3, 6))[..., ::2][:, :, ::1].swapaxes(2, 3)), "strides 2, 6, which no single one"),
        (lambda: op(x, np.ones((6, 2, 4))), r"out has the shape \(6, 2, 4\), not"),
        (lambda: op(x, np.broadcast_to(1.0, x.shape)), "out is read-only"),
        (lambda: op(x, elements=[1]), "out is not given"),
        (lambda: op(x, x.copy(), elements=[6]), "6"),
        (lambda: op(x, x.copy(), elements=[-1]), "-1"),
        (lambda: op.add(x, x.copy(), elements=[1, 1]), "twice|1"),
        (lambda: op(x, x.copy(), elements=slice(0, 6, 2)), "a slice with the step 2; give a list"),
        (lambda: op.add(x, x.astype("float32")), "y has entries of float32, not float64"),
        (lambda: op.matrices(3, 4), "4 elements from 3 on, of 6"),
        (lambda: op.matrices(-1), "first=-1 is not one of 6 elements"),
        (lambda: op.matrices(how="upper"), 'how="upper"; there are: full, lower'),
        (lambda: op.set_data(np.ones((2, 16, 2))), r"D has the shape \(2, 16, 2\), not \(2, 16, 3\)"),
        (lambda: op.set_data(np.ones((2, 16, 3)), first=5), "2 elements from 5 on, of 6"),
        (lambda: op.diagonal(np.ones(3)), "out has 3 entries, not 108"),
        (lambda: op @ np.ones(7), r"x has the shape \(7,\), not \(108,\)"),
        (lambda: made(kind="convection").matrices(how="lower"), "not known to be symmetric"),
        (lambda: made(form="matrix_free").set_data(np.ones((2, 3, 1))), "D|data"),
    ]
    for call, text in cases:
        error = TypeError if "has entries of" in text else (ValueError, tf.Error)
        with pytest.raises(error, match=text):
            call()
    with pytest.raises(TypeError, match="elements has entries of float64, not integers"):
        op(x, x.copy(), elements=[0.5])
    with pytest.raises(TypeError, match="x is a list"):
        op([1.0])
    with pytest.raises(TypeError):
        op @ (x.ravel() * 1j)
    with pytest.raises(ValueError, match="two entries of y have one address"):
        op(x, np.lib.stride_tricks.as_strided(x, x.shape, (16,) + x.strides[1:]))
    for d in range(3):
        one = np.lib.stride_tricks.as_strided(x, x.shape, [0 if i == d else s for i, s in enumerate(x.strides)])
        for name, call in (("out", lambda: op(x.copy(), one)), ("y", lambda: op.add(x.copy(), one))):
            text = rf"^{name} of the shape \(6, 2, 9\) has the stride 0 along dimension {d}: its entries share one"
            with pytest.raises(ValueError, match=text):
                call()
        if d != 1:  # what is read may be one number for all elements, or for all entries
            np.testing.assert_array_equal(op(one), op(one.copy()))
    both = np.ones(x.size + 1)
    with pytest.raises(ValueError, match="overlap"):
        op(both[:-1], both[1:])
