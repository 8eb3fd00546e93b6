# SPDX-License-Identifier: BSD-3-Clause
# Finds libCEED 0.12.0 or its development branch: TESSERA_CEED_LIBRARY, TESSERA_CEED_INCLUDE and TESSERA_CEED_VERSION;
# tessera_libceed_missing says why there is none.
set(TESSERA_CEED_DIR "" CACHE PATH "Where libCEED is: its prefix, its build, or the folder libceed of its Python wheel")
tessera_find_in_wheel(CEED libceed ceed ceed/backend.h libceed)

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
