# SPDX-License-Identifier: BSD-3-Clause
# Finds libCEED 0.12: TESSERA_CEED_LIBRARY and TESSERA_CEED_INCLUDE; tessera_libceed_missing says why there is none.
set(TESSERA_CEED_DIR "" CACHE PATH "Where libCEED 0.12 is: its prefix, or the folder libceed of its Python wheel")
set(libceed_folders ${TESSERA_CEED_DIR})
if(NOT TESSERA_CEED_DIR)
  # That of `pip install libceed`.
  execute_process(COMMAND python3 -c
    "import importlib.util as u; print(u.find_spec('libceed').submodule_search_locations[0])"
    OUTPUT_VARIABLE libceed_folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(TESSERA_CEED_DIR)  # there and nowhere else, also where another one was found before
  unset(TESSERA_CEED_LIBRARY CACHE)
  unset(TESSERA_CEED_INCLUDE CACHE)
  set(only NO_DEFAULT_PATH)
else()
  set(only)
endif()
find_library(TESSERA_CEED_LIBRARY ceed HINTS ${libceed_folders} PATH_SUFFIXES lib libceed/lib ${only})
find_path(TESSERA_CEED_INCLUDE ceed/backend.h HINTS ${libceed_folders} PATH_SUFFIXES include libceed/include
  ${only})
mark_as_advanced(TESSERA_CEED_LIBRARY TESSERA_CEED_INCLUDE)

set(tessera_libceed_missing)
if(NOT TESSERA_CEED_LIBRARY OR NOT TESSERA_CEED_INCLUDE)
  set(tessera_libceed_missing "libCEED is not found: pip install libceed==0.12.0, or set TESSERA_CEED_DIR")
  return()
endif()
# Later versions differ in who owns what Get functions return. The development branch says 0.12, too, but has no
# collocated bases.
file(STRINGS "${TESSERA_CEED_INCLUDE}/ceed/ceed.h" libceed_lines
  REGEX "define CEED_VERSION_(MAJOR 0|MINOR 12|RELEASE true)$|CeedBasis CEED_BASIS_COLLOCATED;$")
list(LENGTH libceed_lines libceed_found)
if(NOT libceed_found EQUAL 4)
  set(tessera_libceed_missing "${TESSERA_CEED_INCLUDE} is not of libCEED 0.12, for which the adapter is written")
endif()
