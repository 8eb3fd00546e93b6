#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Tessera with the tests that a GPU matters to on a machine that has one, runs them and the sanitizers, and prints a
# summary. It takes 15 to 25 minutes with 16 cores, most of which NVRTC needs.
#
#   tests/gpu/run_on_device.sh [BUILD_FOLDER [LOG_FOLDER]]
#
# TESSERA_PREFIX: where to look for xsimd (a prefix with include/ and CMake packages), if it is not installed.
# TESSERA_CATCH_PREFIX: the same for Catch2; used only where the machine has no Catch2 of its own.
# TESSERA_DEVICE_LONG=1: also the tests over all triples of sizes.
# TESSERA_DEVICE_ONLY=gpu: builds and runs the tests of that folder only, or of several, "fem hydro".
set -uo pipefail
source_folder=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source_folder/build/device}
logs=${2:-$build/logs}
mkdir -p "$logs"
failures=0

step() {  # step NAME COMMAND...: runs, logs, and says in one line how it went
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$logs/$name.txt" 2>&1; then
    echo "ok      $name ($((SECONDS - start)) s)"
  else
    echo "FAILED  $name ($((SECONDS - start)) s):"
    grep -nE "FAILED|error[: ]|Error" "$logs/$name.txt" | head -n 15
    tail -n 5 "$logs/$name.txt"
    failures=$((failures + 1))
    return 1
  fi
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw --format=csv,noheader
configure() {  # configure PREFIXES
  cmake -S "$source_folder" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTESSERA_CUDA=ON -DTESSERA_BENCH=OFF \
    -DTESSERA_EXAMPLES=OFF "-DCMAKE_PREFIX_PATH=$1"
}
step configure configure "${TESSERA_PREFIX:-}" || {
  rm -rf "$build/CMakeCache.txt"
  failures=0
  step configure_with_catch configure "${TESSERA_PREFIX:-};${TESSERA_CATCH_PREFIX:-}" || exit 1
}
read -ra folders <<<"${TESSERA_DEVICE_ONLY:-gpu fem hydro gpu_faults}"
targets=("${folders[@]/#/tessera_}")
step build cmake --build "$build" -j "$(nproc)" --target "${targets[@]/%/_tests}" || exit 1
labels=$(IFS='|' && echo "${folders[*]}")
step tests ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" -L "^($labels)$"
grep -E "tests passed|tests failed|\(Failed\)" "$logs/tests.txt"

# sanitize TOOL TESTS: each test in a process of its own, as many at once as there are cores.
sanitize() {
  local tool=$1 tests=$2
  { "$tests" "[sanitize]" --list-test-names-only || true; } | sed 's/[][\\,]/\\&/g' |
    xargs -d '\n' -P "$(nproc)" -I TEST compute-sanitizer --tool "$tool" --error-exitcode 99 "$tests" TEST
}

for folder in "${folders[@]}"; do
  if [ "$folder" = gpu_faults ]; then continue; fi  # its functions stand in the places of CUDA's
  tests=$(find "$build" -name "tessera_${folder}_tests" -type f | head -n 1)
  step "big_$folder" "$tests" "[.big]"
  if [ -n "${TESSERA_DEVICE_LONG:-}" ] && [ "$folder" = gpu ]; then step long "$tests" "[.long]"; fi
  for tool in memcheck racecheck initcheck synccheck; do
    step "${tool}_$folder" sanitize "$tool" "$tests"
    grep -E "SUMMARY" "$logs/${tool}_$folder.txt" | sort | uniq -c
  done
done
for object in "$build"/gpu/CMakeFiles/tessera_gpu_rows_*.dir/gemm_rows.cu.o; do cuobjdump --dump-sass "$object"; done >"$logs/rows.sass"
echo "rows: $(grep -c 'Function :' "$logs/rows.sass") kernels, $(grep -cE '\b(LDL|STL)\b' "$logs/rows.sass") accesses to local memory," \
  "$(grep -cE '\bDFMA\b' "$logs/rows.sass") DFMA, $(grep -cE '\bFFMA\b' "$logs/rows.sass") FFMA," \
  "$(grep -cE '\b(DADD|FADD)\b' "$logs/rows.sass") unfused additions, $(grep -c UBLKCP "$logs/rows.sass") bulk copies"
rm -f "$logs/rows.sass"
echo "$failures steps failed"
exit "$failures"
