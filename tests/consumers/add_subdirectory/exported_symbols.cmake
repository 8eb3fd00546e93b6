# SPDX-License-Identifier: BSD-3-Clause
# Script: fails where a shared library exports what is not its API: exported_symbols.cmake with NM and LIBRARY.
# By mangled names, which start with the namespace, whatever a template returns.
execute_process(COMMAND ${NM} --dynamic --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" symbols "${symbols}")
set(count 0)
set(faults)
# Called by templates of public headers.
set(needed "all_distinct|meeting|refuse_scaling|refuse_contract|check_launch|require_device|is_device_pointer|available")
foreach(symbol IN LISTS symbols)
  string(REGEX REPLACE "^[^ ]* [A-Za-z] " "" symbol "${symbol}")
  math(EXPR count "${count} + 1")
  if(symbol MATCHES "^(_ZNK?7tessera(3fem)?(6detail|6device|4simd)|_ZNK?St|_ZNK?5xsimd|cuda[A-Z])" AND
     NOT symbol MATCHES "^_ZN7tessera6(detail|device)[0-9]+(${needed})")
    list(APPEND faults ${symbol})
  endif()
endforeach()
if(faults OR count LESS 20)
  list(JOIN faults "\n" faults)
  message(FATAL_ERROR "${LIBRARY} exports ${count} symbols, among them what is not its API:\n${faults}")
endif()
message("${count} symbols, all of the API")
