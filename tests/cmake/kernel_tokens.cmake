# SPDX-License-Identifier: BSD-3-Clause
# Script: what comments and line ends change of a kernel's hash, and what its code does: kernel_tokens.cmake with FOLDER.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/kernel_hashes.cmake)

function(expect text wanted)
  file(WRITE ${FOLDER}/kernel.hpp "${text}")
  tessera_tokens_of(${FOLDER}/kernel.hpp tokens)
  if(NOT tokens STREQUAL wanted)
    message(FATAL_ERROR "the tokens of '${text}' are '${tokens}', not '${wanted}'")
  endif()
endfunction()

set(code "template<int n>int f(int x){return x/n;}")
expect("template <int n>  // any\nint f(int x) {\n\treturn x / n; /* a * b ** c */\n}\n" "${code}")
expect("/// What for.\n/* a\n * b; */ template <int n>\nint f(\n    int x) { return x / n; }" "${code}")
expect("unsigned  int\nx[] = {1, 2};" "unsigned int x[]={1,2};")
expect("int a; int b;" "int a;int b;")
expect("" "")
# Other code, another hash.
foreach(text IN ITEMS "int a = 1;" "int a = 2;")
  file(WRITE ${FOLDER}/tree/gpu/include/tessera/gpu/detail/packed.cuh "${text}  // ${text}\n")
  tessera_kernel_hash(${FOLDER}/tree gpu hash)
  list(APPEND hashes ${hash})
endforeach()
list(REMOVE_DUPLICATES hashes)
list(LENGTH hashes count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "other code has the same hash: ${hashes}")
endif()
