# SPDX-License-Identifier: BSD-3-Clause
# Script, which has no targets: what tessera_target_isa(program ISA) says before it reaches the compiler.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/target_isa.cmake)
tessera_target_isa(program "${ISA}")
