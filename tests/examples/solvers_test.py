# SPDX-License-Identifier: BSD-3-Clause
# examples/poisson and examples/beam: their tables and files, read back without VTK, and with it where it is installed.
import importlib.util
import json
import math
import pathlib
import subprocess
import sys

from read_vtu import Grid

poisson, beam, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PLACES = [(0.13, 0.42, 0.77), (0.5, 0.91, 0.31)]


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def exact(x, dim):
    return math.prod(math.sin(waves * math.pi * at) for waves, at in zip((1, 2, 1)[:dim], x))


def compare_with_vtk(file, grid, name):
    if importlib.util.find_spec("vtk") is None:
        return False
    import vtk
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    data = reader.GetOutput()
    assert data.GetNumberOfCells() == len(grid.cells) and data.GetNumberOfPoints() == len(grid.points)
    values = data.GetPointData().GetArray(name)
    for e in range(0, data.GetNumberOfCells(), 5):
        cell = data.GetCell(e)
        assert cell.GetClassName() == ("vtkLagrangeQuadrilateral", "vtkLagrangeHexahedron")[grid.dim - 2], cell
        for place in PLACES:
            weights, x, sub = [0.0] * cell.GetNumberOfPoints(), [0.0] * 3, vtk.reference(0)
            cell.EvaluateLocation(sub, [*place[:grid.dim], 0][:3], x, weights)
            own = grid.weights(place[:grid.dim])[0]
            wanted = grid.sum(e, own, grid.points)
            assert max(abs(a - b) for a, b in zip(x, wanted)) < 1e-12, (e, place, x, wanted)
            value = sum(w * values.GetTuple(cell.GetPointId(i))[0] for i, w in enumerate(weights))
            assert abs(value - grid.sum(e, own, grid.fields[name])[0]) < 1e-12, (e, place, value)
    return True


for dim, order in [(2, 5), (3, 3)]:
    vtu, data = folder / f"poisson_{dim}.vtu", folder / f"poisson_{dim}.json"
    done = run(poisson, "--dim", str(dim), "--order", str(order), "--levels", "2", "--vtu", str(vtu),
               "--json", str(data))
    assert done.returncode == 0, done.stdout + done.stderr
    levels = json.loads(data.read_text(encoding="utf-8"))["levels"]
    assert [level["unknowns"] for level in levels] == [(2 * order + 1) ** dim, (4 * order + 1) ** dim], levels
    assert all(level["residuals"][-1] <= 1e-12 and level["iterations"] > 5 for level in levels)
    error = levels[-1]["error"]
    assert math.log2(levels[0]["error"] / error) > order, levels
    assert f"{error:.3e}" in done.stdout, done.stdout

    grid = Grid(vtu)
    assert (grid.dim, grid.order, len(grid.cells)) == (dim, order, 4**dim), (grid.dim, grid.order)
    for place in PLACES:
        weights = grid.weights(place[:dim])
        for cell in range(len(grid.cells)):
            assert grid.determinant(cell, weights) > 0.2 * 4**-dim, (dim, place, cell)
            x = grid.sum(cell, weights[0], grid.points)
            u = grid.sum(cell, weights[0], grid.fields["u"])[0]
            assert abs(u - exact(x, dim)) < 30 * error, (dim, cell, x, u, exact(x, dim))
    # "error" is at nodes, so that u - error is the interpolated solution there: corners are nodes.
    for cell in grid.cells:
        for i in cell[:2**dim]:
            u, off = grid.fields["u"][i][0], grid.fields["error"][i][0]
            assert abs(u - off - exact(grid.points[i], dim)) < 1e-12, (i, u, off)
    with_vtk = compare_with_vtk(vtu, grid, "u")

vtu = folder / "beam.vtu"
done = run(beam, "--orders", "2", "3", "--cells", "8", "--vtu", str(vtu))
assert done.returncode == 0, done.stdout + done.stderr
rows = [line.split() for line in done.stdout.splitlines() if line.split() and line.split()[0] in ("2", "3")]
assert [row[1] for row in rows] == [str(3 * (8 * p + 1) * (p + 1) ** 2) for p in (2, 3)], rows
assert abs(float(rows[1][5])) < 2 and float(rows[0][3]) < float(rows[1][3]), rows
grid = Grid(vtu)
tip = [u[2] for x, u in zip(grid.points, grid.fields["displacement"]) if x[0] > 10 - 1e-9]
assert abs(sum(tip) / len(tip) / float(rows[1][3]) - 1) < 0.01, (tip, rows)
assert all(max(map(abs, u)) < 1e-15 for x, u in zip(grid.points, grid.fields["displacement"]) if x[0] < 1e-9)

for program, mistake in ((poisson, ("--dim", "4")), (poisson, ("--order", "17")), (beam, ("--poisson", "0.5"))):
    assert run(program, *mistake).returncode == 2, mistake
for program, option in ((poisson, "--vtu"), (poisson, "--json"), (beam, "--vtu")):
    done = run(program, option, "/nowhere/file")  # before it solves anything
    assert done.returncode == 2 and "cannot write '/nowhere/file'" in done.stderr and "e-" not in done.stdout, done
done = run(poisson, "--dim", "2", "--order", "2", "--levels", "2", "--gpu")
assert done.returncode == 0 or done.returncode == 2 and "--gpu: there is none" in done.stderr, done
print("read back with VTK, too" if with_vtk else "VTK is not installed: read back without it")
