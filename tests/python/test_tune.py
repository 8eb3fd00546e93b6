# SPDX-License-Identifier: BSD-3-Clause
"""The tuner's command and its records."""

import json
import pathlib
import subprocess
import sys

import pytest

from tessera_fem import tune

RECORDS = pathlib.Path(__file__).parents[2] / "autotune" / "records"


def test_records_are_flat_rows():
    rows = tune.read(RECORDS / "nvidia_h200-cuda-element.json")
    assert len(rows) > 100
    assert all(row["device"] == "NVIDIA H200" and row["seconds"] > 0 for row in rows)
    assert all(not isinstance(value, dict) for row in rows for value in row.values())
    assert "tuning.threads" in rows[0]


def test_what_is_no_record_is_refused(tmp_path):
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"a": 1}))
    with pytest.raises(ValueError, match="no record|not a record"):
        tune.read(file)


def has_program():
    try:
        return bool(tune.program())
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not has_program(), reason="built without tessera-tune")
def test_the_command_tunes_a_size(tmp_path):
    command = [sys.executable, "-m", "tessera_fem.tune"]
    text = subprocess.run([*command, "--help"], capture_output=True, text=True)
    assert text.returncode == 0
    assert "--budget" in text.stdout
    done = subprocess.run(
        [*command, "--family", "general", "--model-only", "--row", "1", "--output", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run([*command, "--famly"], capture_output=True).returncode != 0


def test_without_the_program_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(tune, "program", lambda: (_ for _ in ()).throw(FileNotFoundError("tessera-tune is not there")))
    monkeypatch.setattr(sys, "argv", ["tune", "--help"])
    assert tune.main() == 2
    assert "tessera-tune is not there" in capsys.readouterr().err
