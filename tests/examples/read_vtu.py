# SPDX-License-Identifier: BSD-3-Clause
# Reads .vtu files of Lagrange quadrilaterals and hexahedra without VTK, and evaluates their polynomials.
import base64
import struct
import xml.etree.ElementTree as ElementTree

CODES = {"Float64": "d", "Int64": "q", "UInt8": "B"}


def numbers(array):
    assert array.get("format") == "binary", array.attrib
    text = array.text.strip()
    size = struct.unpack("<Q", base64.b64decode(text[:12]))[0]
    data = base64.b64decode(text[12:])
    assert len(data) == size, (array.get("Name"), len(data), size)
    code = CODES[array.get("type")]
    return struct.unpack(f"<{size // struct.calcsize(code)}{code}", data)


def lattice(dim, order):
    """(i, j, k) of each point: corners, edges, faces, inside, as vtkHigherOrderHexahedron documents it."""
    p, inner = order, range(1, order)
    square = [(0, 0), (p, 0), (p, p), (0, p)]

    def edges(k):
        return ([(i, 0, k) for i in inner] + [(p, j, k) for j in inner] + [(i, p, k) for i in inner]
                + [(0, j, k) for j in inner])

    if dim == 2:
        return [(i, j, 0) for i, j in square] + edges(0) + [(i, j, 0) for j in inner for i in inner]
    points = [(i, j, k) for k in (0, p) for i, j in square] + edges(0) + edges(p)
    points += [(i, j, k) for i, j in square for k in inner]
    points += [(i, j, k) for i in (0, p) for k in inner for j in inner]
    points += [(i, j, k) for j in (0, p) for k in inner for i in inner]
    points += [(i, j, k) for k in (0, p) for j in inner for i in inner]
    return points + [(i, j, k) for k in inner for j in inner for i in inner]


def line(order, x):
    """Values and derivatives at x of the polynomials that are 1 at one of the points i / order."""
    values, slopes = [], []
    for i in range(order + 1):
        factors = [(order * x - j) / (i - j) for j in range(order + 1) if j != i]
        value = slope = 1.0
        for factor in factors:
            value *= factor
        slope = 0.0
        others = [j for j in range(order + 1) if j != i]
        for j in others:
            product = order / (i - j)
            for other, factor in zip(others, factors):
                if other != j:
                    product *= factor
            slope += product
        values.append(value)
        slopes.append(slope)
    return values, slopes


class Grid:
    def __init__(self, file):
        piece = ElementTree.parse(file).getroot().find("UnstructuredGrid/Piece")
        cells = {a.get("Name"): numbers(a) for a in piece.find("Cells")}
        flat = numbers(piece.find("Points")[0])
        self.points = [flat[i:i + 3] for i in range(0, len(flat), 3)]
        starts = (0,) + cells["offsets"]
        self.cells = [cells["connectivity"][a:b] for a, b in zip(starts, cells["offsets"])]
        assert set(cells["types"]) <= {70, 72} and len(set(cells["types"])) == 1, set(cells["types"])
        self.dim = 2 if cells["types"][0] == 70 else 3
        self.order = round(len(self.cells[0]) ** (1 / self.dim)) - 1
        self.fields = {}
        for array in piece.find("PointData"):
            width, values = int(array.get("NumberOfComponents")), numbers(array)
            self.fields[array.get("Name")] = [values[i:i + width] for i in range(0, len(values), width)]
        assert len(self.points) == int(piece.get("NumberOfPoints")) and len(self.cells) == int(piece.get("NumberOfCells"))
        assert all(len(values) == len(self.points) for values in self.fields.values())
        self.lattice = lattice(self.dim, self.order)

    def weights(self, place):
        """Values of all functions of a cell at a place of the unit cell, and their derivatives in each direction."""
        tables = [line(self.order, x) for x in place]
        every = []
        for derivative in range(-1, self.dim):
            weights = []
            for index in self.lattice:
                product = 1.0
                for a in range(self.dim):
                    product *= tables[a][1 if a == derivative else 0][index[a]]
                weights.append(product)
            every.append(weights)
        return every

    def sum(self, cell, weights, values):
        columns = zip(*(values[i] for i in self.cells[cell]))
        return [sum(w * v for w, v in zip(weights, column)) for column in columns]

    def determinant(self, cell, weights):
        J = [self.sum(cell, w, self.points) for w in weights[1:]]
        if self.dim == 2:
            return J[0][0] * J[1][1] - J[0][1] * J[1][0]
        return sum(J[0][a] * (J[1][(a + 1) % 3] * J[2][(a + 2) % 3] - J[1][(a + 2) % 3] * J[2][(a + 1) % 3])
                   for a in range(3))
