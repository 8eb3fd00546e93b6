# SPDX-License-Identifier: BSD-3-Clause
# tessera_select_records: which of the shipped tuning records a build embeds.

# Those of the record files FILE... whose names contain the regular expression.
function(tessera_select_records expression out)
  set(some ${ARGN})
  list(FILTER some INCLUDE REGEX "/[^/]*(${expression})[^/]*$")
  if(NOT some)
    list(TRANSFORM ARGN REPLACE "^.*/" "" OUTPUT_VARIABLE names)
    list(JOIN names ", " names)
    message(FATAL_ERROR "Tessera: TESSERA_SHIPPED_RECORDS: no file's name contains '${expression}': ${names}")
  endif()
  set(${out} ${some} PARENT_SCOPE)
endfunction()
