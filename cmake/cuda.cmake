# SPDX-License-Identifier: BSD-3-Clause
# Finds a CUDA compiler as TESSERA_CUDA asks and sets TESSERA_HAS_CUDA.
set(TESSERA_HAS_CUDA OFF)
if(NOT TESSERA_CUDA STREQUAL "OFF" AND NOT CMAKE_CROSSCOMPILING)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(TESSERA_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
    mark_as_advanced(TESSERA_NVCC)
    if(TESSERA_NVCC)
      set(CMAKE_CUDA_COMPILER "${TESSERA_NVCC}")
    endif()
  endif()

  # Where nobody chose: the GPU of this machine; else Hopper.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 90)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE failed)
    if("${failed}" STREQUAL "0" AND capabilities MATCHES "^([0-9]+)\\.([0-9]+)")
      set(CMAKE_CUDA_ARCHITECTURES "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}" CACHE STRING "CUDA architectures to compile for")
  endif()

  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED GLOBAL)
    set(TESSERA_HAS_CUDA ON)
  elseif(TESSERA_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TESSERA_CUDA=ON, but no CUDA compiler was found; set CMAKE_CUDA_COMPILER")
  endif()
endif()
if(TESSERA_HAS_CUDA)
  message(STATUS "Tessera: GPU backend for CUDA architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "Tessera: no GPU backend (TESSERA_CUDA=${TESSERA_CUDA}, no CUDA compiler in use)")
endif()

# Flags that the public headers need in any .cu file: CMake 3.25 drops the C++20 request for recent nvcc.
function(tessera_set_up_cuda_users target)
  target_compile_options(${target} PUBLIC
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
endfunction()
