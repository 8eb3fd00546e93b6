# SPDX-License-Identifier: BSD-3-Clause
# Finds libCEED 0.12.0 or its development branch: TESSERA_CEED_LIBRARY, TESSERA_CEED_INCLUDE and TESSERA_CEED_VERSION;
# tessera_libceed_missing says why there is none.
set(TESSERA_CEED_DIR "" CACHE PATH "Where libCEED is: its prefix, its build, or the folder libceed of its Python wheel")
tessera_find_in_wheel(CEED libceed ceed ceed/backend.h libceed)

tessera_why_not_found(CEED ceed ceed/backend.h "libCEED is not found: pip install libceed==0.12.0"
  tessera_libceed_missing)
if(tessera_libceed_missing)
  return()
endif()
file(STRINGS "${TESSERA_CEED_INCLUDE}/ceed/types.h" libceed_is_float REGEX "include .*ceed-f32.h")
if(libceed_is_float)
  set(tessera_libceed_missing "the scalars of ${TESSERA_CEED_INCLUDE} are float")
  return()
endif()
# Both versions say 0.12. They differ in who owns what Get functions return, and in names. Commits between the two are
# not supported.
set(TESSERA_CEED_VERSION)
file(STRINGS "${TESSERA_CEED_INCLUDE}/ceed/ceed.h" libceed_lines REGEX
  "define CEED_VERSION_(MAJOR [0-9]+|MINOR [0-9]+|RELEASE (true|false))$|CEED_BASIS_COLLOCATED;$|CeedOperatorCreateComposite")
string(JOIN "|" libceed_lines ${libceed_lines})
if(libceed_lines MATCHES "MAJOR 0[|].*MINOR 12[|].*RELEASE true.*CEED_BASIS_COLLOCATED")
  set(TESSERA_CEED_VERSION "0.12.0")
elseif(libceed_lines MATCHES "MAJOR 0[|].*MINOR 12[|].*RELEASE false.*CeedOperatorCreateComposite"
    AND NOT libceed_lines MATCHES "CEED_BASIS_COLLOCATED")
  set(TESSERA_CEED_VERSION "development")
else()
  string(REGEX MATCHALL "(MAJOR|MINOR|RELEASE) [a-z0-9]+" libceed_found "${libceed_lines}")
  string(JOIN ", " libceed_found ${libceed_found})
  set(tessera_libceed_missing "${TESSERA_CEED_INCLUDE} (${libceed_found}) is neither of libCEED 0.12.0 nor of a \
development branch that the adapter is written for")
endif()
