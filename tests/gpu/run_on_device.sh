#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Tessera with the tests that a GPU matters to on a machine that has one, runs them and the sanitizers, and prints a
# summary. It takes 10 to 20 minutes with 16 cores, most of which NVRTC needs; several GPUs share the tests.
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

# lines STEP FILTER FOLDER...: a line for each test, its step, its program and its name as an argument of that.
lines() {
  local step=$1 filter=$2 folder
  shift 2
  for folder in "$@"; do
    { "$programs/tessera_${folder}_tests" "$filter" --list-test-names-only || true; } |
      sed "s/[][\\,]/\\\\&/g; s|^|$step\t$programs/tessera_${folder}_tests\t|"
  done
}
# Each of the lines on standard input in a process of its own, as many at once as there are cores, on one GPU after the
# other. The log of its step gets how it went, and what a test prints that fails or that a sanitizer watches. 4 is the
# status of a skipped one.
all_at_once() {
  export logs gpus
  export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
  xargs -d '\n' -P "$cores" --process-slot-var=slot -I TEST bash -c '
    IFS=$'"'\t'"' read -r step program name <<<"$1"
    all=($gpus)
    export CUDA_VISIBLE_DEVICES=${all[$((slot % ${#all[@]}))]}
    wrapper="compute-sanitizer --tool $step --error-exitcode 99"
    case $step in tests | long) wrapper= ;; esac
    printed=$(timeout 3600 $wrapper "$program" "$name" 2>&1)
    status=$?
    {
      flock 9
      case $status in
        0) echo "passed: $name" ;;
        4) echo "skipped: $name" ;;
        *) echo "FAILED with status $status: $name" ;;
      esac
      if [ -n "$wrapper" ] || { [ $status -ne 0 ] && [ $status -ne 4 ]; }; then echo "$printed"; fi
    } 9>>"$logs/$step.txt" >&9' bash TEST
}
# report STEP: how many passed; what failed, or that nothing ran.
report() {
  local log=$logs/$1.txt passed failed
  passed=$(grep -c '^passed: ' "$log") failed=$(grep -c '^FAILED with' "$log")
  if [ "$failed" = 0 ] && [ "$passed" != 0 ]; then
    echo "ok      $1: $passed passed, $(grep -c '^skipped: ' "$log") skipped"
  else
    echo "FAILED  $1: $failed failed, $passed passed"
    grep -E "^FAILED with" -A 12 "$log" | head -n 60
    failures=$((failures + 1))
  fi
}

# Faults stand in the places of CUDA's functions: nothing for sanitizers.
read -ra watched <<<"$(printf '%s\n' "${folders[@]}" | grep -vx gpu_faults | tr '\n' ' ')"
# The slowest first, so that no core waits for one of them at the end.
steps=(racecheck tests)
if [ -n "${TESSERA_DEVICE_LONG:-}" ]; then steps+=(long); fi
steps+=(memcheck initcheck synccheck)
for name in "${steps[@]}"; do
  : >"$logs/$name.txt"
  case $name in
    tests) lines tests "" "${folders[@]}" ;;
    long) lines long "[.long]" "${folders[@]}" ;;
    *) lines "$name" "[sanitize]" "${watched[@]}" ;;
  esac
done >"$logs/queue.txt"
start=$SECONDS
all_at_once <"$logs/queue.txt"
echo "        $(wc -l <"$logs/queue.txt") runs ($((SECONDS - start)) s)"
for name in "${steps[@]}"; do
  if [ "$name" != tests ] && ! grep -q "^$name"$'\t' "$logs/queue.txt"; then continue; fi
  report "$name"
  grep -E "SUMMARY" "$logs/$name.txt" | sort | uniq -c
done
lines big "[.big]" "${folders[@]}" | cut -f 2- >"$logs/big_names.txt"
step big xargs -d '\n' -I TEST bash -c '"${1%%$'"'\t'"'*}" "${1#*$'"'\t'"'}"' bash TEST <"$logs/big_names.txt"
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
