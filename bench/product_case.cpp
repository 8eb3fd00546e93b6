// SPDX-License-Identifier: BSD-3-Clause
// Makes the case C = op(A) op(B) + beta C of one size.
#include "product_case.hpp"

#include <string>

namespace tessera::bench {

namespace {

std::string label_of(const gemm_size& size, const std::string& trans, const options& o) {
  std::string label = size.is_square()
                          ? "n=" + std::to_string(size.n)
                          : std::to_string(size.m) + "x" + std::to_string(size.n) + "x" + std::to_string(size.k);
  if (trans != "nn") label += " " + trans;
  if (o.shared != "none") label += " shared " + o.shared;
  if (o.layout != "col") label += " " + o.layout;
  if (o.conjugated != "none") label += " conj " + o.conjugated;
  if (o.group != "none") label += " group " + o.group;
  if (o.beta != 0) label += " +=";
  return label;
}

// A row-major product is the column-major product of the transposes, right operand first.
void describe_to_peers(workload& work, const gemm_size& size, const std::string& trans, const options& o,
                       const storage_order& order) {
  // Library peers multiply real matrices, and complex ones without conjugation.
  const bool of_one_type = o.type.in == o.type.out && o.type.in == o.type.sum;
  if (order.order == storage_order::kind::interleaved || !of_one_type || o.conjugated != "none") return;
  const bool swap = order.order == storage_order::kind::row;
  const bool trans_a = trans[0] == 't', trans_b = trans[1] == 't';
  gemm_call call;
  call.type = o.type.in;
  call.m = swap ? size.n : size.m;
  call.n = swap ? size.m : size.n;
  call.k = size.k;
  call.trans_a = swap ? trans_b : trans_a;
  call.trans_b = swap ? trans_a : trans_b;
  call.lda = call.trans_a ? call.k : call.m;
  call.ldb = call.trans_b ? call.n : call.k;
  call.ldc = call.m;
  call.beta = o.beta;
  work.left = swap ? 1 : 0;
  work.right = swap ? 0 : 1;
  const auto stride = [&](int i) {
    const operand& matrix = work.operands[std::size_t(i)].host();
    return matrix.batched ? matrix.stride : 0;
  };
  call.stride_a = stride(work.left);
  call.stride_b = stride(work.right);
  call.stride_c = stride(2);
  work.as_gemm = call;
}

}  // namespace

workload product_case(const gemm_size& size, const std::string& trans, const setting& s) {
  const options& o = s.with;
  const storage_order order = parse_layout(o.layout);
  const bool trans_a = trans[0] == 't', trans_b = trans[1] == 't';
  const bool share_a = o.shared == "a", share_b = o.shared == "b";
  const double a = double(size.m * size.k), b = double(size.k * size.n), c = double(size.m * size.n);
  const index_t batch = batch_for(
      s, double(size_of(o.type.in)) * ((share_a ? 0 : a) + (share_b ? 0 : b)) + double(size_of(o.type.out)) * c);

  const auto matrix = [&](scalar_type type, index_t rows, index_t cols, bool transposed, bool shared, int seed) {
    const std::vector<index_t> extent = transposed ? std::vector{cols, rows} : std::vector{rows, cols};
    return data(type, extent, order, shared ? std::nullopt : std::optional(batch), o.offset, seed);
  };
  workload work{.label = label_of(size, trans, o),
                .what = contraction(std::string(trans_a ? "ki," : "ik,") + (trans_b ? "jk" : "kj") + "->ij",
                                    {1, o.beta}, o.type.sum)};
  work.operands.push_back(matrix(o.type.in, size.m, size.k, trans_a, share_a, 1));
  work.operands.push_back(matrix(o.type.in, size.k, size.n, trans_b, share_b, 2));
  work.operands.push_back(matrix(o.type.out, size.m, size.n, false, false, 3));
  work.facts = {{"m", size.m},        {"n", size.n},          {"k", size.k},        {"beta", o.beta},
                {"shared", o.shared}, {"trans", trans},       {"layout", o.layout}, {"offset", o.offset},
                {"group", o.group},   {"conj", o.conjugated}, {"batch", batch}};
  work.place = {{size.is_square() ? "squares" : "other sizes"}, size.is_square() ? "squares " + trans : "", size.n};
  for (const char letter : {'a', 'b', 'c'})
    work.as_groups.push_back(o.group != "none" && o.group.find(letter) != std::string::npos);
  if ((share_a && work.as_groups[0]) || (share_b && work.as_groups[1]))
    throw error("gemm: operand " + o.shared + " is shared by the batch, so it is not a group");
  work.inner = size.k;
  work.conjugated[0] = is_complex_type(o.type.in) && o.conjugated.find('a') != std::string::npos;
  work.conjugated[1] = is_complex_type(o.type.in) && o.conjugated.find('b') != std::string::npos;
  work.flops = (is_complex_type(o.type.in) ? 8.0 : 2.0) * a * double(size.n) * double(batch);
  work.bytes = work.operands[0].bytes() + work.operands[1].bytes() + (o.beta != 0 ? 2 : 1) * work.out().bytes();
  describe_to_peers(work, size, trans, o, order);
  return work;
}

}  // namespace tessera::bench
