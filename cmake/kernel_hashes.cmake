# SPDX-License-Identifier: BSD-3-Clause
# What the tuned kernels are made of, and a hash over it: records that were measured with other kernels have another
# one.

# The headers that the tuned kernels of a kind are made of, cpu, gpu, element (of a GPU) or element_run (element kernels
# of a CPU, with the loop over elements that their tuning is about): those that a row includes, and what they include.
function(tessera_kernel_headers tree side out)
  set(headers)
  if(side STREQUAL "cpu")
    set(waiting tessera/cpu/specialised.hpp tessera/cpu/isa_avx2.hpp tessera/cpu/isa_avx512.hpp
      tessera/cpu/isa_neon.hpp tessera/cpu/isa_sse2.hpp)
  elseif(side STREQUAL "element")
    set(waiting tessera/gpu/element/evaluate.cuh tessera/element/pointwise.hpp)
    set(side gpu)
  elseif(side STREQUAL "element_run")
    set(waiting tessera/cpu/element/evaluate.hpp tessera/cpu/element/transfer.hpp tessera/element/pointwise.hpp
      tessera/cpu/isa_avx2.hpp tessera/cpu/isa_avx512.hpp tessera/cpu/isa_neon.hpp tessera/cpu/isa_sse2.hpp)
    set(side cpu)
    set(headers ${tree}/cpu/element/element_loop.hpp)
  else()
    set(waiting tessera/gpu/packed.cuh)
  endif()
  while(waiting)
    list(POP_FRONT waiting name)
    set(header ${tree}/include/${name})
    if(NOT EXISTS ${header})
      set(header ${tree}/${side}/include/${name})
    endif()
    list(FIND headers ${header} position)
    if(NOT position EQUAL -1 OR NOT EXISTS ${header})
      continue()
    endif()
    list(APPEND headers ${header})
    file(STRINGS ${header} includes REGEX "^#include <tessera/")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include <(.*)>.*" "\\1" included "${line}")
      list(APPEND waiting ${included})
    endforeach()
  endwhile()
  list(SORT headers)
  set(${out} ${headers} PARENT_SCOPE)
endfunction()

# The tokens of a header: no comments, no more blanks than keep words apart.
function(tessera_tokens_of header out)
  file(READ ${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "/[*][^*]*[*]+([^/*][^*]*[*]+)*/" " " text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(REGEX REPLACE " ?([^A-Za-z0-9_ ]) ?" "\\1" text "${text}")
  string(STRIP "${text}" text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# One hash over their names and tokens: records that were measured with other kernels have another one; what a comment
# says, or where a line ends, is nothing to them.
function(tessera_kernel_hash tree side out)
  tessera_kernel_headers(${tree} ${side} headers)
  set(all)
  foreach(header IN LISTS headers)
    tessera_tokens_of(${header} tokens)
    string(SHA256 one "${tokens}")
    file(RELATIVE_PATH name ${tree} ${header})
    string(APPEND all "${name} ${one}\n")
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${out} ${hash} PARENT_SCOPE)
endfunction()
