# SPDX-License-Identifier: BSD-3-Clause
# tessera_openmp_link_flags(OUT): how any compiler links the OpenMP run time that this build's compiler uses.
#
# -fopenmp is the same for g++ and clang, whose run time has the functions of g++'s as well. A library compiled by clang
# needs clang's run time, for which g++ has no flag: then the path of the library.
function(tessera_openmp_link_flags out)
  set(flags ${OpenMP_CXX_FLAGS})
  if(NOT "${flags}" STREQUAL "-fopenmp" OR CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(flags)
    foreach(name IN LISTS OpenMP_CXX_LIB_NAMES)
      if(NOT name STREQUAL "pthread")
        list(APPEND flags ${OpenMP_${name}_LIBRARY})
      endif()
    endforeach()
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()
