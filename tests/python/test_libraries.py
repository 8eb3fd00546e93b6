# SPDX-License-Identifier: BSD-3-Clause
"""Libraries of other packages: one OpenMP runtime with PyTorch, whichever is imported first, and NVRTC."""

import os
import shutil
import subprocess
import sys

import pytest
import tessera_fem as tf

RUN = """
import os
import numpy, tessera_fem
a = numpy.ones((1000, 4, 4))
assert (tessera_fem.einsum("kj,ejb->ekb", a[0], a, batch="e", threads=2) == 4).all()
package = tessera_fem.config()["package"]
assert len(os.listdir("/proc/self/task")) > 1
print(package["openmp"], *package["loaded_openmp"], sep="\\n")
"""


def process_with(folder, code, **environment):
    """A process that finds the package torch in the folder."""
    paths = [str(folder), os.path.dirname(os.path.dirname(tf.__file__))]
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        capture_output=True,
        text=True,
    )


def openmp_of(before, folder, **environment):
    """What Tessera uses, and all that is loaded, there."""
    result = process_with(folder, before + RUN, **environment)
    assert result.returncode == 0, result.stderr
    used, *loaded = result.stdout.split()
    return used, loaded


@pytest.fixture
def system_library():
    """libgomp of the system, by its real name."""
    used, _ = openmp_of("import sys; sys.modules['torch'] = None\n", "/nowhere")
    return os.path.realpath(used)


@pytest.fixture
def package(tmp_path, system_library):
    """A folder with a package torch that has a copy of the library, as PyTorch's wheels have."""
    library = tmp_path / "torch" / "lib" / "libgomp.so.1"
    library.parent.mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").write_text(
        f"import ctypes; ctypes.CDLL({str(library)!r})  # as PyTorch's libraries do, for themselves\n"
    )
    shutil.copy(system_library, library)
    return tmp_path, library


@pytest.mark.parametrize("before", ["", "import torch\n"])
def test_one_library(package, before):
    folder, library = package
    assert openmp_of(before, folder) == (str(library), [str(library)])


@pytest.mark.parametrize("before", ["", "import torch\n"])
def test_a_library_of_another_name(package, before):
    """Older wheels of PyTorch renamed theirs: the loader takes it for another one, and loads the system's in vain."""
    folder, library = package
    renamed = library.with_name("libgomp-f.so")
    data = library.read_bytes()
    assert data.count(b"\0libgomp.so.1\0") == 1
    renamed.write_bytes(data.replace(b"\0libgomp.so.1\0", b"\0libgomp-f.so\0"))
    library.unlink()
    init = folder / "torch" / "__init__.py"
    init.write_text(init.read_text().replace(str(library), str(renamed)))
    used, loaded = openmp_of(before, folder)
    assert used == str(renamed)
    assert str(renamed) in loaded


@pytest.fixture
def without_system_library(tmp_path):
    """An environment in which the loader finds a libgomp.so.1 that it cannot load."""
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "libgomp.so.1").write_text("no library")
    return {"LD_LIBRARY_PATH": str(folder)}


def test_no_library_is_an_import_error_that_names_the_package(without_system_library):
    code = "import sys; sys.modules['torch'] = None\nimport tessera_fem"
    result = process_with("/nowhere", code, **without_system_library)
    assert result.returncode == 1
    error = result.stderr.strip().splitlines()[-1]
    assert error.startswith("ImportError: tessera_fem needs GCC's OpenMP, libgomp.so.1, of the package libgomp1")
    assert "apt-get install libgomp1" in error
    assert "broken/libgomp.so.1" in error  # what the loader says


def test_pytorchs_library_is_enough(package, without_system_library):
    folder, library = package
    assert openmp_of("", folder, **without_system_library) == (str(library), [str(library)])


def test_a_package_without_one(tmp_path, system_library):
    """As Debian's, which uses the system's."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").touch()
    used, loaded = openmp_of("import torch\n", tmp_path)
    assert os.path.realpath(used) == system_library
    assert len(loaded) == 1


NVRTC = """
import os, ctypes
exists = os.path.exists
os.path.exists = lambda path: path in {devices} if str(path).startswith("/dev/") else exists(path)
import tessera_fem
print(tessera_fem.config()["package"]["taken_from_packages"].get("nvrtc"))
"""


@pytest.mark.parametrize("devices", [[], ["/dev/nvidiactl"], ["/dev/dxg"]])
def test_the_compiler_of_the_package_where_there_is_a_gpu(tmp_path, system_library, devices):
    """Any library does here; the system's is taken where the package is not installed."""
    library = tmp_path / "nvidia" / "cu13" / "lib" / "libnvrtc.so.13"
    library.parent.mkdir(parents=True)
    shutil.copy(system_library, library)
    result = process_with(tmp_path, NVRTC.format(devices=devices))
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == (str(library) if devices else "None")
    library.unlink()
    result = process_with(tmp_path, NVRTC.format(devices=devices))
    assert (result.returncode, result.stdout.strip()) == (0, "None"), result.stderr
