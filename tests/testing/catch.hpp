// SPDX-License-Identifier: BSD-3-Clause
// Catch2, whichever of version 2 and 3 is installed, for test files; main() is in main.cpp.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // a name of everybody in version 2
#else
#include <catch2/catch.hpp>
#endif
