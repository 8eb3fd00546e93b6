# SPDX-License-Identifier: BSD-3-Clause
# Script: what TESSERA_CPU_ISAS becomes on CMAKE_SYSTEM_PROCESSOR, printed.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/target_isa.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/instruction_sets.cmake)
message("sets: '${TESSERA_CPU_ISAS}'")
