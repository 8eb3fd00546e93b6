# SPDX-License-Identifier: BSD-3-Clause
# Finds libCEED 0.12.0 or its development branch: TESSERA_CEED_LIBRARY, TESSERA_CEED_INCLUDE and TESSERA_CEED_VERSION;
# tessera_libceed_missing says why there is none.
set(TESSERA_CEED_DIR "" CACHE PATH "Where libCEED is: its prefix, its build, or the folder libceed of its Python wheel")
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
# Both versions say 0.12. They differ in who owns what Get functions return, and in names: what lies between them in the
# history is neither of them.
set(TESSERA_CEED_VERSION)
file(STRINGS "${TESSERA_CEED_INCLUDE}/ceed/ceed.h" libceed_lines REGEX
  "define CEED_VERSION_(MAJOR 0|MINOR 12|RELEASE (true|false))$|CEED_BASIS_COLLOCATED;$|CeedOperatorCreateComposite")
string(JOIN "|" libceed_lines ${libceed_lines})
if(libceed_lines MATCHES "MAJOR 0.*MINOR 12.*RELEASE true.*CEED_BASIS_COLLOCATED")
  set(TESSERA_CEED_VERSION "0.12.0")
elseif(libceed_lines MATCHES "MAJOR 0.*MINOR 12.*RELEASE false.*CeedOperatorCreateComposite"
    AND NOT libceed_lines MATCHES "CEED_BASIS_COLLOCATED")
  set(TESSERA_CEED_VERSION "development")
else()
  set(tessera_libceed_missing
    "${TESSERA_CEED_INCLUDE} is neither of libCEED 0.12.0 nor of a development branch that the adapter is written for")
endif()
