// SPDX-License-Identifier: BSD-3-Clause
// Catch2, version 2 or 3, by the header that CMake found, for test files; main() is in main.cpp.
#pragma once

#include TESSERA_CATCH_HEADER

#if CATCH_VERSION_MAJOR >= 3
using Catch::Approx;  // a name of everybody in version 2
#endif
