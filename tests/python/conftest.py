# SPDX-License-Identifier: BSD-3-Clause
"""Random contractions: as many as TESSERA_PYTHON_EXAMPLES says, by default 2,000."""

import os

import hypothesis

hypothesis.settings.register_profile(
    "tessera",
    max_examples=int(os.environ.get("TESSERA_PYTHON_EXAMPLES", "2000")),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("tessera")

