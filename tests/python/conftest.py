# SPDX-License-Identifier: BSD-3-Clause
"""Random contractions: as many as TESSERA_PYTHON_EXAMPLES says, by default 2,000."""

import os

import hypothesis
import pytest

hypothesis.settings.register_profile(
    "tessera",
    max_examples=int(os.environ.get("TESSERA_PYTHON_EXAMPLES", "2000")),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("tessera")


@pytest.fixture(autouse=True)
def examples_of_docstrings(doctest_namespace):
    """Docstrings import what they use; this only fixes how numpy prints."""
    import numpy

    numpy.set_printoptions(legacy=False)
