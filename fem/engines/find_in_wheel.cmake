# SPDX-License-Identifier: BSD-3-Clause
# Finds an engine that people install by pip or as a C library, in its prefix or in its Python wheel.

# tessera_find_in_wheel(NAME PACKAGE LIBRARY HEADER FOLDER): TESSERA_<NAME>_LIBRARY and TESSERA_<NAME>_INCLUDE, where
# TESSERA_<NAME>_DIR says, else anywhere, the wheel of python3 first. FOLDER: below the package, where both are.
function(tessera_find_in_wheel name package library header folder)
  set(folders ${TESSERA_${name}_DIR})
  set(only)
  if(TESSERA_${name}_DIR)  # there and nowhere else, also where another one was found before
    unset(TESSERA_${name}_LIBRARY CACHE)
    unset(TESSERA_${name}_INCLUDE CACHE)
    set(only NO_DEFAULT_PATH)
  else()
    execute_process(COMMAND python3 -c
      "import importlib.util as u; print(u.find_spec('${package}').submodule_search_locations[0])"
      OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_library(TESSERA_${name}_LIBRARY ${library} HINTS ${folders} PATH_SUFFIXES lib ${folder}/lib ${only})
  find_path(TESSERA_${name}_INCLUDE ${header} HINTS ${folders} PATH_SUFFIXES include ${folder}/include ${only})
  mark_as_advanced(TESSERA_${name}_LIBRARY TESSERA_${name}_INCLUDE)
endfunction()

# tessera_why_not_found(NAME LIBRARY HEADER ADVICE RESULT): a sentence; empty where both were found.
function(tessera_why_not_found name library header advice result)
  set(why)
  if(NOT TESSERA_${name}_LIBRARY OR NOT TESSERA_${name}_INCLUDE)
    set(why "${advice}, or set TESSERA_${name}_DIR")
    if(TESSERA_${name}_DIR)
      set(why "TESSERA_${name}_DIR=${TESSERA_${name}_DIR} has no lib/lib${library}.so or no include/${header}")
    endif()
  endif()
  set(${result} "${why}" PARENT_SCOPE)
endfunction()
