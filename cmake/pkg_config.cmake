# SPDX-License-Identifier: BSD-3-Clause
# tessera.pc and tessera-fem.pc: flags for compilers that CMake does not call.

# The other libraries of a program that links libtessera.a.
include(${PROJECT_SOURCE_DIR}/cmake/openmp_link_flags.cmake)
tessera_openmp_link_flags(needs)
# The CMake package lets the user's compiler link its own run time, unless another one is needed.
set(TESSERA_OPENMP_RUN_TIME ${needs})
list(FILTER TESSERA_OPENMP_RUN_TIME EXCLUDE REGEX "^-")
list(APPEND needs -lpthread)
list(TRANSFORM TESSERA_CXX_RUN_TIME PREPEND -l OUTPUT_VARIABLE run_time)
foreach(library IN LISTS CMAKE_DL_LIBS)
  list(APPEND needs -l${library})
endforeach()
if(TESSERA_HAS_CUDA)
  list(APPEND needs -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt)
endif()
list(JOIN needs " " needs)
list(JOIN run_time " " run_time)
string(APPEND needs " ${run_time}")

# Without a shared library, --libs must also work without --static.
set(TESSERA_PC_LIBS)
set(TESSERA_PC_LIBS_PRIVATE)
if(BUILD_SHARED_LIBS)
  set(TESSERA_PC_LIBS_PRIVATE "${needs}")
else()
  set(TESSERA_PC_LIBS " ${needs}")
endif()

set(TESSERA_PC_CFLAGS)
set(system_folders ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES} ${CMAKE_SYSTEM_INCLUDE_PATH} /usr/include)
if(TESSERA_XSIMD_HEADERS AND NOT TESSERA_XSIMD_HEADERS IN_LIST system_folders)
  set(TESSERA_PC_CFLAGS " -I${TESSERA_XSIMD_HEADERS}")
endif()

# Relative, so that the installed tree can move.
file(RELATIVE_PATH TESSERA_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" TESSERA_PC_PREFIX "${TESSERA_PC_PREFIX}")
foreach(folder IN ITEMS INCLUDEDIR LIBDIR)
  set(TESSERA_PC_${folder} "${CMAKE_INSTALL_${folder}}")
  if(NOT IS_ABSOLUTE "${TESSERA_PC_${folder}}")
    string(PREPEND TESSERA_PC_${folder} "\${prefix}/")
  endif()
endforeach()
foreach(name IN ITEMS tessera tessera-fem)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
