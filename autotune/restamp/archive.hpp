// SPDX-License-Identifier: BSD-3-Clause
// The members of a static library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

struct archive_member {
  std::string name;  // "rows_avx2_f64_0.cpp.o"
  std::string_view bytes;
};

/// In their order, without the archive's index; they refer to `archive`. Throws tessera::error for anything but an
/// archive as GNU's and LLVM's `ar` write it, and for a thin one, which holds no objects.
std::vector<archive_member> members_of(std::string_view archive);

}  // namespace tessera::tune
