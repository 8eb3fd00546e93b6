# SPDX-License-Identifier: BSD-3-Clause
# The steps of CI, one function each: 0 is a pass, 77 a skip, anything else a failure.

all_steps=(packages release test_sse2 test_avx2 test_avx512 dev aarch64 format tidy)

# Everything that the steps need from the distribution; the CUDA toolkit is not in it.
step_packages() {
  local -a packages=(
    g++ gcc gfortran clang libomp-dev cmake ninja-build clang-format clang-tidy python3 python3-matplotlib binutils
    libxsimd-dev catch2 libcli11-dev nlohmann-json3-dev
    libopenblas-dev libblis-dev libxsmm-dev libeigen3-dev
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

# The files of a target compiled together: each header is read once. The dev step compiles every file alone.
unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=100)

# The README's command, with the GPU backend where there is a CUDA compiler. Full rows on the CPU, a few on the GPU, where
# no machine of CI runs them: for the same reason the assembler optimises nothing, which takes it two thirds of the time.
run_test() {
  TESSERA_OPTIONS="${unity[*]} -DTESSERA_GPU_ROWS=smoke -DCMAKE_CUDA_FLAGS=-Xptxas=-O0" ./run test "$@"
}

# Every test, lint, consumer and must-not-compile case, on the best instruction set. Without a GPU its tests count as
# skipped, but all of the GPU's code is compiled, for sm_90.
step_release() { run_test; }

# cpu_has FLAG...: whether the first core of this machine lists them all.
cpu_has() {
  local flag
  for flag in "$@"; do grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$flag" || return 1; done
}

avx512=(avx512f avx512bw avx512dq avx512vl)

# The tests that run kernels once more under a forced instruction set; the others do not depend on it.
test_target() {
  TESSERA_TARGET=$1 run_test --label-exclude '^(core|bench|lint|consumer|compile_fail|gpu|tune_(search|store|space|command))$'
}

step_test_sse2() { cpu_has sse2 || skip "this CPU has no SSE2" && test_target sse2; }

# Where a set is this machine's best one, the release step ran the tests under it.
step_test_avx2() {
  cpu_has avx2 fma || skip "this CPU has no AVX2" || return
  if cpu_has "${avx512[@]}"; then test_target avx2; fi
}
step_test_avx512() { cpu_has "${avx512[@]}" || skip "this CPU has no AVX-512"; }

run_ctest() { ctest --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"; }

# By clang: sanitizers, warnings as errors, little optimised, few rows.
step_dev() {
  cmake --preset dev && cmake --build --preset dev &&
    run_ctest --test-dir build/dev --label-exclude '^(lint|gpu)$'
}

# Another architecture, run under qemu-user, few rows.
step_aarch64() {
  cmake --preset aarch64 "${unity[@]}" && cmake --build --preset aarch64 &&
    OMP_NUM_THREADS=2 run_ctest --test-dir build/aarch64 --label-exclude '^(lint|gpu)$'
}

step_format() {
  find include src cpu gpu fem autotune bench examples tests -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.[ch]' |
    xargs clang-format --dry-run --Werror
}

# The library's own translation units; those per instruction set are one template, so one of them stands for all.
step_tidy() {
  cmake -B build/tidy -G Ninja -DTESSERA_ROWS=smoke -DTESSERA_CUDA=OFF -DTESSERA_TESTS=OFF \
    -DTESSERA_BENCH=OFF -DTESSERA_TUNE=OFF -DTESSERA_EXAMPLES=OFF &&
    sed -n 's/^ *"file": "\(.*\)",*$/\1/p' build/tidy/compile_commands.json |
    grep -vE '/(rows|kernels)_(avx2_f..|avx512_f..|sse2_f32)\.cpp$' |
      xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build/tidy
}
