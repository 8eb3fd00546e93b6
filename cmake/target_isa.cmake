# SPDX-License-Identifier: BSD-3-Clause
# tessera_target_isa(TARGET native|sse2|avx2|avx512|neon): the instruction set of the kernels in a target's own files.
#
# Kernels of contract<> and own_function are compiled where they are called, for the instruction set that the compiler
# is given: by default the oldest one, SSE2 on x86-64. A file for a newer set runs only on machines that have it.

# The compiler's flags for an instruction set of Tessera, in the caller's variable `out`.
function(tessera_isa_flags isa out)
  if(isa STREQUAL "native" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(flags -mcpu=native)
  elseif(isa STREQUAL "native")
    set(flags -march=native)
  elseif(isa STREQUAL "sse2")
    set(flags)  # in every x86-64
  elseif(isa STREQUAL "avx2")
    set(flags -mavx2 -mfma)
  elseif(isa STREQUAL "avx512")
    set(flags -mavx512f -mavx512cd -mavx512vl -mavx512dq -mavx512bw -mfma -mprefer-vector-width=512)
  elseif(isa STREQUAL "neon")
    set(flags)  # in every 64-bit ARM
  else()
    message(FATAL_ERROR "Tessera: '${isa}' is none of the instruction sets native, sse2, avx2, avx512, neon")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

function(tessera_target_isa target isa)
  if(isa STREQUAL "native" AND CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "Tessera: tessera_target_isa(${target} native): a cross compiler does not know the machine that "
      "runs the program; name an instruction set")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "Tessera: tessera_target_isa(${target} ${isa}): there is no target '${target}'")
  endif()
  get_target_property(kind ${target} TYPE)
  get_target_property(alias ${target} ALIASED_TARGET)
  get_target_property(imported ${target} IMPORTED)
  if(alias OR imported OR NOT kind MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "Tessera: tessera_target_isa(${target} ${isa}): '${target}' compiles no files of its own; name "
      "the target that does, not an INTERFACE, ALIAS or IMPORTED one")
  endif()
  tessera_isa_flags("${isa}" flags)
  set(x86 sse2 avx2 avx512)
  set(arm neon)
  if((isa IN_LIST x86 AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
     OR (isa IN_LIST arm AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$"))
    message(FATAL_ERROR "Tessera: ${CMAKE_SYSTEM_PROCESSOR} has no ${isa}, which tessera_target_isa(${target} ...) names")
  endif()
  foreach(flag IN LISTS flags)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${flag}>
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
  endforeach()
endfunction()
