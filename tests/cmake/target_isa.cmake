# SPDX-License-Identifier: BSD-3-Clause
# Script: the compiler's flags for the instruction set ISA, printed.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/target_isa.cmake)
tessera_isa_flags("${ISA}" flags)
message("flags: '${flags}'")
