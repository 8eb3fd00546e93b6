// SPDX-License-Identifier: BSD-3-Clause
// OpenBLAS and BLIS through cblas, one call a product, each call on one thread.
#include <string>

#include "measure/shared_library.hpp"
#include "peers/over_batch.hpp"

namespace tessera::bench {

namespace {

// The values in every cblas.h.
constexpr int column_major = 102, no_transpose = 111, transpose = 112;

template <class T>
using gemm_function = void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);

template <class T>
pass prepare_with(gemm_function<T>* gemm, const gemm_call& call) {
  if (gemm == nullptr) return {};
  return [gemm, call] {
    over_products<T>(call, [&](const T* a, const T* b, T* c) {
      gemm(column_major, call.trans_a ? transpose : no_transpose, call.trans_b ? transpose : no_transpose, int(call.m),
           int(call.n), int(call.k), T(1), a, int(call.lda), b, int(call.ldb), T(call.beta), c, int(call.ldc));
    });
  };
}

peer through(const char* name, const shared_library& library, const std::string& version) {
  if (!library.is_open()) return {name, "its shared library was not found", false, space_kind::cpu, {}};
  auto* const dgemm = library.find<gemm_function<double>>("cblas_dgemm");
  auto* const sgemm = library.find<gemm_function<float>>("cblas_sgemm");
  return {name, version, dgemm != nullptr && sgemm != nullptr, space_kind::cpu, [=](const gemm_call& call) -> pass {
            return call.type == scalar_type::f64 ? prepare_with<double>(dgemm, call) : prepare_with<float>(sgemm, call);
          }};
}

}  // namespace

std::vector<peer> cblas_peers() {
  static const shared_library openblas{"libopenblas.so.0", "libopenblas.so"};
  static const shared_library blis{"libblis.so.4", "libblis.so"};
  std::string openblas_version, blis_version;
  if (auto* text = openblas.find<const char*()>("openblas_get_config")) openblas_version = text();
  if (auto* text = blis.find<const char*()>("bli_info_get_version_str")) blis_version = std::string("BLIS ") + text();
  // Only our own threads run.
  if (auto* set = openblas.find<void(int)>("openblas_set_num_threads")) set(1);
  if (auto* set = blis.find<void(long)>("bli_thread_set_num_threads")) set(1);
  return {through("openblas", openblas, openblas_version), through("blis", blis, blis_version)};
}

}  // namespace tessera::bench
