# SPDX-License-Identifier: BSD-3-Clause
"""Facts and measured limits of this machine."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import _core, _libraries

_VARIABLES = ("TESSERA_", "OMP_", "CUDA_VISIBLE_DEVICES")  # and all that begin so


def _openmp_libraries() -> list[str]:
    """The OpenMP runtimes of this process. Those that libraries call each have a team of threads."""
    try:
        with open("/proc/self/maps") as maps:
            files = {line.split(None, 5)[5].strip() for line in maps if len(line.split(None, 5)) == 6}
    except OSError:
        return []
    return sorted(f for f in files if os.path.basename(f).startswith(("libgomp", "libiomp", "libomp")))


def config() -> dict[str, dict[str, Any]]:
    """What this package was built for, finds on this machine, and reads from the environment, as nested dictionaries.

    Examples
    --------
    >>> import tessera_fem as tf
    >>> tf.config()["cpu"]["default_target"] in tf.targets()
    True
    """
    facts = _core._facts()
    return {
        "package": {
            "version": _core.__version__,
            "python": sys.version.split()[0],
            "threads": _core.get_num_threads() or "as OpenMP",
            "openmp": os.path.realpath(_core._openmp_library()),
            "loaded_openmp": _openmp_libraries(),
            "taken_from_packages": _libraries.loaded(),
        },
        **facts,
        "environment": {name: value for name, value in sorted(os.environ.items()) if name.startswith(_VARIABLES)},
    }


def show_config() -> None:
    """Prints config()."""
    for section, facts in config().items():
        print(section)
        for name, value in facts.items():
            text = ", ".join(value) if isinstance(value, list) else value
            print(f"  {name:22} {text}")


def limits(
    threads: Sequence[int] | None = None,
    repetitions: int = 5,
    progress: Callable[[dict[str, Any]], object] | None = None,
) -> list[dict[str, Any]]:
    """Measures this machine: the rate of multiply-adds, and the bandwidth of each cache and of memory.

    Takes some tens of seconds. Figures of kernels are fractions of these.

    Parameters
    ----------
    threads : list of int, optional
        By default one, and as many as this process may use.
    repetitions : int
        Samples of each.
    progress : callable, optional
        Called with each dictionary as it is measured: ``progress=print``.

    Returns
    -------
    list of dict
        With "what", "where", "dtype", "threads", "unit", "median", "best" and "spread": ``pandas.DataFrame(limits())``.
    """
    if threads is None:
        threads = sorted({1, len(os.sched_getaffinity(0))})
    if isinstance(threads, str) or not isinstance(threads, Iterable):
        raise TypeError(f"limits: threads is {threads!r}, not a list of numbers of threads, such as [1, 4]")
    if progress is not None and not callable(progress):
        raise TypeError(f"limits: progress is {progress!r}, not a function")
    counts = [_integer("a number of threads", n) for n in threads]
    return _core._limits(counts, _integer("repetitions", repetitions), progress)


def _integer(what: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"limits: {what} is {value!r}, not an integer") from None
    if not 1 <= number < 2**31:
        raise ValueError(f"limits: {what} is {number}, not a positive integer of 32 bits")
    return number
