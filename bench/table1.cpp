// SPDX-License-Identifier: BSD-3-Clause
// The rows of Table 1 as data, and a table applied along one axis of a cube.
#include "table1.hpp"

#include <algorithm>
#include <string>

#include <tessera/error.hpp>

#include "sizes.hpp"

namespace tessera::bench {

const std::vector<table_row>& table_rows() {
  constexpr bool n = false, t = true, table_left = true, table_right = false;
  static const std::vector<table_row> rows{
      // clang-format off
      {"1a", "ki,kj,kl->ilj", {"QP", "QP", "QQ", "PQP"}, 2, "Q",
       {table_left, n, n, "P", "Q", "Q", "", "", "", "P", "QP", "PQ"}},
      {"1b", "ki,kj,akb->aibj", {"QP", "QP", "PQP", "PPPP"}, 2, "Q",
       {table_right, n, n, "P", "P", "Q", "P", "PQ", "PP", "P", "QP", "PPP"}},
      {"2a", "ki,kj,klm->ilmj", {"QP", "QP", "QQQ", "PQQP"}, 2, "Q",
       {table_left, n, n, "P", "QQ", "Q", "", "", "", "P", "QP", "PQQ"}},
      {"2b", "ki,kj,akmb->aimbj", {"QP", "QP", "PQQP", "PPQPP"}, 2, "Q",
       {table_right, n, n, "P", "P", "Q", "QP", "PQ", "PP", "P", "QP", "PPQP"}},
      {"2c", "ki,kj,abkcd->abicdj", {"QP", "QP", "PPQPP", "PPPPPP"}, 2, "Q",
       {table_right, n, n, "PP", "P", "Q", "PP", "PPQ", "PPP", "P", "QP", "PPPPP"}},
      // clang-format on
      {"3a", "kj,ij->ik", {"QP", "PP", "PQ"}, 1, "P", {table_right, n, t, "P", "Q", "P"}},
      {"3b", "kj,jl->kl", {"QP", "PQ", "QQ"}, 1, "P", {table_left, n, n, "Q", "Q", "P"}},
      {"D2", "kl,kl->kl", {"QQ", "QQ", "QQ"}, 0, "", {}},
      {"3c", "li,kl->ki", {"QP", "QQ", "QP"}, 1, "Q", {table_right, n, n, "Q", "P", "Q"}},
      {"3d", "ki,kj->ij", {"QP", "QP", "PP"}, 1, "Q", {table_left, t, n, "P", "P", "Q"}},
      {"4a", "kj,abj->abk", {"QP", "PPP", "PPQ"}, 1, "P", {table_right, n, t, "PP", "Q", "P"}},
      {"4b", "kj,ajc->akc", {"QP", "PPQ", "PQQ"}, 1, "P", {table_right, n, t, "P", "Q", "P", "Q", "PP", "PQ"}},
      {"4c", "kj,jbc->kbc", {"QP", "PQQ", "QQQ"}, 1, "P", {table_left, n, n, "Q", "QQ", "P"}},
      {"D3", "abc,abc->abc", {"QQQ", "QQQ", "QQQ"}, 0, "", {}},
      {"4d", "ki,abk->abi", {"QP", "QQQ", "QQP"}, 1, "Q", {table_right, n, n, "QQ", "P", "Q"}},
      {"4e", "ki,akc->aic", {"QP", "QQP", "QPP"}, 1, "Q", {table_right, n, n, "Q", "P", "Q", "P", "QQ", "QP"}},
      {"4f", "ki,kbc->ibc", {"QP", "QPP", "PPP"}, 1, "Q", {table_left, t, n, "P", "PP", "Q"}},
      {"axis1", "kj,jbc->kbc", {"QP", "PPP", "QPP"}, 1, "P", {table_left, n, n, "Q", "PP", "P"}},
      {"axis2", "kj,ajc->akc", {"QP", "PPP", "PQP"}, 1, "P", {table_right, n, t, "P", "Q", "P", "P", "PP", "PQ"}},
      {"axis3", "kj,abj->abk", {"QP", "PPP", "PPQ"}, 1, "P", {table_right, n, t, "PP", "Q", "P"}},
  };
  return rows;
}

std::vector<table_row> choose_rows(std::string_view text) {
  const std::vector<table_row>& all = table_rows();
  if (text == "all") return all;
  std::vector<table_row> chosen;
  for (std::string_view name : split(text, ',')) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const table_row& r) { return r.name == name; });
    if (it == all.end()) {
      std::string names;
      for (const table_row& r : all) names += " " + std::string(r.name);
      throw error("row: Table 1 has no row '" + std::string(name) + "'; there are: all" + names);
    }
    chosen.push_back(*it);
  }
  return chosen;
}

index_t evaluate(extents_text product, index_t p_nodes, index_t q_points) {
  index_t value = 1;
  for (char c : product) value *= c == 'P' ? p_nodes : q_points;
  return value;
}

}  // namespace tessera::bench
