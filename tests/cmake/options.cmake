# SPDX-License-Identifier: BSD-3-Clause
# Script: what the options of the build become, printed.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/options.cmake)
message("tests ${TESSERA_TESTS}, shared ${BUILD_SHARED_LIBS}, types '${TESSERA_TYPES}'")
