#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Users without CMake, a program in C++ and one in C, one compiler line each, with libraries in PREFIX:
# build_and_run.sh plain|pkg_config|pkg_config_static CXX_COMPILER PREFIX FOLDER [C_COMPILER]
set -euo pipefail
way=$1 cxx_compiler=$2 prefix=$3 folder=$4 c_compiler=${5:-}
consumers="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
mkdir -p "$folder"

# The folder of the libraries: lib, lib64 or lib/x86_64-linux-gnu.
lib=$(dirname "$(dirname "$(find "$prefix" -name tessera.pc)")")
export PKG_CONFIG_PATH=$lib/pkgconfig

case $way in
  plain) flags=(-I"$prefix/include" -L"$lib" -ltessera_fem -ltessera -fopenmp -ldl) ;;
  pkg_config) read -ra flags <<<"$(pkg-config --cflags --libs tessera-fem)" ;;
  pkg_config_static) read -ra flags <<<"$(pkg-config --cflags --libs --static tessera-fem)" ;;
esac

# With a GPU backend a static library needs CUDA's run time, which pkg-config knows.
if [ "$way" = plain ] && grep -q cudart "$lib/pkgconfig/tessera.pc"; then
  read -ra cuda <<<"$(sed -n 's/.*\(-L[^ ]* -lcudart_static\).*/\1 -lrt/p' "$lib/pkgconfig/tessera.pc")"
  flags+=("${cuda[@]}")
fi

export LD_LIBRARY_PATH=$lib
"$cxx_compiler" -std=c++20 -O1 "$consumers/interpolate.cpp" "${flags[@]}" -o "$folder/$way"
"$folder/$way"

if [ -z "$c_compiler" ]; then exit 0; fi
if [ "$way" = plain ]; then flags+=(-lstdc++ -lm); fi
"$c_compiler" -O1 "$consumers/c_project/energy.c" "${flags[@]}" -o "$folder/${way}_c"
"$folder/${way}_c"
