# SPDX-License-Identifier: BSD-3-Clause
# Finds OpenMP as tessera::openmp, for the build and for the installed package, by a language that the project has; if
# it is missing, tessera_missing names it.
#
# Tessera's headers have no OpenMP directives: users only link its run time, which a C compiler finds as well, for any
# compiler: tessera_openmp_run_time has the libraries of a run time that other compilers do not link by themselves.
foreach(tessera_library IN LISTS tessera_openmp_run_time)
  if(NOT EXISTS "${tessera_library}")
    set(tessera_openmp_run_time)  # built elsewhere: that of the user's compiler then
  endif()
endforeach()
unset(tessera_library)
if(NOT TARGET tessera::openmp AND tessera_openmp_run_time)
  add_library(tessera::openmp INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tessera::openmp INTERFACE ${tessera_openmp_run_time})
elseif(NOT TARGET tessera::openmp)
  if(CMAKE_CXX_COMPILER_LOADED)
    set(tessera_language CXX)
  else()
    set(tessera_language C)
  endif()
  set(tessera_quietly)
  if(tessera_FIND_QUIETLY)
    set(tessera_quietly QUIET)
  endif()
  find_package(OpenMP ${tessera_quietly} COMPONENTS ${tessera_language} GLOBAL)
  if(TARGET OpenMP::OpenMP_${tessera_language})
    add_library(tessera::openmp INTERFACE IMPORTED GLOBAL)
    target_link_libraries(tessera::openmp INTERFACE $<LINK_ONLY:OpenMP::OpenMP_${tessera_language}>)
  else()
    list(APPEND tessera_missing
      "OpenMP, which CMake does not find for the language ${tessera_language} (for clang: libomp-dev)")
  endif()
  unset(tessera_language)
  unset(tessera_quietly)
endif()
