// SPDX-License-Identifier: BSD-3-Clause
// Passes over A, B and C around a contraction.
#include "peers/separate_passes.hpp"

#include <memory>

#include <tessera/memory.hpp>

#include "entry_types.hpp"
#include "gpu/entry_function.hpp"

namespace tessera::bench {

namespace {

void take_on_cpu(scalar_type type, const void* from, void* to, index_t entries, double slope, int threads) {
  with_type(type, [&](auto entry) {
    using T = decltype(entry);
    if constexpr (!is_complex<T>) {
      const auto* const x = static_cast<const T*>(from);
      auto* const y = static_cast<T*>(to);
#pragma omp parallel for schedule(static) num_threads(threads)
      for (index_t i = 0; i < entries; ++i) {
        const auto value = double(x[i]);
        y[i] = value > 0 ? x[i] : entry_of<T>(slope * value, 0);
      }
    }
  });
}

void take(const contraction_call& call, scalar_type type, const void* from, void* to, index_t entries, double slope) {
  if (call.space == space_kind::gpu) return device::leaky_relu_pass(type, from, to, std::size_t(entries), slope);
  take_on_cpu(type, from, to, entries, slope, call.threads);
}

}  // namespace

contraction_pass by_separate_passes(const peer& p, const contraction_call& call, double slope) {
  if (is_complex_type(call.type.in)) return {};
  const auto memory = [&](int tensor) {
    return std::make_shared<buffer>(call.space, std::size_t(call.entries(tensor)) * size_of(call.type.in));
  };
  const auto a = memory(0), b = memory(1);
  contraction_call between = call;
  between.a = a->data();
  between.b = b->data();
  // A peer may try its kernels on what is there, which is all it needs for times; NaN could be slower or faster.
  take(call, call.type.in, call.a, a->data(), call.entries(0), slope);
  take(call, call.type.in, call.b, b->data(), call.entries(1), slope);
  contraction_pass contracted = p.prepare_contraction(between);
  if (!contracted.run) return {};
  const auto run = [=, contract = std::move(contracted.run)] {
    take(call, call.type.in, call.a, a->data(), call.entries(0), slope);
    take(call, call.type.in, call.b, b->data(), call.entries(1), slope);
    contract();
    take(call, call.type.out, call.c, call.c, call.entries(2), slope);
  };
  return {run, contracted.describe + ", leaky_relu in passes of their own over A, B and C", contracted.brief};
}

}  // namespace tessera::bench
