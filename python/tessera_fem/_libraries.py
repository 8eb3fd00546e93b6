# SPDX-License-Identifier: BSD-3-Clause
"""Libraries that other packages bring, loaded before the compiled part so that it uses the same ones.

OpenMP: PyTorch's wheels have a libgomp of their own. Two of them in a process would each have a team of threads, which
disturb each other, so Tessera takes PyTorch's where PyTorch is installed.

NVRTC, the compiler of GPU kernels: that of the package nvidia-cuda-nvrtc, where it is installed and there is a GPU;
otherwise the compiled part looks for the system's.
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os

_loaded: dict[str, str] = {}


def _folder(package: str, *path: str) -> str | None:
    """A folder of an installed package, without importing the package; None where there is none."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = os.path.join(place, *path)
        if os.path.isdir(folder):
            return folder
    return None


def _load(what: str, folder: str | None, pattern: str) -> None:
    for file in sorted(glob.glob(os.path.join(folder, pattern))) if folder else []:
        try:
            ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
        _loaded[what] = file
        return


def _may_have_gpu() -> bool:
    """Whether there is a device of NVIDIA's driver, or, under WSL2, of Windows'. NVRTC takes time to load."""
    return any(os.path.exists(device) for device in ("/dev/nvidiactl", "/dev/dxg"))


def load() -> None:
    """Loads what there is; what is missing is found on the system, or reported when it is needed."""
    _load("openmp", _folder("torch", "lib"), "libgomp*.so*")
    if _may_have_gpu():
        _load("nvrtc", _folder("nvidia", "cu13", "lib"), "libnvrtc.so.13")


def need_openmp() -> None:
    """Raises ImportError with what to install where there is no OpenMP."""
    if "openmp" in _loaded:
        return
    try:
        ctypes.CDLL("libgomp.so.1", mode=ctypes.RTLD_GLOBAL)
    except OSError as e:
        raise ImportError(
            "tessera_fem needs GCC's OpenMP, libgomp.so.1, of the package libgomp1 (Debian, Ubuntu: apt-get install "
            f"libgomp1) or libgomp (Fedora: dnf install libgomp): {e}",
            name="tessera_fem",
        ) from e


def loaded() -> dict[str, str]:
    """Which files were: {"openmp": path}."""
    return dict(_loaded)
