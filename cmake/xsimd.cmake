# SPDX-License-Identifier: BSD-3-Clause
# Finds the headers of xsimd >= 8.1 as tessera::xsimd, for the build and for the installed package; if they are missing,
# tessera_missing names them.
#
# Not with xsimd's own package: that of Debian 12 makes every user link a library that does not exist.
if(NOT TARGET tessera::xsimd)
  find_path(TESSERA_XSIMD_HEADERS xsimd/xsimd.hpp)
  mark_as_advanced(TESSERA_XSIMD_HEADERS)
  set(tessera_xsimd_version 0)
  if(EXISTS "${TESSERA_XSIMD_HEADERS}/xsimd/config/xsimd_config.hpp")
    file(READ "${TESSERA_XSIMD_HEADERS}/xsimd/config/xsimd_config.hpp" tessera_xsimd_config)
    string(REGEX REPLACE ".*VERSION_MAJOR ([0-9]+).*VERSION_MINOR ([0-9]+).*" "\\1.\\2" tessera_xsimd_version
      "${tessera_xsimd_config}")
  endif()
  if(tessera_xsimd_version VERSION_EQUAL 0)
    list(APPEND tessera_missing "the headers of xsimd >= 8.1 (libxsimd-dev), or TESSERA_XSIMD_HEADERS, their folder")
  elseif(tessera_xsimd_version VERSION_LESS 8.1)
    list(APPEND tessera_missing "xsimd >= 8.1, found ${tessera_xsimd_version} in ${TESSERA_XSIMD_HEADERS}")
  else()
    add_library(tessera::xsimd INTERFACE IMPORTED GLOBAL)
    target_include_directories(tessera::xsimd INTERFACE "${TESSERA_XSIMD_HEADERS}")
  endif()
endif()
