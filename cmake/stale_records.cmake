# SPDX-License-Identifier: BSD-3-Clause
# Script: prints the number of shipped tuning records that were measured with other kernels than those of the tree.
# Never fails. -D PROGRAM=FILE: embed_records, where it has been compiled.
include(${CMAKE_CURRENT_LIST_DIR}/kernel_hashes.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/embed_program.cmake)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tree)
tessera_hash_arguments(${tree} arguments)
file(GLOB files ${tree}/autotune/records/*.json)
list(TRANSFORM files PREPEND "--shipped;")
if(NOT PROGRAM)
  tessera_embed_program(${tree} ${tree}/build/host "" "" PROGRAM)
endif()
execute_process(COMMAND ${PROGRAM} ${arguments} ${files} --each OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(REGEX REPLACE "gpu_rows=[0-9]+\n" "" said "${said}")
string(STRIP "${said}" said)
message("${said}")
