// SPDX-License-Identifier: BSD-3-Clause
// A product of matrices with as many rows, columns and terms as a contraction, over the same memory: what the
// contraction would cost if its tensors were matrices.
#include <limits>
#include <optional>

#include <tessera/error.hpp>

#include "entry_types.hpp"
#include "peers/cublas_library.hpp"
#include "peers/openblas.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

namespace {

// cublasGemmEx: two operations, m, n, k, alpha, A, its type and stride, B, beta, C, the type of sums, an algorithm.
using mixed_product = int(cublas_handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int,
                          int, const void*, void*, int, int, int, int);

// Values of cudaDataType_t and cublasComputeType_t.
int cuda_type(scalar_type type) {
  switch (type) {
    case scalar_type::f64: return 1;
    case scalar_type::f16: return 2;
    case scalar_type::c32: return 4;
    case scalar_type::c64: return 5;
    case scalar_type::bf16: return 14;
    default: return 0;
  }
}

constexpr int sums_in_float = 68, sums_in_double = 70, products_in_tf32 = 77;

std::optional<int> sums_of(const contraction_call& call) {
  if (call.type.sum != usual_sum(call.type.in) || call.precision == product_precision::tf32x3) return std::nullopt;
  if (call.type.sum == scalar_type::f64 || call.type.sum == scalar_type::c64) return sums_in_double;
  const bool is_16_bit = usual_sum(call.type.in) != call.type.in;
  return call.precision == product_precision::tf32 && !is_16_bit ? products_in_tf32 : sums_in_float;
}

bool fits_int(const matrix_shape& s) {
  constexpr index_t most = std::numeric_limits<int>::max();
  return s.m <= most && s.n <= most && s.k <= most;
}

contraction_pass on_gpu(const contraction_call& call) {
  const cublas& opened = opened_cublas();
  auto* const gemm = opened.library.find<mixed_product>("cublasGemmEx");
  const std::optional<int> sums = sums_of(call);
  const matrix_shape s = matrix_shape_of(call);
  if (gemm == nullptr || !sums || !fits_int(s)) return {};
  const auto run = [&opened, gemm, call, s, sums = *sums] {
    with_type(call.type.sum, [&](auto of_sum) {
      using Sum = decltype(of_sum);
      const Sum alpha = entry_of<Sum>(1, 0), beta = entry_of<Sum>(call.beta, 0);
      const int in = cuda_type(call.type.in), out = cuda_type(call.type.out), any_algorithm = -1;
      const int status = gemm(opened.context, 0, 0, int(s.m), int(s.n), int(s.k), &alpha, call.a, in, int(s.m), call.b,
                              in, int(s.k), &beta, call.c, out, int(s.m), sums, any_algorithm);
      if (status != 0) throw error("cublasGemmEx: status " + std::to_string(status));
    });
  };
  return {run, opened.version};
}

contraction_pass on_cpu(const contraction_call& call) {
  const matrix_shape s = matrix_shape_of(call);
  if (call.type.in != call.type.out || call.type.in != call.type.sum || !fits_int(s)) return {};
  const auto product =
      by_openblas({.type = call.type.in, .m = s.m, .n = s.n, .k = s.k, .beta = call.beta, .threads = call.threads});
  if (!product) return {};
  return {[product, call] { product(call.a, call.b, call.c); }, openblas_version()};
}

}  // namespace

std::vector<peer> bare_gemm_peers() {
  peer gpu{"bare-gemm", opened_cublas().version, opened_cublas().context != nullptr, space_kind::gpu, {}};
  gpu.prepare_contraction = on_gpu;
  const std::string version = openblas_version();
  peer cpu{"bare-gemm-openblas",
           version.empty() ? "its shared library was not found" : version,
           !version.empty(),
           space_kind::cpu,
           {}};
  cpu.prepare_contraction = on_cpu;
  gpu.only_multiplies = cpu.only_multiplies = true;
  return {gpu, cpu};
}

}  // namespace tessera::bench
