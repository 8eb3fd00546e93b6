# SPDX-License-Identifier: BSD-3-Clause
# Warnings and sanitizers of Tessera's own targets, never of its users.

# Off: missing-field-initializers, which objects to designated initializers; restrict, which g++ 12 reports inside its
# own std::string; maybe-uninitialized under sanitizers, whose checks confuse it.
add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-missing-field-initializers>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TESSERA_WARNINGS_AS_ERRORS}>>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${TESSERA_WARNINGS_AS_ERRORS}>>:--Werror=all-warnings>)

add_library(tessera_sanitizers INTERFACE)
if(TESSERA_SANITIZE)
  target_compile_options(tessera_sanitizers INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_compile_options(tessera_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(tessera_sanitizers INTERFACE -fsanitize=${TESSERA_SANITIZE})
endif()

# For files of kernels: g++ collects its garbage less often, which saves a sixth of the time for up to 1 GB; same code.
set(TESSERA_KERNEL_MEMORY)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(TESSERA_KERNEL_MEMORY --param=ggc-min-heapsize=1000000)
endif()

# For files of kernels, of which g++ makes hundreds of inlined functions: two minutes a file if the stack and every
# pointer are watched, 20 s so. What they read and write is still watched, as are indices, shifts and overflow.
set(TESSERA_KERNEL_SANITIZERS)
if(TESSERA_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(TESSERA_SANITIZE MATCHES "address")
    list(APPEND TESSERA_KERNEL_SANITIZERS --param=asan-stack=0)
  endif()
  list(APPEND TESSERA_KERNEL_SANITIZERS -fno-sanitize=null,alignment,object-size,pointer-overflow)
endif()

# tessera_compile_quickly(TARGET FILE...): files of the caller's folder that only read and write text, by headers that
# take g++ seconds to optimise.
function(tessera_compile_quickly target)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS -O1)
endfunction()

# Every own target passes through here: the language level, the warnings, the sanitizers.
function(tessera_set_up_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tessera_warnings>
      PUBLIC $<BUILD_INTERFACE:tessera_sanitizers>)
  else()
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_link_libraries(${target} PRIVATE tessera_warnings tessera_sanitizers)
  endif()
endfunction()
