# SPDX-License-Identifier: BSD-3-Clause
# The Spack recipe: spack repo add packaging/spack; spack dev-build tessera@0.2.0, in the source tree.
#
# For `spack install` fill in where releases are: url = "https://.../v0.2.0.tar.gz", and in version() sha256="...", which
# `spack checksum tessera` prints; or git = "https://..." with tag="v0.2.0" and commit="...".
from spack.package import *


class Tessera(CMakePackage, CudaPackage):
    """Batched small-tensor kernels for high-order finite elements, on CPUs and NVIDIA GPUs."""

    license("BSD-3-Clause")

    # Releases are tagged vX.Y.Z; until they have a public address, build a checkout with dev-build.
    version("0.2.0")

    variant("shared", default=False, description="Build shared libraries")
    variant("rows", default="full", values=("full", "smoke"), multi=False,
            description="Kernel rows: what is shipped, or a few for a quick build")

    depends_on("cxx", type="build")
    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("xsimd@8.1:", type=("build", "link"))  # the installed headers include it
    depends_on("llvm-openmp", when="%clang")  # clang's own run time is not always installed with it; gcc's is
    depends_on("cuda@13:", when="+cuda")

    requires("%gcc@12:", "%clang@14:", policy="one_of", msg="Tessera needs C++20")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPU's architecture, for example cuda_arch=90")
    conflicts("platform=darwin", msg="Tessera is for Linux")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("TESSERA_ROWS", "rows"),
            self.define("TESSERA_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define("TESSERA_TESTS", False),
            self.define("TESSERA_BENCH", False),
            self.define("TESSERA_TUNE", False),
            self.define("TESSERA_EXAMPLES", False),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args

    @run_after("install")
    def check_install(self):
        Executable(join_path(self.prefix.bin, "tessera-info"))("--json", output=str)
