# SPDX-License-Identifier: BSD-3-Clause
# Finds a serial MFEM 4.10: TESSERA_MFEM_LIBRARY and TESSERA_MFEM_INCLUDE; tessera_mfem_missing says why there is none.
# The target of the wheel's MFEMConfig.cmake names a libz where only some distributions have it.
set(TESSERA_MFEM_DIR "" CACHE PATH "Where MFEM 4.10 is: its prefix, or the folder mfem of its Python wheel")
tessera_find_in_wheel(MFEM mfem mfem mfem.hpp external/ser)

tessera_why_not_found(MFEM mfem mfem.hpp "MFEM is not found: pip install --no-deps mfem==4.10.0.1"
  tessera_mfem_missing)
if(tessera_mfem_missing)
  return()
endif()
set(mfem_lines)
if(EXISTS "${TESSERA_MFEM_INCLUDE}/mfem/config/_config.hpp")
  file(STRINGS "${TESSERA_MFEM_INCLUDE}/mfem/config/_config.hpp" mfem_lines
    REGEX "^#define MFEM_(VERSION [0-9]|USE_MPI|USE_SINGLE)")
endif()
string(REGEX MATCH "MFEM_VERSION ([0-9]+)" ignored "${mfem_lines}")
if(NOT CMAKE_MATCH_1 OR CMAKE_MATCH_1 LESS 41000)
  set(tessera_mfem_missing "${TESSERA_MFEM_INCLUDE} is not of MFEM 4.10 or later")
elseif(mfem_lines MATCHES "USE_(MPI|SINGLE)")
  set(tessera_mfem_missing "${TESSERA_MFEM_INCLUDE} is of an MFEM with MPI or in float; the example is for one without")
endif()
