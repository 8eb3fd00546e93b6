# SPDX-License-Identifier: BSD-3-Clause
# The steps of CI, one function each: 0 is a pass, 77 a skip, anything else a failure.

all_steps=(packages release test_sse2 test_avx2 test_avx512 dev aarch64 cuda format tidy)

# Everything that the steps need from the distribution; the CUDA toolkit is not in it.
step_packages() {
  local -a packages=(
    g++ gcc gfortran clang cmake ninja-build clang-format clang-tidy python3 python3-matplotlib binutils
    libxsimd-dev catch2 libcli11-dev nlohmann-json3-dev
    libopenblas-dev libblis-dev libxsmm-dev libeigen3-dev
    g++-aarch64-linux-gnu qemu-user)
  local -a root=() missing
  mapfile -t missing < <(for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done)
  if [ "${#missing[@]}" -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ]; then root=(sudo -n); fi
  "${root[@]}" apt-get update -qq &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --no-install-recommends -y -qq "${missing[@]}"
}

# Full rows; every test, lint, consumer and must-not-compile case, on the best instruction set.
step_release() { ./run test; }

# cpu_has FLAG...: whether the first core of this machine lists them all.
cpu_has() {
  local flag
  for flag in "$@"; do grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$flag" || return 1; done
}

# The tests that run kernels once more under a forced instruction set; the lints and the like do not depend on it.
test_target() { TESSERA_TARGET=$1 ./run test --label-exclude '^(core|bench|lint|consumer|compile_fail|gpu)$'; }

step_test_sse2() { cpu_has sse2 || skip "this CPU has no SSE2" && test_target sse2; }
step_test_avx2() { cpu_has avx2 fma || skip "this CPU has no AVX2" && test_target avx2; }
step_test_avx512() { cpu_has avx512f avx512bw avx512dq || skip "this CPU has no AVX-512" && test_target avx512; }

# Sanitizers, warnings as errors, few rows.
step_dev() {
  cmake --preset dev && cmake --build --preset dev &&
    run_ctest --test-dir build/dev --label-exclude '^(lint|gpu)$'
}

# Another architecture, run under qemu-user, few rows.
step_aarch64() {
  cmake --preset aarch64 && cmake --build --preset aarch64 &&
    OMP_NUM_THREADS=2 run_ctest --test-dir build/aarch64 --label-exclude '^(lint|gpu)$'
}

# The GPU backend compiles for sm_90; without a GPU its tests are counted as skipped.
step_cuda() {
  if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
    skip "no CUDA compiler"
    return
  fi
  cmake --preset cuda -DTESSERA_ROWS=smoke -DTESSERA_BENCH=OFF && cmake --build --preset cuda &&
    run_ctest --test-dir build/cuda --label-regex '^gpu$'
}

own_sources() { find include src cpu gpu fem bench examples autotune tests "$@"; }

step_format() {
  own_sources -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' | xargs clang-format --dry-run --Werror
}

# The library's own translation units; those per instruction set are one template, so the plainest stands for all.
step_tidy() {
  cmake -B build/tidy -G Ninja -DCMAKE_CXX_COMPILER=g++ -DTESSERA_ROWS=smoke -DTESSERA_CUDA=OFF -DTESSERA_TESTS=OFF \
    -DTESSERA_BENCH=OFF -DTESSERA_EXAMPLES=OFF &&
    own_sources -path '*src/*.cpp' -o -path 'fem/*.cpp' -o -path 'cpu/*.cpp' |
    grep -E '^(src|fem|cpu)/' | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build/tidy
}
