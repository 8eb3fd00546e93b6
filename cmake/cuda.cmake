# SPDX-License-Identifier: BSD-3-Clause
# Finds a CUDA compiler according to TESSERA_CUDA and sets TESSERA_HAS_CUDA. AUTO uses one that works with this C++
# compiler and is new enough; otherwise it prints why there is no GPU backend.
set(TESSERA_HAS_CUDA OFF)
set(tessera_oldest_cuda 13.0)
set(tessera_no_cuda "no CUDA compiler")
if(NOT TESSERA_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TESSERA_CUDA=${TESSERA_CUDA} is none of AUTO, ON and OFF")
endif()
if(NOT TESSERA_CUDA STREQUAL "OFF" AND NOT CMAKE_CROSSCOMPILING)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(TESSERA_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
    mark_as_advanced(TESSERA_NVCC)
    if(TESSERA_NVCC)
      set(ENV{CUDACXX} "${TESSERA_NVCC}")  # what check_language tries
      set(tessera_no_cuda "${TESSERA_NVCC} does not work here, see CMakeFiles in the build folder")
    endif()
  endif()

  # By default the architecture of this machine's GPU; else Hopper.
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
    execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" --version OUTPUT_VARIABLE tessera_cuda_version ERROR_QUIET)
    string(REGEX REPLACE ".*release ([0-9]+\\.[0-9]+).*" "\\1" tessera_cuda_version "${tessera_cuda_version}")
    if(NOT tessera_cuda_version VERSION_LESS tessera_oldest_cuda)
      set(TESSERA_HAS_CUDA ON)
    elseif(TESSERA_CUDA STREQUAL "ON")
      message(WARNING "Tessera: CUDA ${tessera_cuda_version} is older than ${tessera_oldest_cuda} and was never tested")
      set(TESSERA_HAS_CUDA ON)
    else()
      set(tessera_no_cuda "${CMAKE_CUDA_COMPILER} is of CUDA ${tessera_cuda_version}, needed is ${tessera_oldest_cuda}")
    endif()
  elseif(TESSERA_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TESSERA_CUDA=ON, but: ${tessera_no_cuda}; CMAKE_CUDA_COMPILER names another")
  endif()
else()
  set(tessera_no_cuda "none was asked for")
endif()
if(TESSERA_HAS_CUDA)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED GLOBAL)
  message(STATUS "Tessera: GPU backend for CUDA architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "Tessera: no GPU backend (TESSERA_CUDA=${TESSERA_CUDA}: ${tessera_no_cuda})")
endif()

# Flags that the public headers need in any .cu file: CMake 3.25 drops the C++20 request for recent nvcc.
function(tessera_set_up_cuda_users target)
  target_compile_options(${target} PUBLIC
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
endfunction()
