// SPDX-License-Identifier: BSD-3-Clause
// Which rows a command line names.
#include "tccg_rows.hpp"

#include <algorithm>
#include <iterator>

#include <tessera/error.hpp>
#include "measure/numbers.hpp"

namespace tessera::bench {

const char* group_of(const tccg_row& row) {
  return row.id <= 8    ? "tensor by matrix"
         : row.id <= 11 ? "change of basis"
         : row.id <= 30 ? "coupled cluster"
                        : "CCSD(T)";
}

index_t extent_of(const tccg_row& row, char letter, double scale) {
  return std::max<index_t>(1, index_t(double(row.extents[letter - 'a']) * scale + 0.5));
}

std::vector<tccg_row> choose_tccg_rows(std::string_view text) {
  if (text == "all") return {std::begin(tccg_rows), std::end(tccg_rows)};
  std::vector<tccg_row> chosen;
  const auto refuse = [&](std::string_view part) {
    throw error("--row: '" + std::string(part) + "' is neither a row from 1 to 48, nor some of them, as 1-8");
  };
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::string_view from = part.substr(0, part.find('-')),
                           to = part.find('-') == part.npos ? from : part.substr(part.find('-') + 1);
    const auto first = integer_in(from, 1, 48), last = integer_in(to, 1, 48);
    if (!first || !last || *first > *last) refuse(part);
    for (long long id = *first; id <= *last; ++id) chosen.push_back(tccg_rows[id - 1]);
    if (part.size() == text.size()) return chosen;
    text.remove_prefix(part.size() + 1);
  }
}

}  // namespace tessera::bench
