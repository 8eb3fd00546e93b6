# SPDX-License-Identifier: BSD-3-Clause
# Finds a serial MFEM 4.10: TESSERA_MFEM_LIBRARY and TESSERA_MFEM_INCLUDE; tessera_mfem_missing says why there is none.
# The target of the wheel's MFEMConfig.cmake names a libz where only some distributions have it.
set(TESSERA_MFEM_DIR "" CACHE PATH "Where MFEM 4.10 is: its prefix, or the folder mfem of its Python wheel")
set(mfem_folders ${TESSERA_MFEM_DIR})
if(NOT TESSERA_MFEM_DIR)
  # That of `pip install mfem`.
  execute_process(COMMAND python3 -c
    "import importlib.util as u; print(u.find_spec('mfem').submodule_search_locations[0])"
    OUTPUT_VARIABLE mfem_folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(TESSERA_MFEM_DIR)  # there and nowhere else, also where another one was found before
  unset(TESSERA_MFEM_LIBRARY CACHE)
  unset(TESSERA_MFEM_INCLUDE CACHE)
  set(only NO_DEFAULT_PATH)
else()
  set(only)
endif()
find_library(TESSERA_MFEM_LIBRARY mfem HINTS ${mfem_folders} PATH_SUFFIXES lib external/ser/lib ${only})
find_path(TESSERA_MFEM_INCLUDE mfem.hpp HINTS ${mfem_folders} PATH_SUFFIXES include external/ser/include
  ${only})
mark_as_advanced(TESSERA_MFEM_LIBRARY TESSERA_MFEM_INCLUDE)

set(tessera_mfem_missing)
if(NOT TESSERA_MFEM_LIBRARY OR NOT TESSERA_MFEM_INCLUDE)
  set(tessera_mfem_missing "MFEM is not found: pip install --no-deps mfem==4.10.0.1, or set TESSERA_MFEM_DIR")
  return()
endif()
set(mfem_lines)
if(EXISTS "${TESSERA_MFEM_INCLUDE}/mfem/config/_config.hpp")
  file(STRINGS "${TESSERA_MFEM_INCLUDE}/mfem/config/_config.hpp" mfem_lines
    REGEX "^#define MFEM_(VERSION [0-9]|USE_MPI|USE_SINGLE)")
endif()
string(REGEX MATCH "MFEM_VERSION ([0-9]+)" ignored "${mfem_lines}")
if(NOT CMAKE_MATCH_1 OR CMAKE_MATCH_1 LESS 41000)
  set(tessera_mfem_missing "${TESSERA_MFEM_INCLUDE} is not of MFEM 4.10 or later")
elseif(mfem_lines MATCHES "USE_(MPI|SINGLE)")
  set(tessera_mfem_missing "${TESSERA_MFEM_INCLUDE} is of an MFEM with MPI or in float; the example is for one without")
endif()
