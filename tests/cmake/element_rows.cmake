# SPDX-License-Identifier: BSD-3-Clause
# Script: what TESSERA_ELEMENT_ROWS=ROWS becomes, written to FOLDER and printed.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/element_rows.cmake)
tessera_write_element_rows("${ROWS}" ${FOLDER})
file(READ ${FOLDER}/own_element_rows.hpp header)
message("${header}")
