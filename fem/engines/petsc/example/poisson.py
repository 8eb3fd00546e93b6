# SPDX-License-Identifier: BSD-3-Clause
# Poisson's equation in petsc4py around a matrix of Tessera's.
"""poisson.py LIBRARY [PETSc's options], where libtessera_petsc.so is:

mpirun -n 2 python3 poisson.py build/release/fem/engines/petsc/libtessera_petsc.so -ksp_monitor
"""
import ctypes
import math
import sys

import petsc4py

petsc4py.init(sys.argv[:1] + sys.argv[2:])
from petsc4py import PETSc  # noqa: E402

if len(sys.argv) < 2:
    sys.exit(__doc__)
if PETSc.IntType().itemsize != 4:
    sys.exit("poisson.py is for a PetscInt of 32 bits")
tessera = ctypes.CDLL(sys.argv[1])
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_int,
                            ctypes.POINTER(ctypes.c_double), ctypes.c_void_p)


class Options(ctypes.Structure):
    """tessera_petsc_options."""

    _fields_ = [("kind", ctypes.c_char_p), ("points", ctypes.c_int), ("rule", ctypes.c_char_p),
                ("matrix_free", ctypes.c_int), ("in_float", ctypes.c_int),
                ("target", ctypes.c_char_p), ("coefficients", ctypes.c_void_p),
                ("coefficients_at_points", ctypes.c_void_p), ("coefficient_count", ctypes.c_int)]


tessera.tessera_petsc_defaults.restype = Options


def call(name, *arguments):
    handles = [ctypes.c_void_p(a.handle) if isinstance(a, PETSc.Object) else a for a in arguments]
    code = getattr(tessera, name)(*handles)
    if code != 0:
        raise PETSc.Error(code)


@FUNCTION
def exact(dim, time, x, components, u, context):
    u[0] = math.sin(2 * x[0] + x[1])
    return 0


@FUNCTION
def load(dim, time, x, components, f, context):
    f[0] = 5 * math.sin(2 * x[0] + x[1])
    return 0


order = PETSc.Options().getInt("order", 4)
cells = PETSc.Options().getInt("cells", 8)
dm = PETSc.DMPlex().createBoxMesh([cells, cells], simplex=False)
dm.distribute()
call("tessera_petsc_set_field", dm, 1, order)
# petsc4py 3.18 has no DMAddBoundary: PETSc's own function, which is behind the library.
wall = (ctypes.c_int * 1)(1)
DM_BC_ESSENTIAL = 1
marker = ctypes.c_void_p(dm.getLabel("marker").handle)
if tessera.DMAddBoundary(ctypes.c_void_p(dm.handle), DM_BC_ESSENTIAL, b"wall", marker, 1, wall, 0, 0, None, exact, None,
                         None, None) != 0:
    sys.exit("DMAddBoundary")

A = PETSc.Mat().create(dm.comm)
options = tessera.tessera_petsc_defaults(b"diffusion")
call("tessera_petsc_set_up_mat", dm, ctypes.byref(options), A)
u, b = A.createVecs()
local = dm.createLocalVec()
local.set(0)
tessera.DMPlexInsertBoundaryValues.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_double,
                                             ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
tessera.DMPlexInsertBoundaryValues(dm.handle, 1, local.handle, 0.0, None, None, None)
call("tessera_petsc_load", A, load, None, b)
call("tessera_petsc_subtract_boundary", A, local, b)

solver = PETSc.KSP().create(dm.comm)
solver.setOperators(A)
solver.setType("cg")
solver.getPC().setType("jacobi")
solver.setTolerances(rtol=1e-11)
solver.setFromOptions()
solver.solve(b, u)
dm.globalToLocal(u, local)
error = ctypes.c_double()
call("tessera_petsc_l2_error", A, exact, None, local, ctypes.byref(error))
PETSc.Sys.Print(f"{u.size} unknowns of order {order}: {solver.its} iterations, L2 error {error.value:.3e}")
sys.exit(0 if solver.reason > 0 else 1)
