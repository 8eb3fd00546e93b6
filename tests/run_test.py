# SPDX-License-Identifier: BSD-3-Clause
# ./run on a Debian without packages and without root, by stand-ins for the programs that it calls: run_test.py RUN
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = {"apt-get": "exit 1", "dpkg-query": "exit 1", "id": "echo 1000", "sudo": "exit 1",
            "cmake": "echo cmake was called; exit 1"}


def run(*arguments, **environment):
    """In a copy, because ./run writes beside itself."""
    with tempfile.TemporaryDirectory() as folder:
        copied = shutil.copy(sys.argv[1], folder)
        for name, does in PROGRAMS.items():
            program = pathlib.Path(folder, "bin", name)
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
            program.chmod(0o755)
        variables = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_")}
        variables["PATH"] = f"{folder}/bin:{variables['PATH']}"
        return subprocess.run([copied, *arguments], env=variables | environment, capture_output=True, text=True, check=False)


stopped = run("bench")
assert stopped.returncode == 3 and "cmake was called" not in stopped.stderr, stopped
assert "apt-get install" in stopped.stderr and "TESSERA_PACKAGES=OFF" in stopped.stderr, stopped.stderr
for command in ("demo", "bench"):
    past = run(command, TESSERA_PACKAGES="OFF")
    assert past.returncode == 1 and "cmake was called" in past.stderr and "apt-get" not in past.stderr, past
assert "TESSERA_PACKAGES=OFF" in run("help").stdout
