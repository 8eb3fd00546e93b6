# SPDX-License-Identifier: BSD-3-Clause
# tessera_add_tests: a Catch2 executable whose test cases become ctests. Catch2's own discovery script; that of the host
# for a cross compiler, since only its text is used.
if(CMAKE_CROSSCOMPILING)
  find_path(TESSERA_CATCH_DIR Catch.cmake PATHS /usr/lib/cmake/Catch2 /usr/share/cmake/Catch2 REQUIRED
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(TESSERA_CATCH_DIR)
  list(APPEND CMAKE_MODULE_PATH ${TESSERA_CATCH_DIR})
else()
  list(APPEND CMAKE_MODULE_PATH ${Catch2_DIR})
endif()
include(Catch)

# Tests call the optimised library; they themselves are compiled quickly. At -O1 g++ 12 to 14 report reads and writes
# beyond the ends of their own std::string and std::vector, which never happen.
function(tessera_set_up_test target)
  tessera_set_up_target(${target})
  target_link_libraries(${target} PRIVATE tessera_fewer_checks)
  target_compile_options(${target} PRIVATE ${TESSERA_QUICKLY}
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overread -Wno-stringop-overflow -Wno-array-bounds>)
endfunction()

# tessera_add_tests(NAME [KERNELS] [LONG] [TOGETHER] [LIBRARIES lib...] SOURCES file...): label NAME.
# KERNELS: the test files have kernels compiled into them, which are tested with full optimisation.
# TOGETHER: unity builds may compile several of the files as one: their names in anonymous namespaces differ.
# LONG: the executable has test cases tagged [.long], which run as one ctest under `ctest -C Long` only.
function(tessera_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "KERNELS;LONG;TOGETHER" "" "LIBRARIES;SOURCES")
  set(target tessera_${name}_tests)
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE tessera::tessera ${arg_LIBRARIES} tessera_testing)
  if(arg_KERNELS)
    tessera_set_up_target(${target})
    tessera_compile_kernels(${target} ${arg_SOURCES})
  else()
    tessera_set_up_test(${target})
    if(arg_TOGETHER)
      tessera_compile_together(${target})
    endif()
    target_precompile_headers(${target} REUSE_FROM tessera_sanitizer_options)
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${name}: "
    PROPERTIES SKIP_RETURN_CODE 4 TIMEOUT 600 LABELS ${name} ENVIRONMENT OMP_WAIT_POLICY=passive)
  if(arg_LONG)
    add_test(NAME "${name}: long" COMMAND ${target} "[.long]" CONFIGURATIONS Long)
    set_tests_properties("${name}: long" PROPERTIES LABELS long SKIP_RETURN_CODE 4 TIMEOUT 86400)
  endif()
endfunction()

# A ctest that only reports that a test cannot run here, so that it is counted.
function(tessera_add_skipped_test name reason label)
  add_test(NAME "${name}" COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties("${name}" PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: " LABELS "${label}")
endfunction()

# The test cases tagged [sanitize] of a GPU test executable under each tool of compute-sanitizer: `ctest -C Sanitize`.
function(tessera_add_sanitizer_runs name)
  find_program(TESSERA_COMPUTE_SANITIZER compute-sanitizer HINTS ${CUDAToolkit_BIN_DIR})
  mark_as_advanced(TESSERA_COMPUTE_SANITIZER)
  if(NOT TESSERA_COMPUTE_SANITIZER)
    return()
  endif()
  foreach(tool IN ITEMS memcheck racecheck initcheck synccheck)
    add_test(NAME "${name}: ${tool}" CONFIGURATIONS Sanitize
      COMMAND ${TESSERA_COMPUTE_SANITIZER} --tool ${tool} --error-exitcode 99 $<TARGET_FILE:tessera_${name}_tests>
        "[sanitize]")
    set_tests_properties("${name}: ${tool}" PROPERTIES LABELS sanitize SKIP_RETURN_CODE 4 TIMEOUT 3600 RUN_SERIAL ON)
  endforeach()
endfunction()
