#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Python package on a machine with a GPU, runs its tests there, times einsum, makes a wheel and tries it, and
# prints a summary. With 16 cores it takes five to ten minutes. It fails where tessera_fem finds no GPU, and where a
# library is missing without which tests would be skipped.
#
#   tests/python/run_on_device.sh [BUILD_FOLDER [LOG_FOLDER]]
#
# BUILD_FOLDER: build/device by default, as of tests/gpu/run_on_device.sh: what that has compiled is not compiled again.
# A new one gets few rows (NVRTC compiles the kernels of the others) for this CPU alone.
# PYTHON: python3 by default; it needs nanobind, numpy, pytest and hypothesis, and CuPy, PyTorch, JAX, numba and SciPy
# for the tests of each.
# TESSERA_PREFIX: where to look for xsimd (a prefix with include/ and CMake packages), if it is not installed.
# TESSERA_TUNER=OFF: without tessera-tune and its test, where CLI11 and nlohmann-json are missing.
# TESSERA_TABLE=OFF: without the table of einsum; TESSERA_TABLE="--orders 1-4 --bytes 1e8": its options.
# TESSERA_PYTHON_TESTS="gpu_einsum torch": these files of tests alone.
# TESSERA_WHEEL=OFF: without the wheel, which takes a minute or two. It is left out where scikit-build-core is missing;
# ON: then it fails.
# TESSERA_MISSING="jax numba": these libraries may be missing, and their tests be skipped.
set -uo pipefail
source_folder=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath -m "${1:-$source_folder/build/device}")
logs=$(realpath -m "${2:-$build/logs}")
python=${PYTHON:-python3}
tuner=${TESSERA_TUNER:-ON}
targets=(tessera_python_types)
if [ "$tuner" = ON ]; then targets+=(tessera_tune tessera_tune_worker); fi
mkdir -p "$logs"
failures=0

step() {  # step NAME COMMAND...: runs, logs, and says in one line how it went
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$logs/$name.txt" 2>&1; then
    echo "ok      $name ($((SECONDS - start)) s) $(tail -n 1 "$logs/$name.txt" | cut -c 1-150)"
  else
    echo "FAILED  $name ($((SECONDS - start)) s):"
    grep -nE "^(FAILED|ERROR)|^E  |error[: ]|Error" "$logs/$name.txt" | head -n 25
    tail -n 5 "$logs/$name.txt"
    failures=$((failures + 1))
    return 1
  fi
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw --format=csv,noheader
configure() {
  local -a rows=()
  if [ ! -e "$build/CMakeCache.txt" ]; then
    rows=(-DTESSERA_CPU_ISAS=native -DTESSERA_ROWS=smoke -DTESSERA_TESTS=OFF -DCMAKE_UNITY_BUILD=ON)
  fi
  cmake -S "$source_folder" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTESSERA_CUDA=ON -DTESSERA_BENCH=OFF \
    -DTESSERA_EXAMPLES=OFF -DTESSERA_ENGINES=OFF "-DTESSERA_TUNE=$tuner" "${rows[@]}" \
    "-DCMAKE_PREFIX_PATH=${TESSERA_PREFIX:-}" \
    -DTESSERA_PYTHON=ON "-DPython_EXECUTABLE=$("$python" -c 'import sys; print(sys.executable)')"
}
step configure_python configure || exit 1
step build_python cmake --build "$build" -j "$(nproc)" --target "${targets[@]}" || exit 1

export PYTHONPATH=$build/python MPLBACKEND=Agg XLA_PYTHON_CLIENT_PREALLOCATE=false
# Threads of OpenMP that several processes share.
export OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive
libraries='
import os
missing = []
for name in ("numpy", "cupy", "torch", "jax", "numba", "scipy", "hypothesis"):
    try:
        print(name, __import__(name).__version__)
    except ImportError as e:
        print(name, "is missing:", e)
        missing.append(name)
import tessera_fem
tessera_fem.show_config()
assert "cuda" in tessera_fem.targets(), "Error: tessera_fem finds no GPU, so that no test would use one"
missing = [name for name in missing if name not in os.environ.get("TESSERA_MISSING", "").split()]
assert not missing, f"Error: missing, and not in TESSERA_MISSING: {missing}"'
step config "$python" -c "$libraries"
cat "$logs/config.txt"

# Files one by one: each is a process of its own, some at once. One whose tests are all skipped fails, unless a library
# may be missing, or it is that of the notebooks, which use no GPU and libraries of their own. 5: pytest has no test left.
test_file() {
  local name=$1 status=0 printed
  printed=$("$python" -B -m pytest -q -rs -p no:cacheprovider "$source_folder/tests/python/test_$name.py" 2>&1) ||
    status=$?
  echo "$printed"
  if [ "$status" != 0 ] && [ "$status" != 5 ]; then return "$status"; fi
  if grep -qE "^[0-9]+ passed" <<<"$(tail -n 1 <<<"$printed")" || [ -n "${TESSERA_MISSING:-}" ] ||
    [ "$name" = notebooks ]; then
    return 0
  fi
  echo "Error: no test of $name ran"
  return 1
}
read -ra names <<<"${TESSERA_PYTHON_TESTS:-}"
if [ "${#names[@]}" -eq 0 ]; then
  for file in "$source_folder"/tests/python/test_*.py; do
    name=${file##*/test_}
    if [ "$name" = tune.py ] && [ "$tuner" != ON ]; then continue; fi
    names+=("${name%.py}")
  done
fi
export -f step test_file
export python source_folder logs
export failures
for name in "${names[@]}"; do echo "$name"; done |
  xargs -P 4 -I NAME bash -c 'set -uo pipefail; step test_NAME test_file NAME' || failures=$((failures + 1))
grep -hE "^SKIPPED" "$logs"/test_*.txt | sort | uniq -c
unset OMP_NUM_THREADS OMP_WAIT_POLICY

if [ "${TESSERA_TABLE:-}" != OFF ]; then
  read -ra options <<<"${TESSERA_TABLE:-}"
  step einsum_table "$python" "$source_folder/bench/einsum_table.py" --device cuda --json "$logs/einsum_table.json" \
    "${options[@]}" && cat "$logs/einsum_table.txt"
fi

# Without a network: the build's requirements are those of this Python, and so is numpy.
wheel() {
  rm -rf "$logs/wheel" &&
    "$python" -m pip wheel --no-deps --no-build-isolation --wheel-dir "$logs/wheel" \
      "-Ccmake.define.CMAKE_PREFIX_PATH=${TESSERA_PREFIX:-}" "$source_folder" &&
    "$python" -m pip install --no-deps --no-index --target "$logs/wheel/site" "$logs"/wheel/*.whl &&
    cp "$source_folder/tests/python/wheel_works.py" "$logs/wheel/" &&
    (cd "$logs/wheel" && PYTHONPATH=site "$python" -B wheel_works.py "$logs/wheel/site")
}
make_wheel=${TESSERA_WHEEL:-}
if [ -z "$make_wheel" ] && ! "$python" -c "import scikit_build_core" 2>/dev/null; then
  echo "no wheel: scikit-build-core is missing"
elif [ -z "$make_wheel" ] && [ "$tuner" != ON ]; then
  echo "no wheel: TESSERA_TUNER=$tuner, and a wheel has tessera-tune"
elif [ "$make_wheel" != OFF ]; then
  step wheel wheel
fi
echo "$failures steps failed"
exit "$failures"
