# SPDX-License-Identifier: BSD-3-Clause
"""Batched contractions of small tensors and element operators for high-order finite elements.

einsum and Plan contract numpy, CuPy, PyTorch and JAX arrays in place; targets() lists where they run.
"""

from ._core import (
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
    "default_target",
    "einsum",
    "get_num_threads",
    "kept_plans",
    "set_num_threads",
    "targets",
]
