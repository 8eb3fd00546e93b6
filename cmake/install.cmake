# SPDX-License-Identifier: BSD-3-Clause
# Install rules, and the files that find an installed Tessera: the CMake package and pkg-config files.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(TARGETS tessera tessera_fem EXPORT tesseraTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(component IN ITEMS include cpu/include gpu/include fem/include)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${component}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.cuh")
endforeach()
install(DIRECTORY ${TESSERA_GENERATED}/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir})

# Programs if they were built: every command of ./run builds the libraries, but only the programs that it needs.
# tessera-tune-worker is installed beside tessera-tune, which finds it and the installed headers relative to its own
# path.
set(library_folder ${CMAKE_INSTALL_LIBDIR})
if(NOT IS_ABSOLUTE "${library_folder}")
  set(library_folder "$ORIGIN/../${library_folder}")
endif()
foreach(program IN ITEMS tessera_info tessera_tune tessera_tune_worker)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "${library_folder}")
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
  endif()
endforeach()

# The script that draws tessera-tune's reports, only if the program was built: OPTIONAL would only check the script.
if(TARGET tessera_tune)
  install(CODE "
    if(EXISTS \"$<TARGET_FILE:tessera_tune>\")
      set(folder \"${CMAKE_INSTALL_DATADIR}/tessera\")
      cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
      file(INSTALL \"${PROJECT_SOURCE_DIR}/autotune/command/plot_report.py\" DESTINATION \"\${folder}\")
    endif()")
endif()

# The C++ run time, for linkers that are not a C++ compiler's.
set(TESSERA_CXX_RUN_TIME ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER TESSERA_CXX_RUN_TIME INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|m)$")
list(REMOVE_DUPLICATES TESSERA_CXX_RUN_TIME)
include(${PROJECT_SOURCE_DIR}/cmake/pkg_config.cmake)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tesseraConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/isa_table.cmake ${PROJECT_SOURCE_DIR}/cmake/openmp.cmake
  ${PROJECT_SOURCE_DIR}/cmake/target_isa.cmake ${PROJECT_SOURCE_DIR}/cmake/xsimd.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/tessera)
