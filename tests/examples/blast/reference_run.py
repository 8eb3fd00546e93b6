# SPDX-License-Identifier: BSD-3-Clause
# A run of blast ends with the step that the reference code prints: reference_run.py PROGRAM "LAST LINE" ARGUMENT...
# The line has blanks where the program prints tabs.
import subprocess
import sys

program, wanted, *arguments = sys.argv[1:]
done = subprocess.run([program, "--every", "1000000", "--energy-by-cg", *arguments], capture_output=True, text=True,
                      check=False)
assert done.returncode == 0, done.stdout + done.stderr
lines = [" ".join(line.split()) for line in done.stdout.splitlines() if line.startswith("step")]
assert lines[-1] == wanted, f"found '{lines[-1]}', wanted '{wanted}'"
