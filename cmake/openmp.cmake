# SPDX-License-Identifier: BSD-3-Clause
# Finds OpenMP as tessera::openmp, for the build and for the installed package, by a language that the project has.
#
# Tessera's headers hold no OpenMP: users only link its run time, which a C compiler finds as well.
if(NOT TARGET tessera::openmp)
  if(CMAKE_CXX_COMPILER_LOADED)
    set(tessera_language CXX)
  else()
    set(tessera_language C)
  endif()
  find_package(OpenMP REQUIRED COMPONENTS ${tessera_language} GLOBAL)
  add_library(tessera::openmp INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tessera::openmp INTERFACE OpenMP::OpenMP_${tessera_language})
  unset(tessera_language)
endif()
