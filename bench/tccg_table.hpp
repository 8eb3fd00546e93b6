// SPDX-License-Identifier: BSD-3-Clause
// The table of the suite tccg: a line a row with the ratio of each peer, and geometric means of groups of rows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report.hpp"

namespace tessera::bench {

class tccg_table {
 public:
  /// Of the peers that take part.
  explicit tccg_table(std::vector<std::string> peers) : peers_(std::move(peers)) {}

  std::string heading() const;
  /// The line of a row, which is kept for the means unless it is suspect or wrong.
  std::string add(const case_results& c);
  /// Geometric means and worst rows, by group and in all; empty without rows. Of a peer GM_1, the mean of its time over
  /// ours, and GM_2, the mean of max(1, that ratio): the gain where one takes the faster of the two.
  std::vector<std::string> means() const;
  /// The same: [{"group", "rows", "fraction": {"mean", "worst", "worst_row"}, "peers": {name: the same of the ratio,
  /// and "gm_2"}}]; the "mean" of a peer is GM_1.
  nlohmann::json means_as_json() const;

 private:
  struct row {
    std::string label, group;
    double fraction = 0;
    std::map<std::string, double> ratios;  // a peer's time over ours
  };
  struct mean {
    double value = 0, worst = 0;
    double faster = 0;      // of max(1, value)
    std::string worst_row;  // its number
    std::size_t rows = 0;
  };
  struct group {
    std::string name;
    mean fraction;
    std::map<std::string, mean> peers;
  };

  std::vector<group> groups() const;

  std::vector<std::string> peers_;
  std::vector<row> rows_;
};

}  // namespace tessera::bench
