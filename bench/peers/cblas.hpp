// SPDX-License-Identifier: BSD-3-Clause
// The C interface of BLAS for matrix products, as far as peers use it, and one call of it a product.
#pragma once

#include <type_traits>

#include "entry_types.hpp"
#include "peers/over_batch.hpp"

namespace tessera::bench {

/// The values in every cblas.h.
namespace cblas {
inline constexpr int column_major = 102, no_transpose = 111, transpose = 112;

constexpr int transposed(bool is) { return is ? transpose : no_transpose; }
}  // namespace cblas

/// alpha and beta of complex matrices are passed by their addresses.
template <class T>
using factor_argument = std::conditional_t<is_complex<T>, const T*, T>;
template <class T>
using gemm_function = void(int, int, int, int, int, int, factor_argument<T>, const T*, int, const T*, int,
                           factor_argument<T>, T*, int);

template <class T>
factor_argument<T> argument(const T& factor) {
  if constexpr (is_complex<T>)
    return &factor;
  else
    return factor;
}

/// Empty if there is no such function.
template <class T>
pass gemm_by_gemm(gemm_function<T>* gemm, const gemm_call& call) {
  if (gemm == nullptr) return {};
  return [gemm, call, alpha = T(1), beta = entry_of<T>(double(call.beta), 0)] {
    over_products<T>(call, [&](const T* a, const T* b, T* c) {
      gemm(cblas::column_major, cblas::transposed(call.trans_a), cblas::transposed(call.trans_b), int(call.m),
           int(call.n), int(call.k), argument(alpha), a, int(call.lda), b, int(call.ldb), argument(beta), c,
           int(call.ldc));
    });
  };
}

}  // namespace tessera::bench
