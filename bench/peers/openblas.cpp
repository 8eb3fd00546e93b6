// SPDX-License-Identifier: BSD-3-Clause
// One large product by OpenBLAS.
#include "peers/openblas.hpp"

#include "measure/shared_library.hpp"
#include "peers/cblas.hpp"

namespace tessera::bench {

namespace {

using threads_function = void(int);

const shared_library& openblas_file() {
  static const shared_library file{"libopenblas.so.0", "libopenblas.so"};
  return file;
}

template <class T>
std::function<void(const void*, const void*, void*)> product_of(const char* name, const large_product& what) {
  auto* const gemm = openblas_file().find<gemm_function<T>>(name);
  auto* const set_threads = openblas_file().find<threads_function>("openblas_set_num_threads");
  if (gemm == nullptr || set_threads == nullptr) return {};
  return [=, alpha = T(1), beta = entry_of<T>(what.beta, 0)](const void* a, const void* b, void* c) {
    // The peers of batches of small products run on the threads of their callers.
    set_threads(what.threads);
    gemm(cblas::column_major, cblas::transposed(what.trans_a), cblas::transposed(what.trans_b), int(what.m),
         int(what.n), int(what.k), argument(alpha), static_cast<const T*>(a), int(what.trans_a ? what.k : what.m),
         static_cast<const T*>(b), int(what.trans_b ? what.n : what.k), argument(beta), static_cast<T*>(c),
         int(what.m));
    set_threads(1);
  };
}

}  // namespace

std::string openblas_version() {
  auto* const text = openblas_file().find<const char*()>("openblas_get_config");
  return text == nullptr ? "" : text();
}

std::function<void(const void*, const void*, void*)> by_openblas(const large_product& what) {
  switch (what.type) {
    case scalar_type::f32: return product_of<float>("cblas_sgemm", what);
    case scalar_type::f64: return product_of<double>("cblas_dgemm", what);
    case scalar_type::c32: return product_of<complex<float>>("cblas_cgemm", what);
    case scalar_type::c64: return product_of<complex<double>>("cblas_zgemm", what);
    default: return {};
  }
}

}  // namespace tessera::bench
