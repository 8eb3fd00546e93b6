# SPDX-License-Identifier: BSD-3-Clause
"""Batched contractions of small tensors and element operators for high-order finite elements.

einsum and Plan contract the arrays of numpy, CuPy, PyTorch and JAX in place. ElementOperator applies and assembles
B^T D B in every element, GlobalOperator does so on vectors of unknowns. show_config() prints what there is here.
"""

from . import _libraries

_libraries.load()

from ._config import config, limits, show_config  # noqa: E402
from ._core import (  # noqa: E402
    Error,
    Plan,
    __version__,
    clear_plans,
    default_target,
    einsum,
    get_num_threads,
    kept_plans,
    set_num_threads,
    targets,
)

__all__ = [
    "Error",
    "Plan",
    "__version__",
    "clear_plans",
    "config",
    "default_target",
    "einsum",
    "get_num_threads",
    "kept_plans",
    "limits",
    "set_num_threads",
    "show_config",
    "targets",
]
