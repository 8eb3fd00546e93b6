# SPDX-License-Identifier: BSD-3-Clause
# The sources of the tuned kernels and their hash: records that were measured with other kernels have another hash.

# The headers of the tuned kernels of a kind, cpu, gpu, element (of a GPU), matrix (element matrices, on a GPU), general
# (general contractions, on a GPU) or element_run (element kernels of a CPU, with the loop over elements that their tuning is about): those that a row
# includes, and what they include.
function(tessera_kernel_headers tree side out)
  set(headers)
  # The instruction sets that tessera-tune takes: another one changes no kernel that has a record.
  set(isas sse2 avx2 avx512 neon)
  list(TRANSFORM isas REPLACE "(.+)" "tessera/cpu/detail/isa_\\1.hpp")
  if(side STREQUAL "cpu")
    set(waiting tessera/cpu/detail/specialised.hpp ${isas})
  elseif(side STREQUAL "element")
    set(waiting tessera/gpu/detail/element/evaluate.cuh tessera/element/pointwise.hpp)
    set(side gpu)
  elseif(side STREQUAL "matrix")
    file(GLOB waiting RELATIVE ${tree}/gpu/include ${tree}/gpu/include/tessera/gpu/detail/element/*matrices.cuh)
    list(APPEND waiting tessera/gpu/detail/element/assemble.cuh tessera/gpu/detail/tensor_core.cuh)
    set(side gpu)
  elseif(side STREQUAL "general")
    file(GLOB waiting RELATIVE ${tree}/gpu/include ${tree}/gpu/include/tessera/gpu/detail/general/*.cuh)
    list(FILTER waiting EXCLUDE REGEX "/any_")  # compiled ahead, for any tile
    set(side gpu)
  elseif(side STREQUAL "element_run")
    set(waiting tessera/cpu/detail/element/evaluate.hpp tessera/cpu/detail/element/transfer.hpp tessera/element/pointwise.hpp
      ${isas})
    set(side cpu)
    set(headers ${tree}/cpu/element/application.hpp ${tree}/cpu/element/block_loop.hpp
      ${tree}/cpu/element/e_vectors.hpp)
  else()
    set(waiting tessera/gpu/detail/packed.cuh)
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
      # Names of targets, no code.
      if(included STREQUAL "tessera/target.hpp")
        continue()
      endif()
      list(APPEND waiting ${included})
    endforeach()
  endwhile()
  list(SORT headers)
  set(${out} ${headers} PARENT_SCOPE)
endfunction()

# The tokens of a header: without comments, and with blanks only between words.
function(tessera_tokens_of header out)
  file(READ ${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "/[*][^*]*[*]+([^/*][^*]*[*]+)*/" " " text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(REGEX REPLACE " ?([^A-Za-z0-9_ ]) ?" "\\1" text "${text}")
  string(STRIP "${text}" text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# One hash over their names and tokens: records that were measured with other kernels have another one. Comments and
# line breaks do not change it.
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
