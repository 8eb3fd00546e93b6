// SPDX-License-Identifier: BSD-3-Clause
// Checks where results go: aligned to their entries, and apart from what D is computed from.
#include "output_check.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

#include <tessera/error.hpp>

namespace tessera::detail {

template <class T>
void check_apart(const char* what, const vector_entries& entries, const T* at, const point_source<T>& D) {
  if (D.is_stored()) return;
  for (const caller_memory& read : D.reads())
    if (!read.entries.is_empty() && vectors_meet(read.entries, read.at, entries, at, sizeof(T)))
      throw error(std::string(what) + " overlaps " + read.what + ", which D is computed from at each application",
                  status::overlap);
}

template <class T>
void check_aligned(const char* what, const T* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (address % sizeof(T) == 0) return;
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(address));
  throw error(
      std::string(what) + " is at " + text + ", no multiple of its entries' " + std::to_string(sizeof(T)) + " bytes",
      status::invalid_argument);
}

template void check_apart(const char*, const vector_entries&, const float*, const point_source<float>&);
template void check_apart(const char*, const vector_entries&, const double*, const point_source<double>&);
template void check_aligned(const char*, const float*);
template void check_aligned(const char*, const double*);
}  // namespace tessera::detail
