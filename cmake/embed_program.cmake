# SPDX-License-Identifier: BSD-3-Clause
# The program that turns record files into headers, src/records/embed_records.cpp: compiled for the build machine,
# independent of the library's target, and only if its sources have changed.

# Sets <out> to the program, in `folder`. `compiler` may be empty: then one is searched for.
function(tessera_embed_program tree folder compiler flags out)
  set(sources src/records/embed_records.cpp src/records/tuning_records.cpp src/records/json_reader.cpp
    src/records/record_figures.cpp src/records/general_json.cpp
    src/records/json_members.cpp src/general/record_form.cpp src/element/operator_names.cpp src/element/point_shape.cpp
    src/packed_layouts_text.cpp src/nearest_name.cpp src/whole_file.cpp)
  list(TRANSFORM sources PREPEND ${tree}/)
  if(NOT compiler)
    find_program(TESSERA_HOST_CXX NAMES c++ g++ clang++ NO_CMAKE_FIND_ROOT_PATH
      DOC "A C++20 compiler for the machine that builds, where Tessera is compiled for another")
    set(compiler ${TESSERA_HOST_CXX})
  endif()
  if(NOT compiler)
    message(FATAL_ERROR "Tessera: no C++ compiler for this machine, which has to turn tuning records into headers; name "
      "one with -DTESSERA_HOST_CXX=..., or a program that was built before with -DTESSERA_EMBED_RECORDS=...")
  endif()
  # Its include directories: it may include any header of the library.
  file(GLOB_RECURSE headers ${tree}/include/tessera/*.hpp ${tree}/src/records/*.hpp)
  set(text "${compiler} ${flags}")
  foreach(file IN LISTS sources headers)
    file(SHA256 ${file} hash)
    string(APPEND text " ${hash}")
  endforeach()
  string(SHA256 made_of "${text}")
  set(program ${folder}/embed_records)
  set(${out} ${program} PARENT_SCOPE)
  set(before)
  if(EXISTS ${program} AND EXISTS ${program}.made_of)
    file(READ ${program}.made_of before)
  endif()
  if(before STREQUAL made_of)
    return()
  endif()
  file(MAKE_DIRECTORY ${folder})
  separate_arguments(flags UNIX_COMMAND "${flags}")
  # Under a temporary name first, so that an interrupted build leaves no incomplete program.
  execute_process(COMMAND ${compiler} ${flags} -std=c++20 -I${tree}/include -I${tree}/src ${sources} -o ${program}.new
    RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT failed EQUAL 0)
    message(FATAL_ERROR "Tessera: ${compiler} does not compile the reader of tuning records for this machine; name "
      "another one with -DTESSERA_HOST_CXX=...\n${said}")
  endif()
  file(RENAME ${program}.new ${program})
  file(WRITE ${program}.made_of "${made_of}")
endfunction()

# The arguments of the program with the hashes of a tree's kernels; sets TESSERA_HASH_<kind>, too.
macro(tessera_hash_arguments tree out)
  set(${out})
  foreach(kind IN ITEMS cpu gpu element element_run matrix general)
    tessera_kernel_hash(${tree} ${kind} TESSERA_HASH_${kind})
    list(APPEND ${out} --${kind} ${TESSERA_HASH_${kind}})
  endforeach()
endmacro()
