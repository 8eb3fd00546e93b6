# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with the arguments of restrictions, operators on unknowns and solvers is said with extents."""

import numpy as np
import pytest
import tessera_fem as tf


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: tf.Restriction([0, 1]), ValueError, r"numbers has the shape \(2,\), not \(elements, entries\)"),
        (lambda: tf.Restriction([[0.5, 1]]), TypeError, "numbers has entries of float64, not integers"),
        (lambda: tf.Restriction([[0, -1]]), (ValueError, tf.Error), "-1"),
        (lambda: tf.Restriction([[0, 5]], size=3), (ValueError, tf.Error), "5"),
        (lambda: tf.Restriction([[0, 1]], constrained=[7]), (ValueError, tf.Error), "7"),
        (lambda: tf.Restriction([[0, 1]], components=0), ValueError, "components=0"),
        (lambda: tf.Restriction([[0, 1]], negative="minus"), ValueError, 'no negative "minus"; there are: refused'),
        (lambda: tf.Restriction([[0, 1]], sise=3), TypeError, "Restriction has no argument sise; there are: "),
        (lambda: tf.Restriction([[0, 1]], size=1.5), TypeError, "size is 1.5, not an integer"),
        (lambda: tf.Restriction.box([1, 2, 3, 4]), ValueError, "cells has 4 numbers, not 1, 2 or 3"),
        (lambda: tf.Restriction.box([0]), ValueError, r"Restriction.box: cells is \(0,\), not 1 to 3 positive numbers"),
        (lambda: tf.box_faces([2, -1]), ValueError, r"box_faces: cells is \(2, -1\), not 1 to 3 positive numbers"),
        (lambda: tf.Restriction([[2**63]]), ValueError, "numbers has the number 9223372036854775808, which is no"),
        (lambda: tf.Restriction([[0, 1]], constrained=np.array([2**64 - 1], "u8")), ValueError, "18446744073709551615"),
        (lambda: tf.Restriction.box([2], interleaved=1), TypeError, "interleaved is 1, neither True nor False"),
        (lambda: tf.numbers_on(tf.Restriction.box([2]), [[0]], 1), ValueError, r"faces has the shape \(1, 1\)"),
        (lambda: tf.numbers_on(tf.Restriction.box([2]), [[9, 0]], 1), (ValueError, tf.Error), "9"),
        (lambda: tf.gauss(0), (ValueError, tf.Error), "0"),
        (lambda: tf.Restriction.box(3), TypeError, "Restriction.box: cells is 3, not a list of 1 to 3 positive"),
        (lambda: tf.box_faces([[3]]), TypeError, r"box_faces: cells is \[\[3\]\], not a list of 1 to 3 positive"),
    ],
)
def test_mistakes_of_lists(make, error, text):
    with pytest.raises(error, match=text):
        make()


MOVES = "box_nodes: move gives "


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: tf.box_nodes(3), TypeError, r"cells is 3, not a list of 1 to 3 positive integers, such as \[4\]"),
        (lambda: tf.box_nodes(None), TypeError, "cells is None, not a list"),
        (lambda: tf.box_nodes("12"), TypeError, "cells is '12', not a list"),
        (lambda: tf.box_nodes([2.5]), TypeError, r"cells is \[2.5\], not a list"),
        (lambda: tf.box_nodes([0]), ValueError, r"cells is \[0\], not a list of 1 to 3 positive integers"),
        (lambda: tf.box_nodes([1, 1, 1, 1]), ValueError, r"cells is \[1, 1, 1, 1\], not a list of 1 to 3"),
        (lambda: tf.box_nodes([2], order=1.5), TypeError, "order is 1.5, not a positive integer"),
        (lambda: tf.box_nodes([2], order=0), ValueError, "order is 0, not a positive integer"),
        (lambda: tf.box_nodes([2], move=3), TypeError, "move is 3, not a function"),
        (lambda: tf.box_nodes([2], move=lambda x: None), TypeError, MOVES + r"a NoneType, not an array \(1, 2, 2\)"),
        (lambda: tf.box_nodes([2, 2], move=lambda x: [x[0]]), ValueError, MOVES + r"1 parts .*, not 2 of \(4, 4\)"),
        (lambda: tf.box_nodes([2, 2], move=lambda x: x[:, :3]), ValueError, MOVES + r"2 parts of .* \[\(3, 4\)"),
    ],
)
def test_mistakes_of_boxes_of_nodes(make, error, text):
    with pytest.raises(error, match="box_nodes: .*" + text.removeprefix("box_nodes: ")):
        make()


def test_nodes_of_numpys_integers_and_of_parts_that_are_numbers():
    np.testing.assert_array_equal(tf.box_nodes(np.array([2, 1]), np.int64(1)), tf.box_nodes([2, 1]))
    flat = tf.box_nodes([2, 1], move=lambda x: [x[0], 0])
    assert (flat[:, 1] == 0).all() and (flat[:, 0] == tf.box_nodes([2, 1])[:, 0]).all()


def test_mistakes_of_operators():
    nodes, unknowns = tf.box_nodes([2, 2]), tf.Restriction.box([2, 2], order=2)
    A = tf.GlobalOperator("convection", nodes, unknowns, order=2)
    x, stride_0 = np.ones(25), np.lib.stride_tricks.as_strided(np.ones(1), (25,), (0,))
    cases = [
        (lambda: tf.GlobalOperator("mass", nodes[:3], unknowns, order=2), "nodes of 3 elements, unknowns of 4"),
        (lambda: tf.GlobalOperator("mass", nodes, unknowns, order=1), "entries|functions"),
        (lambda: A(np.ones(24)), "x has 24 entries, not 25"),
        (lambda: A(x[::-1]), r"x is not contiguous: .* of the shape \(25,\) it has the strides \(-1,\)"),
        (lambda: A(x, stride_0), r"out is not contiguous: .* of the shape \(25,\) it has the strides \(0,\)"),
        (lambda: A.add(x, stride_0), r"y is not contiguous: .* of the shape \(25,\) it has the strides \(0,\)"),
        (lambda: A(x.astype("float32")), "x has entries of float32, not float64"),
        (lambda: A(x, np.ones(24)), "out has 24 entries, not 25"),
        (lambda: A.add(x, np.broadcast_to(1.0, 25)), "y is not contiguous|y is read-only"),
        (lambda: A(x, x), "overlap"),
        (lambda: A.set_data(np.ones((4, 3))), r"D has the shape \(4, 3\), not \(4, 16, 2\)"),
        (lambda: A.eliminate(np.ones(3)), "b has 3 entries, not 25"),
        (lambda: unknowns.to_elements(np.ones(3)), "x has 3 entries, not 25"),
        (lambda: unknowns.to_elements(np.ones(25, dtype=int)), "x has entries of int64, not float32 or float64"),
        (lambda: unknowns.add_from_elements(np.ones((4, 9)), np.ones(3)), "y has 3 entries, not 25"),
        (lambda: tf.conjugate_gradient(A, np.ones(3)), "b has 3 entries, not 25"),
        (lambda: tf.conjugate_gradient(A, x, preconditioner="ilu"), 'no preconditioner "ilu"; there are: jacobi'),
        (lambda: tf.conjugate_gradient(A, x, preconditioner=lambda r: r[:3]), r"shape \(3,\), not \(25,\)"),
        (lambda: tf.conjugate_gradient(A, x, tolerance=-1.0, preconditioner="none"), "toleran|relative"),
        (lambda: tf.conjugate_gradient(np.ones((2, 3)), np.ones(2)), r"shape \(2, 3\), not that of a square matrix"),
        (lambda: tf.conjugate_gradient(A, x, norm="max"), 'no norm "max"; there are: euclidean, preconditioned'),
    ]
    for call, text in cases:
        error = TypeError if "has entries of" in text else (ValueError, tf.Error)
        with pytest.raises(error, match=text):
            call()
    with pytest.raises(TypeError, match="preconditioner is '.*', which is not valid Unicode"):
        tf.conjugate_gradient(A, x, preconditioner="\ud800")
    with pytest.raises(TypeError, match="the result of preconditioner has entries of complex128, not float64"):
        tf.conjugate_gradient(A, x, preconditioner=lambda r: r * 1j)
    with pytest.raises(TypeError, match="the result of A has entries of complex128, not float64"):
        tf.conjugate_gradient(np.eye(2) * 1j, np.ones(2), preconditioner="none")
    with pytest.raises(TypeError, match="A.diagonal.. has entries of complex128, not float64"):
        tf.conjugate_gradient(np.eye(2) * 1j, np.ones(2))
    with pytest.raises(TypeError, match="not a Restriction"):
        tf.GlobalOperator("mass", nodes, unknowns, test_unknowns=3)
    for given_ in [3, None]:
        with pytest.raises(TypeError, match=f"unknowns is {given_}, not a Restriction"):
            tf.GlobalOperator("mass", nodes, given_)
    with pytest.raises(TypeError, match="has no argument tol; there are: tolerance"):
        tf.conjugate_gradient(A, x, tol=1)
    with pytest.raises(TypeError, match="conjugate_gradient: callback is 3, not a function"):
        tf.conjugate_gradient(A, x, callback=3)
    with pytest.raises(TypeError, match="which has no shape"):
        tf.conjugate_gradient(lambda v: v, x)
    symmetric = tf.GlobalOperator("mass", nodes, unknowns, order=2)

    def fail(*_):
        raise RuntimeError("of the callback")

    with pytest.raises(RuntimeError, match="of the callback"):
        tf.conjugate_gradient(symmetric, x, callback=fail)
    with pytest.raises(RuntimeError, match="of the callback"):
        tf.conjugate_gradient(symmetric, x, preconditioner=fail)


def test_subclasses_that_do_not_initialise_their_base():
    class Unknowns(tf.Restriction):
        def __init__(self):
            pass

    class Operator(tf.GlobalOperator):
        def __init__(self):
            pass

    class Function(tf.PointFunction):
        def __init__(self):
            pass

    nodes, unknowns = tf.box_nodes([2]), tf.Restriction.box([2])
    at = tf.ElementPoints(nodes)
    cases = [
        (lambda: tf.GlobalOperator("mass", nodes, Unknowns()), "unknowns: the object of .*Unknowns was"),
        (lambda: tf.GlobalOperator("mass", nodes, unknowns, test_unknowns=Unknowns()), "test_unknowns: the object of"),
        (lambda: at.load(1.0, Unknowns()), "unknowns: the object of .*Unknowns was"),
        (lambda: at.values(np.ones(3), Unknowns()), "unknowns: the object of .*Unknowns was"),
        (lambda: tf.ElementOperator(function=Function(), D=np.ones((1, 3)), dim=1), "function: the object of"),
        (lambda: tf.conjugate_gradient(Operator(), np.ones(3)), "conjugate_gradient: A: the object of .*Operator was"),
    ]
    for call, text in cases:
        with pytest.raises(TypeError, match=text + r".*not initialised: .* has to call super\(\).__init__\(\)"):
            call()
