# SPDX-License-Identifier: BSD-3-Clause
# tessera_select_records: which of the shipped tuning records a build embeds.

# Those of the record files FILE... whose names, without folders, match the regular expression.
function(tessera_select_records expression out)
  set(names)
  set(some)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    list(APPEND names ${name})
    if(name MATCHES "${expression}")
      list(APPEND some ${file})
    endif()
  endforeach()
  if(NOT some)
    list(JOIN names ", " names)
    message(FATAL_ERROR "Tessera: TESSERA_SHIPPED_RECORDS: no file's name matches '${expression}': ${names}")
  endif()
  set(${out} ${some} PARENT_SCOPE)
endfunction()
