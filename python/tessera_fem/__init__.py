# SPDX-License-Identifier: BSD-3-Clause
"""Batched contractions of small tensors and element operators for high-order finite elements.

einsum and Plan contract the arrays of numpy, CuPy, PyTorch and JAX in place. ElementOperator applies and assembles
B^T D B in every element, GlobalOperator does so on vectors of unknowns. show_config() prints what there is here.
"""

import atexit
import os
import threading

from . import _libraries

_libraries.load()
_libraries.need_openmp()

from ._config import config, limits, show_config  # noqa: E402
from ._core import (  # noqa: E402
    ElementOperator,
    ElementPoints,
    EntryFunction,
    Error,
    GlobalOperator,
    Operations,
    Plan,
    PointFunction,
    Restriction,
    SolveResult,
    __version__,
    _after_fork_in_child,
    _expect_leaks,
    box_faces,
    clear_plans,
    conjugate_gradient,
    default_target,
    einsum,
    gauss,
    gauss_lobatto,
    get_num_threads,
    kept_plans,
    numbers_on,
    set_num_threads,
    targets,
)
from .box import box_nodes  # noqa: E402

os.register_at_fork(after_in_child=_after_fork_in_child)


@atexit.register
def _at_exit() -> None:
    clear_plans()  # they keep functions of Python
    if threading.active_count() > 1:  # daemons, whose stacks keep objects for ever
        _expect_leaks()


__all__ = [
    "ElementOperator",
    "ElementPoints",
    "EntryFunction",
    "Error",
    "GlobalOperator",
    "Operations",
    "Plan",
    "PointFunction",
    "Restriction",
    "SolveResult",
    "__version__",
    "box_faces",
    "box_nodes",
    "clear_plans",
    "config",
    "conjugate_gradient",
    "default_target",
    "einsum",
    "gauss",
    "gauss_lobatto",
    "get_num_threads",
    "kept_plans",
    "limits",
    "numbers_on",
    "set_num_threads",
    "show_config",
    "targets",
]
