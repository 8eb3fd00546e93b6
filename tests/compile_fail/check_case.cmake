# SPDX-License-Identifier: BSD-3-Clause
# Checks one must-not-compile case: fails with every expected diagnostic, compiles without the lines marked `// fails`.
if(SOURCE MATCHES "\\.cu$")
  set(only_check --expt-relaxed-constexpr -ptx -o /dev/null)
else()
  set(only_check -fsyntax-only)
endif()
set(command ${COMPILER} -std=c++20 ${only_check} -I${ROOT}/include -I${ROOT}/cpu/include -I${ROOT}/gpu/include
  -I${ROOT}/fem/include -I${GENERATED} -I${XSIMD})

file(STRINGS ${SOURCE} expectations REGEX "^// expect: ")
if(NOT expectations)
  message(FATAL_ERROR "${SOURCE}: no line '// expect: REGEX'")
endif()

execute_process(COMMAND ${command} ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE diagnostic OUTPUT_QUIET)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but must not")
endif()
foreach(expectation IN LISTS expectations)
  string(REPLACE "// expect: " "" regex "${expectation}")
  if(NOT diagnostic MATCHES "${regex}")
    message(FATAL_ERROR "the diagnostic does not match '${regex}':\n${diagnostic}")
  endif()
endforeach()

# The control: the same file without its failing lines.
file(READ ${SOURCE} text)
string(REGEX REPLACE "[^\n]*// fails\n" "" control "${text}")
if(control STREQUAL text)
  message(FATAL_ERROR "${SOURCE}: no line ends in '// fails'")
endif()
get_filename_component(name ${SOURCE} NAME)
file(WRITE ${SCRATCH}/${name} "${control}")
execute_process(COMMAND ${command} ${SCRATCH}/${name} RESULT_VARIABLE status ERROR_VARIABLE diagnostic OUTPUT_QUIET)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} without its failing lines must compile, but does not:\n${diagnostic}")
endif()
