# SPDX-License-Identifier: BSD-3-Clause
# petsc_poisson and petsc_bake_off: orders of convergence, and the same residuals on 1, 2 and 3 processes.
import math
import re
import subprocess
import sys

poisson, bake_off, mpiexec, flag = sys.argv[1:5]


def run(program, *options, processes=1):
    command = [mpiexec, flag, str(processes)] if processes > 1 else []
    return subprocess.run([*command, program, *options], capture_output=True, text=True, check=False)


def error_of(done):
    assert done.returncode == 0 and "CONVERGED_RTOL" in done.stdout, (done.stdout, done.stderr)
    return float(re.search(r"L2 error (\S+)", done.stdout).group(1))


for dim, order, faces in ((1, 4, ("3", "6")), (2, 3, ("4,4", "8,8")), (3, 2, ("3,3,3", "6,6,6"))):
    coarse, fine = (error_of(run(poisson, "-order", str(order), "-dm_plex_dim", str(dim), "-dm_plex_box_faces", cells))
                    for cells in faces)
    assert math.log2(coarse / fine) > order + 0.5, (coarse, fine)

histories = {}
for processes in (1, 2, 3):
    done = run(poisson, "-order", "4", "-dm_plex_dim", "3", "-dm_plex_box_faces", "4,3,5", "-ksp_monitor", "-ksp_rtol",
               "1e-13", "-log_view", processes=processes)
    error = error_of(done)
    assert "Solving" in done.stdout and "TesseraSumWait" in done.stdout, done.stdout
    histories[processes] = (error, [float(r) for r in re.findall(r"KSP Residual norm (\S+)", done.stdout)])
error, residuals = histories[1]
assert len(residuals) > 30
for processes in (2, 3):
    other_error, others = histories[processes]
    assert abs(other_error / error - 1) < 1e-8 and abs(len(others) - len(residuals)) <= 1, histories
    for k in range(30):
        assert abs(others[k] / residuals[k] - 1) < 1e-10, (processes, k, others[k], residuals[k])

for problem in range(1, 7):
    done = run(bake_off, "-problem", str(problem), "-order", "3", "-cells", "3", "-repetitions", "1", processes=2)
    assert done.returncode == 0 and f"BP{problem}, order 3" in done.stdout, (done.stdout, done.stderr)
assert run(bake_off, "-problem", "7").returncode != 0
print("well")
