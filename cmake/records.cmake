# SPDX-License-Identifier: BSD-3-Clause
# Embeds tuning records: generates <tessera/embedded_records.hpp> from the shipped files and those of TESSERA_RECORDS.
include(${CMAKE_CURRENT_LIST_DIR}/kernel_hashes.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/embed_program.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/shipped_records.cmake)

set(TESSERA_RECORDS "" CACHE FILEPATH "Tuning records of your own, JSON files: they win over the shipped ones")
set(TESSERA_SHIPPED_RECORDS "${records_by_default}" CACHE STRING
  "Regular expression of the names of shipped record files to embed: fewer make fewer rows and a quicker build")
set(TESSERA_EMBED_RECORDS "" CACHE FILEPATH
  "The program that turns records into headers, where it need not be compiled: src/records/embed_records.cpp")

function(tessera_embed_records)
  tessera_hash_arguments(${PROJECT_SOURCE_DIR} arguments)
  foreach(kind IN ITEMS cpu gpu element element_run matrix general)
    tessera_kernel_headers(${PROJECT_SOURCE_DIR} ${kind} headers)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  endforeach()
  foreach(file IN LISTS TESSERA_RECORDS)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "Tessera: TESSERA_RECORDS names ${file}, which does not exist")
    endif()
    list(APPEND arguments --own ${file})
  endforeach()
  # Data, not sources: record files in the folder need not be listed.
  file(GLOB shipped CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/autotune/records/*.json)
  tessera_select_records("${TESSERA_SHIPPED_RECORDS}" shipped ${shipped})
  foreach(file IN LISTS shipped)
    list(APPEND arguments --shipped ${file})
  endforeach()
  set(program ${TESSERA_EMBED_RECORDS})
  if(NOT program)
    set(compiler "${CMAKE_CXX_COMPILER}")
    set(flags "${CMAKE_CXX_FLAGS}")
    if(CMAKE_CROSSCOMPILING)
      set(compiler)
      set(flags)
    endif()
    tessera_embed_program(${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/host "${compiler}" "${flags}" program)
  endif()
  file(MAKE_DIRECTORY ${TESSERA_GENERATED}/tessera ${TESSERA_GENERATED_PRIVATE})
  execute_process(COMMAND ${program} ${arguments} --public ${TESSERA_GENERATED}/tessera/embedded_records.hpp
      --private ${TESSERA_GENERATED_PRIVATE}/embedded_elements.hpp
      --general-header ${TESSERA_GENERATED_PRIVATE}/embedded_generals.hpp
    RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE wrong OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed EQUAL 0)
    message(FATAL_ERROR "${wrong}")
  endif()
  string(REGEX REPLACE "^gpu_rows=([0-9]+)\n(.*)" "\\1;\\2" said "${said}")
  list(POP_FRONT said rows)
  message(STATUS "${said}")
  set(TESSERA_GPU_RECORDS ${rows} PARENT_SCOPE)
  set(TESSERA_EMBEDDED_FILES ${shipped} PARENT_SCOPE)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/kernel_hashes.hpp.in ${TESSERA_GENERATED_PRIVATE}/kernel_hashes.hpp @ONLY)
  # The inputs and sources of the program.
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/records/*.?pp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TESSERA_RECORDS} ${shipped} ${sources}
    ${PROJECT_SOURCE_DIR}/include/tessera/tuning_records.hpp ${PROJECT_SOURCE_DIR}/include/tessera/detail/axes.hpp
    ${PROJECT_SOURCE_DIR}/include/tessera/detail/tuning.hpp ${PROJECT_SOURCE_DIR}/include/tessera/detail/gpu_tuning.hpp
    ${PROJECT_SOURCE_DIR}/include/tessera/detail/element/element_axes.hpp
    ${PROJECT_SOURCE_DIR}/include/tessera/element/element_run.hpp
    ${PROJECT_SOURCE_DIR}/include/tessera/detail/element/matrix_tuning.hpp
    ${PROJECT_SOURCE_DIR}/include/tessera/detail/general_tile.hpp)
endfunction()

# Headers for users, installed, and for the library's own sources.
set(TESSERA_GENERATED ${PROJECT_BINARY_DIR}/generated/public)
set(TESSERA_GENERATED_PRIVATE ${PROJECT_BINARY_DIR}/generated/private)
tessera_embed_records()
