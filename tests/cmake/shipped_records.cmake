# SPDX-License-Identifier: BSD-3-Clause
# Script: prints the names of the shipped records that -D EXPRESSION=... selects.
cmake_path(SET tree NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
include(${tree}/cmake/shipped_records.cmake)
file(GLOB files ${tree}/autotune/records/*.json)
tessera_select_records("${EXPRESSION}" files ${files})
list(TRANSFORM files REPLACE "^.*/" "")
message("'${files}'")
