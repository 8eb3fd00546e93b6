# SPDX-License-Identifier: BSD-3-Clause
# Finds deal.II: dealii_include, dealii_libraries and dealii_version; tessera_dealii_missing says why there is none.
# Its macro for targets (deal_ii_setup_target) would add -std=c++17 and its own warnings.

# In a function, since deal.II's package sets variables of other projects.
function(tessera_find_dealii_libraries)
  find_package(deal.II 9.4 CONFIG QUIET)
  if(deal.II_FOUND)
    set(dealii_include ${DEAL_II_INCLUDE_DIRS} PARENT_SCOPE)
    set(dealii_libraries ${DEAL_II_LIBRARIES_RELEASE} PARENT_SCOPE)
    set(dealii_version ${DEAL_II_PACKAGE_VERSION} PARENT_SCOPE)
  endif()
endfunction()
set(dealii_version)
tessera_find_dealii_libraries()

set(tessera_dealii_missing)
if(NOT dealii_version)
  set(tessera_dealii_missing "deal.II 9.4 is not found; deal.II_DIR is the folder of deal.IIConfig.cmake")
elseif(NOT dealii_include OR NOT dealii_libraries)
  set(tessera_dealii_missing "the package of deal.II ${dealii_version} does not list headers and libraries as 9.4 does")
endif()
foreach(library IN LISTS dealii_libraries)
  if(IS_ABSOLUTE "${library}" AND NOT EXISTS "${library}")
    set(tessera_dealii_missing "deal.II ${dealii_version} needs ${library}")
  endif()
endforeach()
