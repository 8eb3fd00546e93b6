// SPDX-License-Identifier: BSD-3-Clause
// peer: another implementation of batched gemm or of element operators, present on this machine or not; and the call.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/scalar.hpp>
#include <tessera/space.hpp>

#include "peers/contraction_call.hpp"
#include "peers/element_call.hpp"
#include "peers/operator_call.hpp"

namespace tessera::bench {

/// C = op(A) op(B) + beta C, column-major, `batch` times with strides, in each of these `rounds` times, and in each of
/// these `loops` times.
struct gemm_call {
  scalar_type type = scalar_type::f64;
  space_kind space = space_kind::cpu;
  index_t m = 1, n = 1, k = 1;
  bool trans_a = false, trans_b = false;
  index_t lda = 1, ldb = 1, ldc = 1;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  index_t batch = 1, stride_a = 0, stride_b = 0, stride_c = 0;
  index_t loops = 1, loop_a = 0, loop_b = 0, loop_c = 0;
  index_t rounds = 1, round_a = 0, round_b = 0, round_c = 0;
  double beta = 0;
  int threads = 1;
  /// The products of an entry come together, and those of the next one later: no call of a peer may have both.
  bool one_group_a_call = false;

  /// Leading dimensions are the stored matrices' own.
  bool is_packed() const { return lda == (trans_a ? k : m) && ldb == (trans_b ? n : k) && ldc == m; }
};

/// One pass over the whole batch; empty if the peer cannot do the call.
using pass = std::function<void()>;

/// One application between L-vectors, and what brings its result to the call's y, untimed; both empty if the peer
/// cannot do the call.
struct operator_pass {
  pass run, fetch;
};

struct peer {
  std::string name;
  std::string version;  // or the reason why it was not found
  bool found = false;
  space_kind space = space_kind::cpu;
  std::function<pass(const gemm_call&)> prepare;
  bool takes_complex = false;
  std::function<pass(const element_call&)> prepare_element = {};
  std::function<operator_pass(const operator_call&)> prepare_operator = {};
  std::function<contraction_pass(const contraction_call&)> prepare_contraction = {};
  /// Of prepare_contraction: it multiplies the matrices of matrix_shape_of(call) that are in the same memory, which is
  /// what a contraction may cost at least, but no contraction.
  bool only_multiplies = false;
};

/// All peers for gemm, found or not, in a fixed order; those for element operators, between L-vectors, and for
/// contractions of two tensors.
std::vector<peer> all_peers();
std::vector<peer> element_peers();
std::vector<peer> operator_peers();
std::vector<peer> contraction_peers();

/// The ones of each family; each is one translation unit, or a replacement that names what was not found.
std::vector<peer> plain_peers();
std::vector<peer> cblas_peers();
std::vector<peer> mkl_peers();
std::vector<peer> libxsmm_peers();
std::vector<peer> eigen_peers();
std::vector<peer> cublas_peers();
std::vector<peer> dealii_peers();
std::vector<peer> libceed_peers();
std::vector<peer> cutensor_peers();
std::vector<peer> bare_gemm_peers();
std::vector<peer> transposing_peers();
std::vector<peer> loop_peers();

/// "all", "none" or names. Throws tessera::error naming an unknown one and those that exist.
std::vector<peer> choose_peers(const std::string& text, std::vector<peer> known() = all_peers);

}  // namespace tessera::bench
