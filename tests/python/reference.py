# SPDX-License-Identifier: BSD-3-Clause
"""Element matrices by plain numpy, from the formulas: what operators are compared with."""

import numpy as np
from numpy.polynomial import legendre


def gauss_lobatto_points(count):
    inner = legendre.Legendre.basis(count - 1).deriv().roots() if count > 2 else np.empty(0)
    return (np.concatenate([[-1.0], np.sort(inner.real), [1.0]]) + 1) / 2


def gauss_rule(count):
    points, weights = legendre.leggauss(count)
    return (points + 1) / 2, weights / 2


def lagrange(nodes, x):
    """Values and derivatives of the Lagrange polynomials of the nodes: two arrays (points, functions)."""
    values = np.ones((len(x), len(nodes)))
    slopes = np.zeros((len(x), len(nodes)))
    for i, node in enumerate(nodes):
        others = np.delete(nodes, i)
        scale = np.prod(node - others)
        values[:, i] = np.prod(x[:, None] - others, axis=1) / scale
        for j in range(len(others)):
            slopes[:, i] += np.prod(x[:, None] - np.delete(others, j), axis=1) / scale
    return values, slopes


def tables(dim, order, x):
    """Of the functions of a product of segments: values (points, functions), gradients (dim, points, functions)."""
    values, slopes = lagrange(gauss_lobatto_points(order + 1), x)

    def product(factors):  # the first direction is the fastest
        whole = factors[0]
        for factor in factors[1:]:
            whole = np.kron(factor, whole)
        return whole

    gradients = [product([slopes if a == b else values for b in range(dim)]) for a in range(dim)]
    return product([values] * dim), np.stack(gradients)


class Geometry:
    """J, its inverse and w det J at the Gauss points of elements with nodes (elements, dim, nodes)."""

    def __init__(self, nodes, points):
        elements, self.dim, count = nodes.shape
        order = round(count ** (1 / self.dim)) - 1
        self.x, w = gauss_rule(points)
        for _ in range(self.dim - 1):
            w = np.kron(gauss_rule(points)[1], w)
        values, gradients = tables(self.dim, order, self.x)
        self.coordinates = np.einsum("kn,ecn->ekc", values, nodes)
        self.jacobians = np.einsum("akn,ecn->ekca", gradients, nodes)
        self.inverse = np.linalg.inv(self.jacobians)
        self.weights = w * np.linalg.det(self.jacobians)

    def functions(self, order):
        """Values (points, functions) and gradients in space (elements, points, dim, functions)."""
        values, gradients = tables(self.dim, order, self.x)
        return values, np.einsum("ekac,akn->ekcn", self.inverse, gradients)


def matrices(kind, nodes, order, points, rho=1.0, kappa=None, velocity=None, lame=(1.0, 1.0), test_order=None):
    """(elements, rows, columns), components of elasticity one after the other."""
    at = Geometry(nodes, points)
    u, grad_u = at.functions(order)
    v, grad_v = at.functions(order if test_order is None else test_order)
    w, dim = at.weights, at.dim
    kappa = np.eye(dim) if kappa is None else np.asarray(kappa)
    velocity = np.ones(dim) if velocity is None else np.asarray(velocity)
    mass = np.einsum("ek,ki,kj->eij", w * rho, v, u)
    diffusion = np.einsum("ek,cd,ekci,ekdj->eij", w, kappa, grad_v, grad_u)
    convection = np.einsum("ek,c,ki,ekcj->eij", w, velocity, v, grad_u)
    if kind == "elasticity":
        lam, mu = lame
        n, t = u.shape[1], v.shape[1]
        whole = lam * np.einsum("ek,ekai,ekbj->eaibj", w, grad_v, grad_u)
        whole += mu * np.einsum("ek,ekbi,ekaj->eaibj", w, grad_v, grad_u)
        whole += mu * np.einsum("ek,ab,ekci,ekcj->eaibj", w, np.eye(dim), grad_v, grad_u)
        return whole.reshape(len(nodes), dim * t, dim * n)
    return {
        "mass": mass,
        "diffusion": diffusion,
        "helmholtz": mass + diffusion,
        "convection": convection,
        "advection_diffusion": diffusion + convection,
    }[kind]


def bent(x):
    """A smooth map of the unit segment, square or cube."""
    moved = [x[0] + 0.1 * np.sin(2 * x[-1])]
    if len(x) > 1:
        moved.append(x[1] * (1 + 0.2 * x[0]))
    if len(x) > 2:
        moved.append(x[2] + 0.1 * x[0] * x[1])
    return moved


def assembled(element_matrices, numbers, size):
    """The sparse matrix of operators of one component."""
    import scipy.sparse

    elements, rows, columns = element_matrices.shape
    i = np.broadcast_to(numbers[:, :, None], element_matrices.shape)
    j = np.broadcast_to(numbers[:, None, :], element_matrices.shape)
    return scipy.sparse.csr_matrix((element_matrices.ravel(), (i.ravel(), j.ravel())), shape=(size, size))
