// SPDX-License-Identifier: BSD-3-Clause
// The plain peers: finds the compiled row of a call in a spelling's tables.
#include "peers/plain.hpp"

namespace tessera::bench {

namespace {

const plain_row* find_row(const std::vector<plain_table>& tables, const gemm_call& call) {
  if (!call.is_packed() || (call.beta != 0 && call.beta != 1)) return nullptr;
  for (plain_table table : tables)
    for (const plain_row& row : table())
      if (row.type == call.type && row.m == call.m && row.n == call.n && row.k == call.k &&
          row.trans_a == call.trans_a && row.trans_b == call.trans_b && row.accumulate == (call.beta == 1))
        return &row;
  return nullptr;
}

}  // namespace

peer plain_spelling(const char* name, const std::vector<plain_table>& tables) {
  const auto prepare = [tables](const gemm_call& call) -> pass {
    const plain_row* const row = find_row(tables, call);
    if (row == nullptr) return {};
    return [row, call] { over_ranges(call, [&](index_t first, index_t last) { row->run(call, first, last); }); };
  };
  return {name, "loops in this program, -O3 -march=native", true, space_kind::cpu, prepare, true};
}

std::vector<peer> plain_peers() {
  std::vector<peer> all{
      plain_spelling("plain", {plain_column_f64, plain_column_f32, plain_fem_f64, plain_fem_f32, plain_complex}),
      plain_spelling("plain-simd", {plain_simd_f64, plain_simd_f32}),
      plain_spelling("plain-sum", {plain_sum}),
      plain_spelling("plain-whole", {plain_whole}),
  };
  all.push_back(plain_clang_peer());
  return all;
}

}  // namespace tessera::bench
