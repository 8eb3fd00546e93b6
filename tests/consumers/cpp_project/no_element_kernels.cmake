# SPDX-License-Identifier: BSD-3-Clause
# Script: fails where PROGRAM, by NM, carries element kernels, of which it uses none; a static library is 10 MB of them.
# KIND is that of the library: a shared one is never a part of the program.
if(KIND STREQUAL "SHARED_LIBRARY")
  message("skipped: Tessera is a shared library")
  return()
endif()
execute_process(COMMAND ${NM} --defined-only ${PROGRAM} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES "compiled_element_(kernels|rows|parts)")
  message(FATAL_ERROR "${PROGRAM} carries element kernels")
endif()
if(NOT symbols MATCHES " main\n")
  message(FATAL_ERROR "${PROGRAM} has no symbols to look at")
endif()
