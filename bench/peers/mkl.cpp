// SPDX-License-Identifier: BSD-3-Clause
// Intel MKL: cblas gemm once a product, one call for many products, and kernels that it generates for the shape.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "peers/cblas.hpp"
#include "peers/mkl_library.hpp"

namespace tessera::bench {

namespace {

template <class T>
using batch_function = void(int layout, int trans_a, int trans_b, int m, int n, int k, T alpha, const T* a, int lda,
                            int stride_a, const T* b, int ldb, int stride_b, T beta, T* c, int ldc, int stride_c,
                            int count);
template <class T>
using jit_create = int(void** code, int layout, int trans_a, int trans_b, int m, int n, int k, T alpha, int lda,
                       int ldb, T beta, int ldc);
template <class T>
using jit_kernel = void(void* code, const T* a, const T* b, T* c);
template <class T>
using jit_get = jit_kernel<T>*(const void* code);
using jit_destroy = int(void* code);

// What `jit_create` returns where it generated code; else its kernel is the ordinary gemm, or there is none.
constexpr int generated = 0;

template <class T>
struct entry_points;
template <>
struct entry_points<double> {
  static constexpr const char *gemm = "cblas_dgemm", *batch = "cblas_dgemm_batch_strided",
                              *create = "mkl_cblas_jit_create_dgemm", *get = "mkl_jit_get_dgemm_ptr";
};
template <>
struct entry_points<float> {
  static constexpr const char *gemm = "cblas_sgemm", *batch = "cblas_sgemm_batch_strided",
                              *create = "mkl_cblas_jit_create_sgemm", *get = "mkl_jit_get_sgemm_ptr";
};

// The smallest and largest distances and counts that a call takes.
bool fits(index_t value, index_t least = 0) { return value >= least && value <= std::numeric_limits<int>::max(); }

template <class T>
pass in_batches(const gemm_call& call) {
  auto* const batch = mkl_library().find<batch_function<T>>(entry_points<T>::batch);
  const bool all_fit = fits(call.stride_a) && fits(call.stride_b) && fits(call.stride_c) && fits(call.loop_a) &&
                       fits(call.loop_b) && fits(call.loop_c) && fits(call.batch) && fits(call.loops);
  if (batch == nullptr || !all_fit) return {};
  return [batch, call] {
    over_ranges(call, [&](index_t first, index_t last) {
      const auto run = [&](index_t e, index_t r, index_t l, index_t by_a, index_t by_b, index_t by_c, index_t count) {
        const auto from = [&](index_t stride, index_t round, index_t loop) {
          return e * stride + r * round + l * loop;
        };
        batch(cblas::column_major, cblas::transposed(call.trans_a), cblas::transposed(call.trans_b), int(call.m),
              int(call.n), int(call.k), T(1),
              static_cast<const T*>(call.a) + from(call.stride_a, call.round_a, call.loop_a), int(call.lda), int(by_a),
              static_cast<const T*>(call.b) + from(call.stride_b, call.round_b, call.loop_b), int(call.ldb), int(by_b),
              T(call.beta), static_cast<T*>(call.c) + from(call.stride_c, call.round_c, call.loop_c), int(call.ldc),
              int(by_c), int(count));
      };
      // Of the two loops the longer one is inside the call.
      if (call.one_group_a_call || call.loops > last - first)
        for (index_t e = first; e < last; ++e)
          for (index_t r = 0; r < call.rounds; ++r) run(e, r, 0, call.loop_a, call.loop_b, call.loop_c, call.loops);
      else
        for (index_t r = 0; r < call.rounds; ++r)
          for (index_t l = 0; l < call.loops; ++l)
            run(first, r, l, call.stride_a, call.stride_b, call.stride_c, last - first);
    });
  };
}

template <class T>
pass generated_for(const gemm_call& call) {
  auto* const create = mkl_library().find<jit_create<T>>(entry_points<T>::create);
  auto* const get = mkl_library().find<jit_get<T>>(entry_points<T>::get);
  auto* const destroy = mkl_library().find<jit_destroy>("mkl_jit_destroy");
  if (create == nullptr || get == nullptr || destroy == nullptr) return {};
  void* code = nullptr;
  const int status =
      create(&code, cblas::column_major, cblas::transposed(call.trans_a), cblas::transposed(call.trans_b), int(call.m),
             int(call.n), int(call.k), T(1), int(call.lda), int(call.ldb), T(call.beta), int(call.ldc));
  const std::shared_ptr<void> owner(code, [destroy](void* given) {
    if (given != nullptr) destroy(given);
  });
  if (status != generated) return {};
  jit_kernel<T>* const kernel = get(code);
  if (kernel == nullptr) return {};
  return [=] { over_products<T>(call, [&](const T* a, const T* b, T* c) { kernel(owner.get(), a, b, c); }); };
}

template <class T>
pass one_by_one(const gemm_call& call) {
  return gemm_by_gemm<T>(mkl_library().find<gemm_function<T>>(entry_points<T>::gemm), call);
}

using prepare_function = pass(const gemm_call&);

peer variant(const char* name, prepare_function* in_float, prepare_function* in_double) {
  if (!mkl_library().is_open()) return {name, why_no_mkl(), false, space_kind::cpu, {}};
  // A product of two numbers: whether it can, and then the kernels are loaded whose name the version has.
  const double a = 2, b = 3;
  double c = 0;
  gemm_call probe;
  probe.a = &a;
  probe.b = &b;
  probe.c = &c;
  probe.stride_a = probe.stride_b = probe.stride_c = 1;
  const pass run = in_double(probe);
  if (!run) return {name, mkl_version() + " has none for this processor", false, space_kind::cpu, {}};
  run();
  return {name, mkl_version(), true, space_kind::cpu, [=](const gemm_call& call) -> pass {
            return call.type == scalar_type::f64 ? in_double(call) : in_float(call);
          }};
}

}  // namespace

std::vector<peer> mkl_peers() {
  return {variant("mkl", one_by_one<float>, one_by_one<double>),
          variant("mkl-batch", in_batches<float>, in_batches<double>),
          variant("mkl-jit", generated_for<float>, generated_for<double>)};
}

}  // namespace tessera::bench
