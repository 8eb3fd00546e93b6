// SPDX-License-Identifier: BSD-3-Clause
// Suite contraction: the pairwise contractions of Table 1 over a batch of elements, tables shared.
#include <string>

#include <tessera/error.hpp>

#include "run_case.hpp"
#include "sizes.hpp"
#include "suites.hpp"
#include "table1.hpp"

namespace tessera::bench {

namespace {

struct element {
  index_t nodes, points;  // per direction
  index_t operator()(extents_text product) const { return evaluate(product, nodes, points); }
};

void describe_to_peers(workload& work, const matrix_view& view, const element& size, const options& o) {
  if (view.m.empty() || !(o.type.in == o.type.out && o.type.in == o.type.sum)) return;
  gemm_call call;
  call.type = o.type.in;
  call.m = size(view.m);
  call.n = size(view.n);
  call.k = size(view.k);
  call.trans_a = view.trans_a;
  call.trans_b = view.trans_b;
  call.lda = call.trans_a ? call.k : call.m;
  call.ldb = call.trans_b ? call.n : call.k;
  call.ldc = call.m;
  call.beta = o.beta;
  work.left = view.table_is_left ? 0 : 1;
  work.right = 1 - work.left;
  const index_t input = work.operands[1].host().stride;
  call.stride_a = view.table_is_left ? 0 : input;
  call.stride_b = view.table_is_left ? input : 0;
  call.stride_c = work.out().host().stride;
  if (!view.loops.empty()) {
    call.loops = size(view.loops);
    call.loop_a = size(view.loop_a);
    call.loop_c = size(view.loop_c);
  }
  work.as_gemm = call;
}

workload make_case(const table_row& row, int p, const setting& s) {
  const options& o = s.with;
  const element size{p + 1, points_for(o.points, p)};
  const auto type_of = [&](std::size_t i) { return i + 1 < row.operands.size() ? o.type.in : o.type.out; };
  double footprint = 0;
  for (std::size_t i = std::size_t(row.tables); i < row.operands.size(); ++i)
    footprint += double(size(row.operands[i])) * double(size_of(type_of(i)));
  const index_t batch = batch_for(s, footprint);

  workload work{.label = std::string(row.name) + " p=" + std::to_string(p) + " q=" + std::to_string(size.points) +
                         (o.beta != 0 ? " +=" : ""),
                .what = contraction(row.einsum, {1, o.beta}, o.type.sum)};
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    std::vector<index_t> extent;
    for (std::size_t d = 0; d < row.operands[i].size(); ++d) extent.push_back(size(row.operands[i].substr(d, 1)));
    const bool is_table = int(i) < row.tables;
    // The tables of one row are the same table.
    work.operands.emplace_back(type_of(i), extent, storage_order{}, is_table ? std::nullopt : std::optional(batch), 0,
                               is_table ? 1 : int(i) + 1);
  }
  work.facts = {{"row", row.name},       {"einsum", row.einsum}, {"p", p},        {"nodes", size.nodes},
                {"points", size.points}, {"beta", o.beta},       {"batch", batch}};
  work.inner = size(row.inner);
  const double terms = double(size(row.operands.back())) * double(work.inner) * double(batch);
  work.flops = row.inner.empty() ? terms : 2 * terms;
  if (is_complex_type(o.type.in)) work.flops *= row.inner.empty() ? 6 : 4;
  for (const data& d : work.operands) work.bytes += d.bytes();
  if (row.tables == 2) work.bytes -= work.operands[0].bytes();
  if (o.beta != 0) work.bytes += work.out().bytes();
  describe_to_peers(work, row.matrix, size, o);
  return work;
}

}  // namespace

int run_contraction(const options& o) {
  const std::vector<table_row> rows = choose_rows(o.row);
  const std::vector<int> orders = parse_orders(o.orders);
  points_for(o.points, 1);
  const std::vector<peer> peers = choose_peers(o.peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  for (const table_row& row : rows)
    for (int p : orders) run_case(make_case(row, p, s), s, to);
  return to.finish();
}

}  // namespace tessera::bench
