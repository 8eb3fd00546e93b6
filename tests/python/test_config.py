# SPDX-License-Identifier: BSD-3-Clause
"""Facts, limits, and docstrings whose examples hold."""

import doctest
import json
import subprocess
import sys

import pytest

import tessera_fem as tf


def test_config_names_the_machine():
    config = tf.config()
    assert config["package"]["version"] == tf.__version__
    assert config["cpu"]["default_target"] == tf.default_target()
    assert tf.default_target() in tf.targets()
    assert config["package"]["openmp"] in config["package"]["loaded_openmp"]
    assert json.dumps(config)


def test_show_config_prints_all(capsys):
    tf.show_config()
    text = capsys.readouterr().out
    for word in ("package", "cpu", "gpu", "default_target", tf.default_target()):
        assert word in text


def test_limits_are_measured_and_reported():
    seen = []
    measured = tf.limits(threads=[1], repetitions=1, progress=seen.append)
    assert measured == seen
    peaks = {(m["where"], m["dtype"]): m["best"] for m in measured if m["what"] == "fma"}
    best = max(rate for (_, dtype), rate in peaks.items() if dtype == "float64")
    assert 1 < best < 1000  # GFLOP/s of a core
    assert {"copy"} <= {m["what"] for m in measured}
    assert all(m["threads"] == 1 and m["median"] > 0 for m in measured)


@pytest.mark.parametrize(
    "given, error, text",
    [
        (dict(threads=2), TypeError, r"threads is 2, not a list of numbers of threads, such as \[1, 4\]"),
        (dict(threads="2"), TypeError, "threads is '2', not a list"),
        (dict(threads=[2.5]), TypeError, "a number of threads is 2.5, not an integer"),
        (dict(threads=[]), ValueError, "name at least one number of threads"),
        (dict(threads=[0]), ValueError, "a number of threads is 0, not a positive integer"),
        (dict(threads=[2**40]), ValueError, "a number of threads is 1099511627776, not a positive integer of 32 bits"),
        (dict(repetitions=0), ValueError, "repetitions is 0, not a positive integer"),
        (dict(repetitions=1.5), TypeError, "repetitions is 1.5, not an integer"),
        (dict(progress=3), TypeError, "progress is 3, not a function"),
    ],
)
def test_mistakes_of_limits(given, error, text):
    with pytest.raises(error, match="limits.*" + text):
        tf.limits(**given)


def test_a_progress_function_that_fails_ends_it():
    def fail(_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tf.limits(threads=[1], repetitions=1, progress=fail)


# Described in a line or two.
WITHOUT_EXAMPLES = {
    "Error", "SolveResult", "clear_plans", "default_target", "gauss", "get_num_threads",
    "kept_plans", "limits", "set_num_threads", "show_config", "targets",
}


@pytest.mark.parametrize("name", [n for n in tf.__all__ if not n.startswith("__")])
def test_examples_of_docstrings(name):
    attempted = 0
    for example in doctest.DocTestFinder(recurse=True).find(getattr(tf, name), name, module=False, globs={}):
        result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
        assert result.failed == 0
        attempted += result.attempted
    assert (attempted == 0) == (name in WITHOUT_EXAMPLES)


def test_every_public_name_has_a_docstring():
    for name in tf.__all__:
        if not name.startswith("__"):
            assert getattr(tf, name).__doc__, name


def test_import_takes_no_other_library():
    """Neither SciPy nor PyTorch, CuPy or JAX is imported with the package."""
    code = "import sys, tessera_fem; print([m for m in ('scipy', 'torch', 'cupy', 'jax') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
