#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Tessera with the tests that a GPU matters to on a machine that has one, runs them and the sanitizers, and prints a
# summary. It takes 15 to 25 minutes with 16 cores, most of which NVRTC needs; several GPUs share the tests.
#
#   tests/gpu/run_on_device.sh [BUILD_FOLDER [LOG_FOLDER]]
#
# TESSERA_PREFIX: where to look for xsimd (a prefix with include/ and CMake packages), if it is not installed.
# TESSERA_CATCH_PREFIX: the same for Catch2; used only where the machine has no Catch2 of its own.
# TESSERA_DEVICE_PROGRAMS=FOLDER: the test programs are there, built elsewhere from this source; nothing is built.
# TESSERA_DEVICE_LONG=1: also the tests over all triples of sizes, and hundreds of drawn contractions.
# TESSERA_DEVICE_GPUS="1 2": these GPUs only, so that others are left to measurements.
# TESSERA_DEVICE_ONLY=gpu: builds and runs these tests only (tessera_gpu_tests), or several, "fem hydro".
set -uo pipefail
source_folder=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source_folder/build/device}
logs=${2:-$build/logs}
programs=${TESSERA_DEVICE_PROGRAMS:-}
mkdir -p "$logs"
failures=0
readonly cores=$(nproc)  # before OMP_NUM_THREADS is set, which nproc counts as well

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
gpus=${TESSERA_DEVICE_GPUS:-$(nvidia-smi --list-gpus | awk '{print NR - 1}' | tr '\n' ' ')}
export CUDA_VISIBLE_DEVICES=${gpus%% *}
read -ra folders <<<"${TESSERA_DEVICE_ONLY:-gpu fem fem_operators hydro gpu_faults}"
configure() {  # configure PREFIXES
  cmake -S "$source_folder" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTESSERA_CUDA=ON -DTESSERA_BENCH=OFF \
    -DTESSERA_EXAMPLES=OFF "-DCMAKE_PREFIX_PATH=$1"
}
if [ -z "$programs" ]; then
  step configure configure "${TESSERA_PREFIX:-}" || {
    rm -rf "$build/CMakeCache.txt"
    failures=0
    step configure_with_catch configure "${TESSERA_PREFIX:-};${TESSERA_CATCH_PREFIX:-}" || exit 1
  }
  targets=("${folders[@]/#/tessera_}")
  step build cmake --build "$build" -j "$cores" --target "${targets[@]/%/_tests}" || exit 1
  programs=$build/bin
fi

# names FILTER FOLDER...: a line for each test, its program and its name as an argument of that.
names() {
  local filter=$1 folder
  shift
  for folder in "$@"; do
    { "$programs/tessera_${folder}_tests" "$filter" --list-test-names-only || true; } |
      sed "s/[][\\,]/\\\\&/g; s|^|$programs/tessera_${folder}_tests\t|"
  done
}
# each WRAPPER: each of the tests on standard input in a process of its own, as many at once as there are cores, on one GPU
# after the other; what a test prints, if it fails or wraps. 4 is the status of a skipped one.
each() {
  export wrapper=$1 gpus
  export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
  xargs -d '\n' -P "$cores" --process-slot-var=slot -I TEST bash -c '
    program=${1%%$'"'\t'"'*} name=${1#*$'"'\t'"'}
    all=($gpus)
    export CUDA_VISIBLE_DEVICES=${all[$((slot % ${#all[@]}))]}
    printed=$(timeout 3600 $wrapper "$program" "$name" 2>&1)
    status=$?
    case $status in
      0) echo "passed: $name" ;;
      4) echo "skipped: $name"; exit 0 ;;
      *) echo "FAILED with status $status: $name" ;;
    esac
    if [ -n "$wrapper" ] || [ $status -ne 0 ]; then echo "$printed"; fi
    exit $status' bash TEST
}
count() {  # count NAME: the passed and skipped ones of a step
  echo "        $(grep -c '^passed: ' "$logs/$1.txt") passed, $(grep -c '^skipped: ' "$logs/$1.txt") skipped," \
    "$(grep -c '^FAILED with' "$logs/$1.txt") failed"
}

names "" "${folders[@]}" >"$logs/names.txt"
step tests each "" <"$logs/names.txt"
count tests
names "[.big]" "${folders[@]}" >"$logs/big_names.txt"
step big xargs -d '\n' -I TEST bash -c '"${1%%$'"'\t'"'*}" "${1#*$'"'\t'"'}"' bash TEST <"$logs/big_names.txt"
# Faults stand in the places of CUDA's functions: nothing for sanitizers.
read -ra watched <<<"$(printf '%s\n' "${folders[@]}" | grep -vx gpu_faults | tr '\n' ' ')"
names "[sanitize]" "${watched[@]}" >"$logs/sanitize_names.txt"
for tool in memcheck racecheck initcheck synccheck; do
  step "$tool" each "compute-sanitizer --tool $tool --error-exitcode 99" <"$logs/sanitize_names.txt"
  count "$tool"
  grep -E "SUMMARY" "$logs/$tool.txt" | sort | uniq -c
done
if [ -n "${TESSERA_DEVICE_LONG:-}" ]; then
  names "[.long]" "${folders[@]}" >"$logs/long_names.txt"
  step long each "" <"$logs/long_names.txt"
  count long
fi
for object in "$build"/gpu/CMakeFiles/tessera_gpu_rows_*.dir/gemm_rows.cu.o; do
  if [ ! -e "$object" ]; then continue; fi
  cuobjdump --dump-sass "$object"
done >"$logs/rows.sass"
if [ -s "$logs/rows.sass" ]; then
  echo "rows: $(grep -c 'Function :' "$logs/rows.sass") kernels, $(grep -cE '\b(LDL|STL)\b' "$logs/rows.sass") accesses to" \
    "local memory, $(grep -cE '\bDFMA\b' "$logs/rows.sass") DFMA, $(grep -cE '\bFFMA\b' "$logs/rows.sass") FFMA," \
    "$(grep -cE '\b(DADD|FADD)\b' "$logs/rows.sass") unfused additions, $(grep -c UBLKCP "$logs/rows.sass") bulk copies"
fi
rm -f "$logs/rows.sass"
echo "$failures steps failed"
exit "$failures"
