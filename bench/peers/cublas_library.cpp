// SPDX-License-Identifier: BSD-3-Clause
// Opens cuBLAS.
#include "peers/cublas_library.hpp"

#include <tessera/target.hpp>

namespace tessera::bench {

cublas::cublas() {
  if (!library.is_open()) return;
  auto* const create = library.find<int(cublas_handle*)>("cublasCreate_v2");
  if (!is_available(target::cuda) || create == nullptr || create(&context) != 0) {
    context = nullptr;
    version = "no device";
    return;
  }
  int number = 0;
  if (auto* get = library.find<int(cublas_handle, int*)>("cublasGetVersion_v2")) get(context, &number);
  version = "cuBLAS " + std::to_string(number);
}

const cublas& opened_cublas() {
  static const cublas once;
  return once;
}

}  // namespace tessera::bench
