# SPDX-License-Identifier: BSD-3-Clause
# Warnings and sanitizers for Tessera's own targets, never for its users.

# Off: missing-field-initializers, which warns about designated initializers; restrict, which g++ 12 reports inside its
# own std::string; sign-conversion and missing-braces, which of the two only clang has in -Wconversion and -Wall;
# deprecated-declarations, which clang 19 reports inside the std::stable_sort of libstdc++ 12; maybe-uninitialized under
# sanitizers, whose checks confuse g++; shadow in unity builds, in which files see each other's names.
add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wno-missing-field-initializers>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>>:-Wshadow>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion -Wno-missing-braces -Wno-deprecated-declarations>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TESSERA_WARNINGS_AS_ERRORS}>>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${TESSERA_WARNINGS_AS_ERRORS}>>:--Werror=all-warnings>)

add_library(tessera_sanitizers INTERFACE)
if(TESSERA_SANITIZE)
  target_compile_options(tessera_sanitizers INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_compile_options(tessera_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(tessera_sanitizers INTERFACE -fsanitize=${TESSERA_SANITIZE})
endif()

# Fuzzers are guided by the branches that an input takes. Not kernels: they branch on sizes only, and compile slowly
# already.
set(TESSERA_UNTRACED)
if(TESSERA_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "Tessera: TESSERA_FUZZ=ON needs clang, whose libFuzzer it links; this is "
      "${CMAKE_CXX_COMPILER}. With TESSERA_FUZZ=OFF the tests still replay the corpus of tests/fuzz")
  endif()
  if(NOT TESSERA_SANITIZE MATCHES "address")
    message(FATAL_ERROR "Tessera: TESSERA_FUZZ=ON needs TESSERA_SANITIZE=address,undefined, without which fuzzers see "
      "little; it is '${TESSERA_SANITIZE}'")
  endif()
  set(TESSERA_UNTRACED -fno-sanitize=fuzzer-no-link)
endif()

# tessera_trace_for_fuzzers(TARGET): if the build has fuzzers.
function(tessera_trace_for_fuzzers target)
  if(TESSERA_FUZZ)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
endfunction()

# For kernels and tests: without the checks of all pointers, which take a quarter of clang 14's time, and of the types
# of called functions, for which it writes all their names: 17 of 28 s for a file with one contract<>. Reads and writes
# are still checked, and so are indices, shifts and overflow.
set(TESSERA_FEWER_CHECKS)
if(TESSERA_SANITIZE)
  set(TESSERA_FEWER_CHECKS -fno-sanitize=null,alignment,object-size,pointer-overflow)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND TESSERA_FEWER_CHECKS -fno-sanitize=function)
  endif()
endif()
# Linked after tessera_sanitizers, so that these options take effect.
add_library(tessera_fewer_checks INTERFACE)
target_compile_options(tessera_fewer_checks INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:${TESSERA_FEWER_CHECKS}>)

# For files of kernels, with deeply nested functions that are always inlined.
set(TESSERA_KERNEL_OPTIONS)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Fewer garbage collections, which save up to a fifth of the time for some hundred MB, up to 1.5 GB where a processor
  # has 8 GB; same code.
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR kilobytes "${megabytes} * 200 / ${processors}")
  if(kilobytes LESS 400000)
    set(kilobytes 400000)
  elseif(kilobytes GREATER 1500000)
    set(kilobytes 1500000)
  endif()
  list(APPEND TESSERA_KERNEL_OPTIONS --param=ggc-min-heapsize=${kilobytes})
  # g++ 12 reports a variable of its own AVX-512 intrinsics.
  list(APPEND TESSERA_KERNEL_OPTIONS -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
if(TESSERA_SANITIZE)
  # With these clang 14 needs 20 s per file, and minutes without optimisation.
  list(APPEND TESSERA_KERNEL_OPTIONS -O1 ${TESSERA_FEWER_CHECKS} ${TESSERA_UNTRACED})
endif()

# In addition for element kernels, which compile faster without optimisation: 16 s per file instead of 48.
set(TESSERA_ELEMENT_KERNEL_OPTIONS)
if(TESSERA_SANITIZE)
  set(TESSERA_ELEMENT_KERNEL_OPTIONS -O0)
endif()

# In addition for instruction sets without sanitizers: AVX-512, for which clang 14 needs four times as long with any: 75
# s per file instead of 18. The templates are those of AVX2, which is checked. Unoptimised code copies vectors by calls
# of memcpy.
set(TESSERA_UNWATCHED_OPTIONS)
if(TESSERA_SANITIZE)
  set(TESSERA_UNWATCHED_OPTIONS -O1 -fno-sanitize=all)
endif()

# tessera_compile_kernels(TARGET FILE...): files of the caller's folder that have kernels compiled into them. With
# options of their own they cannot use headers that were precompiled for others.
function(tessera_compile_kernels target)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${TESSERA_KERNEL_OPTIONS})
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# tessera_optimise_always(TARGET FILE...): files of the caller's folder whose loops take much of the tests' time,
# optimised in a debug build, too.
function(tessera_optimise_always target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()  # files with options of their own could be neither precompiled for nor in a unity build
  endif()
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS -O2)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# For code that need not be fast; a debug build optimises nothing else.
set(TESSERA_QUICKLY $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-O1>)

# tessera_compile_quickly(TARGET FILE...): files of the caller's folder that only read and write text, by headers that
# take g++ seconds to optimise.
function(tessera_compile_quickly target)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${TESSERA_QUICKLY})
endfunction()

# tessera_compile_together(TARGET): several of its files as one, if the build has CMAKE_UNITY_BUILD (for all) or
# TESSERA_TOOLS_TOGETHER (for all but the library); their headers take longer than the files.
function(tessera_compile_together target)
  if(TESSERA_TOOLS_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cu$")  # newer CMake would include these as well
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# tessera_compile_in_groups(TARGET): the same for a library whose users link only what they call: files of element
# operators and chains, of solvers, which need those, and of hydrodynamics are never merged with files that contractions
# need.
function(tessera_compile_in_groups target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(count_element 0)
  set(count_solver 0)
  set(count_hydro 0)
  set(count_other 0)
  foreach(source IN LISTS sources)
    set(kind other)
    string(REPLACE "${PROJECT_SOURCE_DIR}" "" path "${source}")
    string(REPLACE "${PROJECT_BINARY_DIR}" "" path "${path}")
    # Records of element operators, and the words of record files, are read by contractions, too.
    # A chain may be an element operator, and an item of an executor.
    if(path MATCHES "/element/|/compiled_element_|/chain(_bucket|_element)?.cpp$|/executor.cpp$" AND
        NOT path MATCHES "/(element_records|operator_names|point_shape).cpp$")
      set(kind element)
    elseif(path MATCHES "/solver/")
      set(kind solver)
    elseif(path MATCHES "/hydro/|/compiled_hydro_")
      set(kind hydro)
    endif()
    math(EXPR group "${count_${kind}} / 12")
    math(EXPR count_${kind} "${count_${kind}} + 1")
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${kind}_${group})
  endforeach()
endfunction()

# tessera_compile_apart(TARGET FILE...): files of the caller's folder that are not part of unity builds: their names in
# anonymous namespaces also occur in other files of the target, or they use a whole namespace.
function(tessera_compile_apart target)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# For every own target: the language level, OpenMP's pragmas, the warnings, the sanitizers.
function(tessera_set_up_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  get_target_property(type ${target} TYPE)
  if(type MATCHES "^(STATIC|SHARED)_LIBRARY$")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tessera_warnings> $<BUILD_INTERFACE:OpenMP::OpenMP_CXX>
      PUBLIC $<BUILD_INTERFACE:tessera_sanitizers>)
  else()
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_link_libraries(${target} PRIVATE tessera_warnings tessera_sanitizers OpenMP::OpenMP_CXX)
  endif()
endfunction()

# Also for the two libraries: they are linked into shared libraries and modules of users, or are shared themselves.
# Within one the compiler may assume that functions are not replaced, as in an executable: kernels have the same machine
# code with and without.
function(tessera_set_up_library target)
  set_target_properties(${target} PROPERTIES
    VISIBILITY_INLINES_HIDDEN ON
    DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$ORIGIN")
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  tessera_trace_for_fuzzers(${target})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    set(map ${PROJECT_SOURCE_DIR}/cmake/exported_symbols.map)
    target_link_options(${target} PRIVATE
      -Wl,--version-script=${map} -Wl,--exclude-libs,ALL -Wl,-Bsymbolic-functions
      -Wl,-z,nodelete)  # threads of OpenMP outlive a dlclose
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  endif()
endfunction()
