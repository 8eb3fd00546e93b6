# SPDX-License-Identifier: BSD-3-Clause
# The instruction sets of this build: TESSERA_CPU_ISAS becomes a list, and TESSERA_FLAGS_<isa> what each is compiled
# with.
foreach(isa IN ITEMS sse2 avx2 avx512 neon)
  tessera_isa_flags(${isa} TESSERA_FLAGS_${isa})
endforeach()
# In addition for all of them. Whole-program tricks would mix instruction sets. A kernel starts a cache line, wherever
# the linker puts it: the speed of short loops depends on how they lie in lines.
set(TESSERA_FLAGS_OF_KERNELS -fno-lto -falign-functions=64)

# Narrow ones first: of those that a machine has, it runs the last.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(TESSERA_KNOWN_ISAS sse2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(TESSERA_KNOWN_ISAS neon)
else()
  message(FATAL_ERROR "Tessera has no SIMD kernels for ${CMAKE_SYSTEM_PROCESSOR}")
endif()

# The widest one of the machine that compiles, by what the compiler would use there.
function(tessera_native_isa out)
  list(GET TESSERA_KNOWN_ISAS 0 widest)
  if(widest STREQUAL "sse2")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
      OUTPUT_VARIABLE macros ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed EQUAL 0 OR CMAKE_CROSSCOMPILING)
      message(FATAL_ERROR "TESSERA_CPU_ISAS=native: ${CMAKE_CXX_COMPILER} does not tell what this machine has")
    endif()
    if(macros MATCHES "__AVX2__" AND macros MATCHES "__FMA__")
      set(widest avx2)
    endif()
    if(macros MATCHES "__AVX512F__" AND macros MATCHES "__AVX512CD__" AND macros MATCHES "__AVX512VL__" AND
        macros MATCHES "__AVX512DQ__" AND macros MATCHES "__AVX512BW__")
      set(widest avx512)
    endif()
  endif()
  set(${out} ${widest} PARENT_SCOPE)
endfunction()

set(wanted ${TESSERA_CPU_ISAS})
if(wanted STREQUAL "all")
  set(wanted ${TESSERA_KNOWN_ISAS})
elseif("native" IN_LIST wanted)
  tessera_native_isa(native)
  list(TRANSFORM wanted REPLACE "^native$" ${native})
endif()
foreach(isa IN LISTS wanted)
  if(NOT isa IN_LIST TESSERA_KNOWN_ISAS)
    list(JOIN TESSERA_KNOWN_ISAS ", " known)
    message(FATAL_ERROR "TESSERA_CPU_ISAS: '${isa}' is not an instruction set of ${CMAKE_SYSTEM_PROCESSOR}; "
      "give all, native, or a list of ${known}")
  endif()
endforeach()
if(NOT wanted)
  message(FATAL_ERROR "TESSERA_CPU_ISAS is empty; give all, native, or a list of instruction sets")
endif()
set(built ${TESSERA_KNOWN_ISAS})
foreach(isa IN LISTS TESSERA_KNOWN_ISAS)
  if(NOT isa IN_LIST wanted)
    list(REMOVE_ITEM built ${isa})
  endif()
endforeach()
set(TESSERA_CPU_ISAS ${built})
list(JOIN TESSERA_CPU_ISAS ", " isas)
list(JOIN TESSERA_TYPES ", " types)
message(STATUS "Tessera: CPU kernels for ${isas} in ${types}, ${TESSERA_ROWS} rows")
