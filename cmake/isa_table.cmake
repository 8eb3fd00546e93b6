# SPDX-License-Identifier: BSD-3-Clause
# The instruction sets, one row each. All CMake code that handles every instruction set loops over this table. It is
# installed, too.

set_property(GLOBAL PROPERTY tessera_isas)  # reset if a project includes this file twice

# tessera_isa(NAME PROCESSORS REGEX [FEATURES FEATURE...] [FLAGS FLAG...] [PARTS ROWS KERNELS_F32 KERNELS_F64]
#   [SVE_BITS BITS] [BY_NAME] [NO_ELEMENT_ROWS] [UNWATCHED]): adds a row. NAME is an enumerator of tessera::target.
# FEATURES: by their names in GCC and clang on x86-64: each is a flag -m<feature>, a macro __<FEATURE>__ if the
#   compiler may use it, and a run-time check of the processor. None: every such processor has the set.
# FLAGS: further flags of the compiler: for what every processor with these features has. clang 14 has no check of F16C.
# PARTS: with TESSERA_ROWS=full, over how many translation units rows of products, and element kernels of each type, are
#   dealt out, where not one: about 20 seconds and 1 GB each.
# SVE_BITS: ARM's scalable vectors, compiled for this length: only processes that have it run the set.
# BY_NAME: only in builds whose TESSERA_CPU_ISAS lists it, not for `all` and `native`.
# NO_ELEMENT_ROWS: no element kernels of fixed sizes.
# UNWATCHED: without sanitizers (TESSERA_UNWATCHED_OPTIONS).
function(tessera_isa name)
  cmake_parse_arguments(PARSE_ARGV 1 row "BY_NAME;NO_ELEMENT_ROWS;UNWATCHED" "PROCESSORS;SVE_BITS" "FEATURES;FLAGS;PARTS")
  set_property(GLOBAL APPEND PROPERTY tessera_isas ${name})
  foreach(column IN ITEMS BY_NAME NO_ELEMENT_ROWS UNWATCHED PROCESSORS SVE_BITS FEATURES FLAGS PARTS)
    set_property(GLOBAL PROPERTY tessera_isa_${name}_${column} "${row_${column}}")
  endforeach()
endfunction()

set(tessera_x86_64 "^(x86_64|AMD64|amd64)$")
set(tessera_arm_64 "^(aarch64|arm64)$")

# Narrow ones first, as in the enumeration: of those that a machine has, it runs the last.
tessera_isa(sse2 PROCESSORS ${tessera_x86_64}
  NO_ELEMENT_ROWS)  # for machines that have nothing better: not worth their compile time there
tessera_isa(avx2 PROCESSORS ${tessera_x86_64} FEATURES avx2 fma FLAGS -mf16c PARTS 5 3 6)
tessera_isa(avx512 PROCESSORS ${tessera_x86_64} FEATURES avx512f avx512cd avx512vl avx512dq avx512bw
  FLAGS -mfma -mprefer-vector-width=512 PARTS 7 3 7 UNWATCHED)
tessera_isa(neon PROCESSORS ${tessera_arm_64} PARTS 1 3 6)
# Run in emulation only so far: by name.
tessera_isa(sve256 PROCESSORS ${tessera_arm_64} FLAGS -march=armv8.2-a+sve -msve-vector-bits=256 SVE_BITS 256
  PARTS 1 3 6 BY_NAME)
tessera_isa(sve512 PROCESSORS ${tessera_arm_64} FLAGS -march=armv8.2-a+sve -msve-vector-bits=512 SVE_BITS 512
  PARTS 1 3 6 BY_NAME)

# tessera_isa_column(ISA COLUMN OUT): the value in the row; for an option, whether it is present.
function(tessera_isa_column isa column out)
  get_property(value GLOBAL PROPERTY tessera_isa_${isa}_${column})
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# All of them, narrow ones first.
function(tessera_all_isas out)
  get_property(isas GLOBAL PROPERTY tessera_isas)
  set(${out} ${isas} PARENT_SCOPE)
endfunction()

# Whether CMAKE_SYSTEM_PROCESSOR is one of those that may have it.
function(tessera_isa_fits_processor isa out)
  tessera_isa_column(${isa} PROCESSORS processors)
  set(fits false)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "${processors}")
    set(fits true)
  endif()
  set(${out} ${fits} PARENT_SCOPE)
endfunction()

# Whether a compiler that defines these macros, as `-dM -E` prints them, may use it.
function(tessera_isa_is_in_macros isa macros out)
  tessera_isa_column(${isa} FEATURES features)
  set(is_in true)
  foreach(feature IN LISTS features)
    string(TOUPPER "__${feature}__" macro)
    if(NOT macros MATCHES "${macro}")
      set(is_in false)
    endif()
  endforeach()
  set(${out} ${is_in} PARENT_SCOPE)
endfunction()

# In C++, whether the machine that runs the program has it. The query of GCC and clang also checks that the operating
# system saves the wide registers. The length of SVE's vectors is a property of the process.
function(tessera_isa_query isa out)
  tessera_isa_column(${isa} FEATURES query)
  list(TRANSFORM query REPLACE "(.+)" "__builtin_cpu_supports(\"\\1\")")
  list(JOIN query " && " query)
  tessera_isa_column(${isa} SVE_BITS bits)
  if(bits)
    set(query "detail::sve_bits() == ${bits}")
  elseif(NOT query)
    set(query true)
  endif()
  set(${out} "${query}" PARENT_SCOPE)
endfunction()
