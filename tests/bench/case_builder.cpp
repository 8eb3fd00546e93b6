// SPDX-License-Identifier: BSD-3-Clause
// Builds small gemm cases with their peers' call.
#include "case_builder.hpp"

#include "peers/over_batch.hpp"

namespace tessera::testing {

bench::workload small_gemm(const bench::gemm_size& size, scalar_type type, double beta, bool trans_a, bool trans_b,
                           index_t batch) {
  const auto matrix = [&](index_t rows, index_t cols, bool transposed, int seed) {
    const std::vector<index_t> extent = transposed ? std::vector{cols, rows} : std::vector{rows, cols};
    return bench::data(type, extent, {}, batch, 0, seed);
  };
  bench::workload work{
      .label = "test",
      .what = contraction(std::string(trans_a ? "ki," : "ik,") + (trans_b ? "jk" : "kj") + "->ij", {1, beta})};
  work.operands.push_back(matrix(size.m, size.k, trans_a, 1));
  work.operands.push_back(matrix(size.k, size.n, trans_b, 2));
  work.operands.push_back(matrix(size.m, size.n, false, 3));
  work.inner = size.k;
  bench::gemm_call call;
  call.type = type;
  call.m = size.m;
  call.n = size.n;
  call.k = size.k;
  call.trans_a = trans_a;
  call.trans_b = trans_b;
  call.lda = trans_a ? size.k : size.m;
  call.ldb = trans_b ? size.n : size.k;
  call.ldc = size.m;
  call.stride_a = size.m * size.k;
  call.stride_b = size.k * size.n;
  call.stride_c = size.m * size.n;
  call.batch = batch;
  call.beta = beta;
  work.as_gemm = call;
  for (bench::data& d : work.operands) d.fill();
  if (beta == 0) work.out().fill_nan();
  return work;
}

bench::gemm_call call_of(const bench::workload& work, int threads) {
  bench::gemm_call call = *work.as_gemm;
  call.a = work.operands[0].host().data;
  call.b = work.operands[1].host().data;
  call.c = const_cast<void*>(work.out().host().data);
  call.threads = threads;
  return call;
}

namespace {

template <class T>
void multiply_as(const bench::gemm_call& call) {
  bench::over_products<T>(call, [&](const T* a, const T* b, T* c) {
    for (index_t j = 0; j < call.n; ++j)
      for (index_t i = 0; i < call.m; ++i) {
        T sum = 0;
        for (index_t l = 0; l < call.k; ++l)
          sum += a[call.trans_a ? l + call.k * i : i + call.m * l] * b[call.trans_b ? j + call.n * l : l + call.k * j];
        T& out = c[i + call.m * j];
        out = call.beta == 0 ? sum : sum + T(call.beta) * out;
      }
  });
}

}  // namespace

void multiply(bench::workload& work) {
  const bench::gemm_call call = call_of(work);
  if (call.type == scalar_type::f64)
    multiply_as<double>(call);
  else
    multiply_as<float>(call);
}

}  // namespace tessera::testing
