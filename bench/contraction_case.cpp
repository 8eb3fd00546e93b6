// SPDX-License-Identifier: BSD-3-Clause
// Makes the case of a row of Table 1.
#include "contraction_case.hpp"

#include <memory>
#include <string>

#include "sizes.hpp"

namespace tessera::bench {

namespace {

struct element {
  index_t nodes, points;  // per direction
  index_t operator()(extents_text product) const { return evaluate(product, nodes, points); }
};

// By which of its indices the tensor is contracted.
std::string kind_of(const table_row& row) {
  if (row.inner.empty()) return "pointwise";
  if (row.tables == 2) return "assembly";
  if (row.matrix.table_is_left) return "first index";
  return row.matrix.loops.empty() ? "last index" : "middle index";
}

// B(k,i) B(k,j), as the row's matrix view has it.
template <class T>
std::shared_ptr<const buffer> product_of_tables(const data& B, const matrix_view& view) {
  const index_t points = B.host().facts.extent[0], nodes = B.host().facts.extent[1];
  const index_t by_i = view.table_is_left ? 1 : points, by_k = view.table_is_left ? nodes : 1;
  const auto memory = std::make_shared<buffer>(space_kind::cpu, std::size_t(nodes * nodes * points) * sizeof(T));
  T* const to = static_cast<T*>(memory->data());
  const auto entry = [&](index_t k, index_t i) { return T(B.initial(B.host().offset(k + points * i, 0)).re); };
  for (index_t j = 0; j < nodes; ++j)
    for (index_t i = 0; i < nodes; ++i)
      for (index_t k = 0; k < points; ++k) to[by_i * i + by_k * k + nodes * points * j] = entry(k, i) * entry(k, j);
  return memory;
}

void describe_to_peers(workload& work, const matrix_view& view, const element& size, const setting& s) {
  const options& o = s.with;
  const bool two_tables = !view.rounds.empty();
  if (two_tables && (is_complex_type(o.type.in) || space_of(s) != space_kind::cpu)) return;
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
  const int tensor = two_tables ? 2 : 1, table = two_tables ? -1 : 0;
  work.left = view.table_is_left ? table : tensor;
  work.right = view.table_is_left ? tensor : table;
  const index_t input = work.operands[std::size_t(tensor)].host().stride;
  call.stride_a = view.table_is_left ? 0 : input;
  call.stride_b = view.table_is_left ? input : 0;
  call.stride_c = work.out().host().stride;
  if (!view.loops.empty()) {
    call.loops = size(view.loops);
    call.loop_a = size(view.loop_a);
    call.loop_c = size(view.loop_c);
  }
  if (two_tables) {
    work.table = o.type.in == scalar_type::f64 ? product_of_tables<double>(work.operands[0], view)
                                               : product_of_tables<float>(work.operands[0], view);
    call.rounds = size(view.rounds);
    (view.table_is_left ? call.round_a : call.round_b) = size(view.round_table);
    call.round_c = size(view.round_c);
  }
  work.as_gemm = call;
}

}  // namespace

workload contraction_case(const table_row& row, int p, const setting& s) {
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
  work.place = {{std::string(row.name), kind_of(row)}, std::string(row.name), p};
  work.inner = size(row.inner);
  const double terms = double(size(row.operands.back())) * double(work.inner) * double(batch);
  work.flops = row.inner.empty() ? terms : 2 * terms;
  if (is_complex_type(o.type.in)) work.flops *= row.inner.empty() ? 6 : 4;
  for (const data& d : work.operands) work.bytes += d.bytes();
  if (row.tables == 2) work.bytes -= work.operands[0].bytes();
  if (o.beta != 0) work.bytes += work.out().bytes();
  describe_to_peers(work, row.matrix, size, s);
  return work;
}

}  // namespace tessera::bench
