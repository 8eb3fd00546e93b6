# SPDX-License-Identifier: BSD-3-Clause
# Script: builds in BUILD what ./run demo builds of the sources in SOURCE, runs it, and installs it in PREFIX.
cmake_minimum_required(VERSION 3.25)
foreach(command IN ITEMS
    "--preset demo -S ${SOURCE} -B ${BUILD} -DCMAKE_CXX_COMPILER=${COMPILER} -DTESSERA_CUDA=OFF"
    "--build ${BUILD} --target tessera_demo tessera_info"
    "-E chdir ${BUILD} bin/tessera-demo --quick --orders 2 --out ${BUILD}"
    "--install ${BUILD} --prefix ${PREFIX}")
  separate_arguments(arguments UNIX_COMMAND "${command}")
  execute_process(COMMAND ${CMAKE_COMMAND} ${arguments} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
