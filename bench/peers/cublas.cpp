// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, strided-batched and pointer-batched, opened at run time; on the default stream, like the plans measured here.
#include <array>
#include <memory>

#include <tessera/memory.hpp>
#include <tessera/scaling.hpp>

#include "measure/gpu/device.hpp"
#include "peers/cublas_library.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

namespace {

using handle = cublas_handle;
template <class T>
using strided_function = int(handle, int, int, int, int, int, const T*, const T*, int, long long, const T*, int,
                             long long, const T*, T*, int, long long, int);
template <class T>
using pointer_function = int(handle, int, int, int, int, int, const T*, const T* const*, int, const T* const*, int,
                             const T*, T* const*, int, int);

template <class T>
pass strided(const char* name, const gemm_call& call) {
  auto* const gemm = opened_cublas().library.find<strided_function<T>>(name);
  if (gemm == nullptr || call.loops != 1 || call.rounds != 1) return {};
  return [gemm, call, alpha = T(1), beta = tessera::detail::factor_in<T>(call.beta)] {
    gemm(opened_cublas().context, call.trans_a, call.trans_b, int(call.m), int(call.n), int(call.k), &alpha,
         static_cast<const T*>(call.a), int(call.lda), call.stride_a, static_cast<const T*>(call.b), int(call.ldb),
         call.stride_b, &beta, static_cast<T*>(call.c), int(call.ldc), call.stride_c, int(call.batch));
  };
}

// Device addresses of every product's operand.
std::shared_ptr<buffer> addresses(const void* base, const gemm_call& call, index_t stride, index_t loop) {
  const std::size_t bytes = size_of(call.type);
  std::vector<const char*> all;
  all.reserve(std::size_t(call.batch * call.loops));
  for (index_t e = 0; e < call.batch; ++e)
    for (index_t l = 0; l < call.loops; ++l)
      all.push_back(static_cast<const char*>(base) + std::size_t(e * stride + l * loop) * bytes);
  auto on_device = std::make_shared<buffer>(space_kind::gpu, all.size() * sizeof(char*));
  device::upload(on_device->data(), all.data(), all.size() * sizeof(char*));
  return on_device;
}

template <class T>
pass pointers(const char* name, const gemm_call& call) {
  auto* const gemm = opened_cublas().library.find<pointer_function<T>>(name);
  if (gemm == nullptr || call.rounds != 1) return {};
  const auto a = addresses(call.a, call, call.stride_a, call.loop_a);
  const auto b = addresses(call.b, call, call.stride_b, call.loop_b);
  const auto c = addresses(call.c, call, call.stride_c, call.loop_c);
  return [=, alpha = T(1), beta = tessera::detail::factor_in<T>(call.beta)] {
    gemm(opened_cublas().context, call.trans_a, call.trans_b, int(call.m), int(call.n), int(call.k), &alpha,
         static_cast<const T* const*>(a->data()), int(call.lda), static_cast<const T* const*>(b->data()), int(call.ldb),
         &beta, static_cast<T* const*>(c->data()), int(call.ldc), int(call.batch * call.loops));
  };
}

using preparation = pass (*)(const char*, const gemm_call&);

// A function for each type, S D C Z in the order of scalar_type.
peer interface(const char* name, const preparation (&prepare)[4], const char* const (&functions)[4]) {
  const std::array<preparation, 4> by_type{prepare[0], prepare[1], prepare[2], prepare[3]};
  const std::array<const char*, 4> named{functions[0], functions[1], functions[2], functions[3]};
  const auto of_call = [=](const gemm_call& call) -> pass {
    const auto type = std::size_t(call.type);
    return type < by_type.size() ? by_type[type](named[type], call) : pass{};
  };
  return {name, opened_cublas().version, opened_cublas().context != nullptr, space_kind::gpu, of_call, true};
}

}  // namespace

std::vector<peer> cublas_peers() {
  return {
      interface("cublas-strided", {strided<float>, strided<double>, strided<complex<float>>, strided<complex<double>>},
                {"cublasSgemmStridedBatched", "cublasDgemmStridedBatched", "cublasCgemmStridedBatched",
                 "cublasZgemmStridedBatched"}),
      interface("cublas-pointers",
                {pointers<float>, pointers<double>, pointers<complex<float>>, pointers<complex<double>>},
                {"cublasSgemmBatched", "cublasDgemmBatched", "cublasCgemmBatched", "cublasZgemmBatched"})};
}

}  // namespace tessera::bench
