// SPDX-License-Identifier: BSD-3-Clause
// LIBXSMM: a kernel generated for the shape, called once for each product; and the one that prefetches the next.
#include <libxsmm.h>

#include "peers/over_batch.hpp"

namespace tessera::bench {

namespace {

// LIBXSMM computes with alpha = 1 and beta = 0 or 1; an empty result means that it has no kernel for the call.
template <class T, class Dispatch>
auto kernel_of(Dispatch* dispatch, const gemm_call& call, int prefetch) {
  const libxsmm_blasint lda = libxsmm_blasint(call.lda), ldb = libxsmm_blasint(call.ldb),
                        ldc = libxsmm_blasint(call.ldc);
  const T alpha = 1, beta = T(call.beta);
  const int flags = (call.trans_a ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) | (call.trans_b ? LIBXSMM_GEMM_FLAG_TRANS_B : 0);
  return dispatch(libxsmm_blasint(call.m), libxsmm_blasint(call.n), libxsmm_blasint(call.k), &lda, &ldb, &ldc, &alpha,
                  &beta, &flags, &prefetch);
}

template <class T, class Dispatch>
pass prepare_with(Dispatch* dispatch, const gemm_call& call, bool next_too) {
  if (call.beta != 0 && call.beta != 1) return {};
  const int prefetch = next_too ? int(LIBXSMM_GEMM_PREFETCH_AL2BL2_VIA_C) : int(LIBXSMM_GEMM_PREFETCH_NONE);
  const auto kernel = kernel_of<T>(dispatch, call, prefetch);
  if (!kernel) return {};
  if (!next_too) return [=] { over_products<T>(call, kernel); };
  // The product after this one: of the innermost loop that has several.
  const bool loops = call.loops > 1, rounds = !loops && call.rounds > 1;
  const auto next = [&](index_t loop, index_t round, index_t entry) { return loops ? loop : rounds ? round : entry; };
  const index_t a_next = next(call.loop_a, call.round_a, call.stride_a),
                b_next = next(call.loop_b, call.round_b, call.stride_b),
                c_next = next(call.loop_c, call.round_c, call.stride_c);
  return [=] {
    over_products<T>(call, [&](const T* a, const T* b, T* c) { kernel(a, b, c, a + a_next, b + b_next, c + c_next); });
  };
}

peer variant(const char* name, bool next_too) {
  return {name, "LIBXSMM " LIBXSMM_VERSION, true, space_kind::cpu, [next_too](const gemm_call& call) -> pass {
            return call.type == scalar_type::f64 ? prepare_with<double>(&libxsmm_dmmdispatch, call, next_too)
                                                 : prepare_with<float>(&libxsmm_smmdispatch, call, next_too);
          }};
}

}  // namespace

std::vector<peer> libxsmm_peers() {
  libxsmm_init();
  return {variant("libxsmm", false), variant("libxsmm-prefetch", true)};
}

}  // namespace tessera::bench
