# SPDX-License-Identifier: BSD-3-Clause
# poisson.F90: its errors in one, two and three dimensions, on 1 and 2 processes.
import re
import subprocess
import sys

program, mpiexec, flag = sys.argv[1:4]
for processes, options, unknowns, largest in ((1, ("-dm_plex_box_faces", "8,8"), 961, 1e-8),
                                              (2, ("-dm_plex_box_faces", "8,8"), 961, 1e-8),
                                              (1, ("-dm_plex_dim", "1", "-dm_plex_box_faces", "7"), 27, 1e-7),
                                              (2, ("-dm_plex_dim", "3", "-order", "3", "-dm_plex_box_faces", "3,3,3"),
                                               512, 1e-4)):
    command = [mpiexec, flag, str(processes)] if processes > 1 else []
    done = subprocess.run([*command, program, *options], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+) unknowns of .* L2 error *(\S+)", done.stdout)
    assert done.returncode == 0 and found, (options, done.stdout, done.stderr)
    assert int(found.group(1)) == unknowns and float(found.group(2)) < largest, (options, done.stdout)
print("well")
