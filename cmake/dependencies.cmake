# SPDX-License-Identifier: BSD-3-Clause
# Finds xsimd and OpenMP, and Catch2, CLI11 and nlohmann-json where a part that needs them is built.

# tessera_find_headers(PACKAGE TARGET HEADER): an imported library, and <PACKAGE>_VERSION where the package says it. A
# cross compiler must not see all of the host's include directory, so there the one directory of headers is linked into
# a folder of the build tree.
function(tessera_find_headers package target header)
  if(NOT CMAKE_CROSSCOMPILING)
    find_package(${package} CONFIG REQUIRED GLOBAL)
    return(PROPAGATE ${package}_VERSION)
  endif()
  find_path(TESSERA_${package}_HEADERS ${header} PATHS /usr/include /usr/local/include
    NO_CMAKE_FIND_ROOT_PATH NO_DEFAULT_PATH REQUIRED)
  mark_as_advanced(TESSERA_${package}_HEADERS)
  cmake_path(GET header PARENT_PATH folder)
  set(private "${PROJECT_BINARY_DIR}/host_headers/${package}")
  file(MAKE_DIRECTORY "${private}")
  file(CREATE_LINK "${TESSERA_${package}_HEADERS}/${folder}" "${private}/${folder}" SYMBOLIC)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${private}")
endfunction()

set(tessera_missing)
if(CMAKE_CROSSCOMPILING)
  tessera_find_headers(xsimd tessera::xsimd xsimd/xsimd.hpp)
else()
  include(cmake/xsimd.cmake)
endif()
include(cmake/openmp.cmake)
if(tessera_missing)
  list(JOIN tessera_missing "\nand " tessera_missing)
  message(FATAL_ERROR "Tessera needs ${tessera_missing}")
endif()
find_package(Threads REQUIRED)

if(TESSERA_TESTS)
  tessera_find_headers(Catch2 Catch2::Catch2 catch2/catch.hpp)
endif()
if(TESSERA_BENCH OR TESSERA_TUNE OR TESSERA_EXAMPLES)
  tessera_find_headers(CLI11 CLI11::CLI11 CLI/CLI.hpp)
  tessera_find_headers(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json.hpp)
endif()
