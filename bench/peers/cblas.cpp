// SPDX-License-Identifier: BSD-3-Clause
// OpenBLAS and BLIS through cblas, one call a product, each call on one thread.
#include <string>

#include "measure/shared_library.hpp"
#include "peers/cblas.hpp"

namespace tessera::bench {

namespace {

peer through(const char* name, const shared_library& library, const std::string& version) {
  if (!library.is_open()) return {name, "its shared library was not found", false, space_kind::cpu, {}};
  auto* const dgemm = library.find<gemm_function<double>>("cblas_dgemm");
  auto* const sgemm = library.find<gemm_function<float>>("cblas_sgemm");
  auto* const zgemm = library.find<gemm_function<complex<double>>>("cblas_zgemm");
  auto* const cgemm = library.find<gemm_function<complex<float>>>("cblas_cgemm");
  const auto prepare = [=](const gemm_call& call) -> pass {
    switch (call.type) {
      case scalar_type::f32: return gemm_by_gemm<float>(sgemm, call);
      case scalar_type::f64: return gemm_by_gemm<double>(dgemm, call);
      case scalar_type::c32: return gemm_by_gemm<complex<float>>(cgemm, call);
      case scalar_type::c64: return gemm_by_gemm<complex<double>>(zgemm, call);
      default: return {};
    }
  };
  return {name, version, dgemm != nullptr && sgemm != nullptr, space_kind::cpu, prepare, true};
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
