# SPDX-License-Identifier: BSD-3-Clause
# tessera_target_isa(TARGET native|ISA): the instruction set of the kernels in a target's own files.
#
# Kernels of contract<> and own_function are compiled where they are called, for the instruction set of the compiler's
# flags: by default the oldest one, SSE2 on x86-64. A file for a newer set runs only on machines that have it.
include(${CMAKE_CURRENT_LIST_DIR}/isa_table.cmake)

# The compiler's flags for an instruction set of Tessera, in the caller's variable `out`.
function(tessera_isa_flags isa out)
  tessera_all_isas(isas)
  if(isa STREQUAL "native" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(flags -mcpu=native)
  elseif(isa STREQUAL "native")
    set(flags -march=native)
  elseif(isa IN_LIST isas)
    tessera_isa_column(${isa} FEATURES flags)
    list(TRANSFORM flags PREPEND -m)
    tessera_isa_column(${isa} FLAGS further)
    list(APPEND flags ${further})
  else()
    list(JOIN isas ", " isas)
    message(FATAL_ERROR "Tessera: '${isa}' is none of the instruction sets native, ${isas}")
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
  tessera_isa_fits_processor("${isa}" fits)
  if(NOT isa STREQUAL "native" AND NOT fits)
    message(FATAL_ERROR "Tessera: ${CMAKE_SYSTEM_PROCESSOR} has no ${isa}, which tessera_target_isa(${target} ...) names")
  endif()
  foreach(flag IN LISTS flags)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${flag}>
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
  endforeach()
endfunction()
