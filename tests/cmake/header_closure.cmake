# SPDX-License-Identifier: BSD-3-Clause
# Script: in FOLDER, headers in two folders that include one another, and what tessera_header_closure finds from ENTRY.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/embed_headers.cmake)

# header(FOLDER NAME INCLUDED...)
function(header folder name)
  set(text "#pragma once\n#include <cmath>\n")
  foreach(included IN LISTS ARGN)
    string(APPEND text "#include <tessera/${included}>\n")
  endforeach()
  file(WRITE ${FOLDER}/${folder}/tessera/${name} "${text}")
endfunction()

file(REMOVE_RECURSE ${FOLDER})
header(a core.hpp)
header(a shape.hpp core.hpp)
header(a unused.hpp core.hpp)
header(b kernel.cuh shape.hpp tile.cuh)
header(b tile.cuh core.hpp kernel.cuh)  # a circle ends
header(b broken.cuh tile.cuh gone.hpp)

tessera_header_closure(headers "${FOLDER}/a;${FOLDER}/b" tessera/${ENTRY})
list(TRANSFORM headers_folders REPLACE "${FOLDER}/" "")
message("headers: '${headers}' in '${headers_folders}'")
