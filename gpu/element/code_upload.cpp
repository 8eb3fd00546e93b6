// SPDX-License-Identifier: BSD-3-Clause
// Copies lists of numbers and codes to device memory, with 32 or 64 bits.
#include "code_upload.hpp"

namespace tessera::detail {

namespace {

template <class Code>
buffer uploaded_as(const std::vector<index_t>& from) {
  return device::uploaded(std::vector<Code>(from.begin(), from.end()));
}

}  // namespace

buffer uploaded_codes(const std::vector<index_t>& from, bool wide) {
  return wide ? uploaded_as<std::uint64_t>(from) : uploaded_as<std::uint32_t>(from);
}

buffer uploaded_codes(const code_list& from, bool wide) {
  if (from.is_wide()) return device::uploaded(from.wide);
  if (!wide) return device::uploaded(from.narrow);
  using narrow = device::number_code<std::uint32_t>;
  using code = device::number_code<std::uint64_t>;
  std::vector<std::uint64_t> all;
  all.reserve(from.narrow.size());
  for (const std::uint32_t one : from.narrow)
    all.push_back(!narrow::is_there(one) ? code::left_out
                                         : narrow::number(one) | (one & narrow::opposite ? code::opposite : 0));
  return device::uploaded(all);
}

}  // namespace tessera::detail
