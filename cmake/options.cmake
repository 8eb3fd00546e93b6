# SPDX-License-Identifier: BSD-3-Clause
# The options of the build; as a subproject Tessera builds its libraries only.
if(PROJECT_IS_TOP_LEVEL)  # otherwise the enclosing project decides
  option(BUILD_SHARED_LIBS "Build libtessera and libtessera_fem as shared libraries" OFF)
endif()
# Static libraries, too, are linked into shared libraries and Python modules.
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

# Tests call functions that shared libraries do not export. Those libraries are tested from outside, by tests/consumers.
set(tests_by_default ${PROJECT_IS_TOP_LEVEL})
if(BUILD_SHARED_LIBS)
  set(tests_by_default OFF)
endif()
option(TESSERA_TESTS "Build the tests, with static libraries only" ${tests_by_default})
if(TESSERA_TESTS AND BUILD_SHARED_LIBS)
  message(FATAL_ERROR "Tessera: TESSERA_TESTS=ON with BUILD_SHARED_LIBS=ON: the tests call internal functions, which "
    "shared libraries do not export; set one of the two to OFF")
endif()
option(TESSERA_BENCH "Build tessera-bench" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_DEALII "Look for deal.II, a peer of tessera-bench's suites element and operator" OFF)
option(TESSERA_TUNE "Build tessera-tune" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_INFO "Build tessera-info" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_EXAMPLES "Build the examples and the demo" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_INSTALL "Create install rules" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_PYTHON "Build the Python package tessera_fem, for which Python needs nanobind" OFF)
option(TESSERA_WARNINGS_AS_ERRORS "Fail on warnings in Tessera's own sources" OFF)

set(TESSERA_CPU_ISAS all CACHE STRING
  "Instruction sets to compile CPU kernels for: all, native (the best of this machine), or a list: sse2;avx2")

set(TESSERA_TYPES f32 f64 CACHE STRING "Types to compile CPU kernels for: f32;f64, or one of them")
list(REMOVE_DUPLICATES TESSERA_TYPES)
foreach(type IN LISTS TESSERA_TYPES)
  if(NOT type MATCHES "^f(32|64)$")
    message(FATAL_ERROR "TESSERA_TYPES is a list of f32 and f64, not '${TESSERA_TYPES}'")
  endif()
endforeach()
if(NOT TESSERA_TYPES)
  message(FATAL_ERROR "TESSERA_TYPES is empty; give f32, f64 or both")
endif()

set(TESSERA_ROWS full CACHE STRING
  "Kernel rows to compile: full (what is shipped), smoke (a few of each kind), demo (what the demo runs) or wheel (what \
the Python package has)")
set_property(CACHE TESSERA_ROWS PROPERTY STRINGS full smoke demo wheel)
if(NOT TESSERA_ROWS MATCHES "^(full|smoke|demo|wheel)$")
  message(FATAL_ERROR "TESSERA_ROWS must be full, smoke, demo or wheel, not '${TESSERA_ROWS}'")
endif()

set(TESSERA_GPU_ROWS "" CACHE STRING "The same for the GPU backend alone; as TESSERA_ROWS where empty")
set_property(CACHE TESSERA_GPU_ROWS PROPERTY STRINGS "" full smoke)
if(NOT TESSERA_GPU_ROWS MATCHES "^(full|smoke|)$")
  message(FATAL_ERROR "TESSERA_GPU_ROWS must be full, smoke or empty, not '${TESSERA_GPU_ROWS}'")
endif()

# A wheel has rows of one CPU's records for each instruction set, and of the GPU's kernels those that NVRTC does not
# compile for the GPU that is found.
set(records_by_default ".*")
if(TESSERA_ROWS STREQUAL "wheel")
  set(records_by_default "family_25_model_1-avx2|family_25_model_17-avx512|nvidia")
  if(NOT TESSERA_GPU_ROWS)
    set(TESSERA_GPU_ROWS smoke)
  endif()
endif()

set(engines_by_default OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(engines_by_default AUTO)
endif()
set(TESSERA_ENGINES ${engines_by_default} CACHE STRING
  "Finite element engines to build adapters to: AUTO (those found), OFF, or those that must be: ceed;dealii;mfem;petsc")

set(TESSERA_ELEMENT_ROWS "" CACHE STRING
  "Sizes of element operators to compile CPU kernels for, beside the shipped ones: diffusion:3:d=10:q=11;...")

set(TESSERA_CUDA AUTO CACHE STRING "Build the GPU backend: AUTO (where a CUDA compiler is found), ON or OFF")
set_property(CACHE TESSERA_CUDA PROPERTY STRINGS AUTO ON OFF)

option(TESSERA_TOOLS_TOGETHER "Unity builds of tests and tools, for a quicker build; always with CMAKE_UNITY_BUILD" OFF)

set(TESSERA_LARGEST_PEER 32 CACHE STRING "Largest n of the squares that tessera-bench compiles peers for, 4 to 32")

set(TESSERA_SANITIZE "" CACHE STRING "Sanitizers for every target, for example address,undefined")

option(TESSERA_TEST_DEVICE_CODE "Test the code of GPU element kernels as compiled for this machine: minutes" ON)
option(TESSERA_FUZZ "Build the programs of tests/fuzz as fuzzers, by clang; otherwise they replay their corpus" OFF)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
