// SPDX-License-Identifier: BSD-3-Clause
// The table of peers, and the choice from it by name.
#include <algorithm>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

#include "peers/peer.hpp"
#include "sizes.hpp"

namespace tessera::bench {

std::vector<peer> all_peers() {
  std::vector<peer> all;
  for (auto family : {plain_peers, libxsmm_peers, cblas_peers, mkl_peers, eigen_peers, cublas_peers})
    for (peer& p : family()) all.push_back(std::move(p));
  return all;
}

std::vector<peer> element_peers() { return dealii_peers(); }

std::vector<peer> operator_peers() {
  std::vector<peer> all;
  for (auto family : {dealii_peers, libceed_peers})
    for (peer& p : family()) all.push_back(std::move(p));
  return all;
}

std::vector<peer> contraction_peers() {
  std::vector<peer> all;
  for (auto family : {cutensor_peers, bare_gemm_peers, transposing_peers, loop_peers})
    for (peer& p : family()) all.push_back(std::move(p));
  return all;
}

std::vector<peer> choose_peers(const std::string& text, std::vector<peer> known()) {
  if (text == "none") return {};
  std::vector<peer> all = known();
  if (text == "all") return all;
  std::vector<peer> chosen;
  for (std::string_view name : split(text, ',')) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const peer& p) { return p.name == name; });
    if (it == all.end()) {
      std::string names;
      std::vector<std::string_view> known_names{"all", "none"};
      for (const peer& p : all) names += " " + p.name, known_names.emplace_back(p.name);
      throw error("peers: no peer is called '" + std::string(name) + "'" + did_you_mean(name, known_names) +
                  "; known: all none" + names);
    }
    chosen.push_back(*it);
  }
  return chosen;
}

}  // namespace tessera::bench
