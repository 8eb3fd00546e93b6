// SPDX-License-Identifier: BSD-3-Clause
// The library's errors about contractions in the words of Python: it sees letters and extents in the order of memory.
#pragma once

#include <string>
#include <vector>

#include <tessera/error.hpp>

#include "array.hpp"
#include "subscripts.hpp"

namespace tessera::python {

/// Of an error about the contraction `lowered`: the subscripts and shapes that the caller gave, operands by their names
/// in Python, and types by those of numpy.
std::string in_python_words(const std::string& text, const std::string& lowered, const subscripts& what,
                            const std::vector<array>& arrays);

/// body(); an error that it throws comes on in those words.
template <class Body>
auto with_python_words(const std::string& lowered, const subscripts& what, const std::vector<array>& arrays,
                       const Body& body) {
  try {
    return body();
  } catch (const error& e) {
    throw error(in_python_words(e.what(), lowered, what, arrays), e.code());
  }
}

}  // namespace tessera::python
