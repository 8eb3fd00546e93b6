# SPDX-License-Identifier: BSD-3-Clause
# Script: how programs link OpenMP where this build found it with these flags and libraries, printed.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/openmp_link_flags.cmake)
tessera_openmp_link_flags(flags)
message("links: '${flags}'")
