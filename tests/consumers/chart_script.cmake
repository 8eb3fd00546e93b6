# SPDX-License-Identifier: BSD-3-Clause
# Script: fails where one of PROGRAM, which may not have been built, and its SCRIPT is installed without the other.
if(EXISTS "${PROGRAM}" AND NOT EXISTS "${SCRIPT}")
  message(FATAL_ERROR "${PROGRAM} is installed without ${SCRIPT}")
endif()
if(EXISTS "${SCRIPT}" AND NOT EXISTS "${PROGRAM}")
  message(FATAL_ERROR "${SCRIPT} is installed without ${PROGRAM}")
endif()
