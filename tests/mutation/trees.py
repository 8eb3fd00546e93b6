# SPDX-License-Identifier: BSD-3-Clause
# Copies of a source tree with its build, one a worker, and commands that run in them.
import os
import pathlib
import shutil
import signal
import subprocess

SKIPPED = {"build", "install", ".git", "__pycache__", ".cache"}
OPTIONS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DTESSERA_ROWS=smoke",
           "-DTESSERA_CPU_ISAS=sse2;avx2", "-DTESSERA_CUDA=OFF", "-DTESSERA_BENCH=OFF", "-DTESSERA_EXAMPLES=OFF",
           "-DTESSERA_TESTS=ON", "-DTESSERA_TUNE=ON", "-DCMAKE_UNITY_BUILD=OFF"]


def can_mount():
    """Whether every worker can see its own copy at one path, so that builds can be copied."""
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "-m", "true"], capture_output=True).returncode == 0


class Trees:
    """scratch/base and scratch/worker_i, each with a folder tree and a folder build."""

    def __init__(self, scratch, cores):
        self.scratch, self.cores, self.mounts = scratch, cores, can_mount()
        self.place = scratch / "place"  # where every copy appears in its own commands
        self.place.mkdir(parents=True, exist_ok=True)
        self.running = set()  # process groups

    def stop(self):
        """Ends every command that still runs."""
        for group in list(self.running):
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def run(self, folder, command, limit=None, jobs=1):
        """(exit status, output) of a command in a copy; status None where it took longer than `limit` seconds."""
        here = self.place if self.mounts else folder
        shell = ["sh", "-c", 'cd "$0" && exec "$@"', str(here), *command]
        if self.mounts:
            shell = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" "$1" && cd "$1" && shift && exec "$@"',
                     str(folder), str(here), *command]
        environment = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS=str(min(4, max(2, jobs))),
                           CTEST_PARALLEL_LEVEL=str(jobs), PYTHONDONTWRITEBYTECODE="1")
        process = subprocess.Popen(shell, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   env=environment, start_new_session=True)
        self.running.add(process.pid)
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return None, output
        finally:
            self.running.discard(process.pid)

    def folder(self, worker):
        return self.scratch / f"worker_{worker}"

    def pristine(self, worker):
        """What a worker's copy is restored from: of builds that cannot be copied elsewhere, one of its own."""
        return self.scratch / "base" if self.mounts else self.scratch / f"pristine_{worker}"

    def prepare(self, source, folder, options, jobs):
        """Copies the sources and builds everything, since tests run programs, too; what was there is brought up to date."""
        synchronise(source, folder / "tree", SKIPPED)
        launcher = []
        if shutil.which("ccache"):
            launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"]
        for command in (["cmake", "-S", "tree", "-B", "build", *OPTIONS, *launcher, *options],
                        ["ninja", "-C", "build", "-j", str(jobs)]):
            status, output = self.run(folder, command, jobs=jobs)
            if status != 0:
                raise SystemExit(f"{' '.join(command)} failed:\n{output[-4000:]}")


def synchronise(source, copy, skipped=frozenset()):
    """Makes a copy equal to the source, by sizes and times; only what differs is copied."""
    copy.mkdir(parents=True, exist_ok=True)
    there = {entry.name: entry for entry in os.scandir(source) if entry.name not in skipped}
    for entry in list(os.scandir(copy)):
        wanted = there.get(entry.name)
        if wanted is None or wanted.is_dir(follow_symlinks=False) != entry.is_dir(follow_symlinks=False):
            remove(pathlib.Path(entry.path))
    for name, entry in there.items():
        target = copy / name
        if entry.is_dir(follow_symlinks=False):
            synchronise(pathlib.Path(entry.path), target, skipped)
        elif not is_same(entry, target):
            if target.is_symlink() or target.exists():
                target.unlink()
            shutil.copy2(entry.path, target, follow_symlinks=False)
    shutil.copystat(source, copy)


def is_same(entry, target):
    try:
        here, there = entry.stat(follow_symlinks=False), os.lstat(target)
    except FileNotFoundError:
        return False
    return (here.st_size, here.st_mtime_ns, here.st_mode) == (there.st_size, there.st_mtime_ns, there.st_mode)


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
