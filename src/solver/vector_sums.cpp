// SPDX-License-Identifier: BSD-3-Clause
// Checks sums of vectors, and computes them where the vectors are.
#include <tessera/solver/vector_sums.hpp>

#include <algorithm>
#include <string>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/cpu/detail/vectors.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/dot_sums.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/gpu/detail/vector_combination.hpp>
#include <tessera/memory.hpp>

namespace tessera {

namespace {

void combine_on_cpu(index_t n, const double* x, std::span<const scaled_vector> terms, double* y) {
  constexpr index_t block = 1024;  // stays in the first cache
  for_batch_chunks((n + block - 1) / block, [&](index_t first, index_t last) {
    double sums[block];
    for (index_t from = first * block; from < std::min(n, last * block); from += block) {
      const index_t count = std::min(block, n - from);
      for (index_t i = 0; i < count; ++i) sums[i] = x == nullptr ? 0 : x[from + i];
      for (const auto& [factor, vector] : terms)
        for (index_t i = 0; i < count; ++i) sums[i] += factor * vector[from + i];
      std::copy(sums, sums + count, y + from);
    }
  });
}

}  // namespace

void combine(index_t n, const double* x, std::span<const scaled_vector> terms, double* y, space_kind space,
             stream_view in) {
  if (n < 0) throw error("combine: vectors of " + std::to_string(n) + " numbers");
  if (terms.size() > std::size_t(most_scaled_vectors))
    throw error("combine: " + std::to_string(terms.size()) + " vectors, of which there may be " +
                std::to_string(most_scaled_vectors));
  if (n == 0) return;
  if (y == nullptr) throw error("combine: y is a null pointer", status::null_pointer);
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (terms[k].vector == nullptr)
      throw error("combine: vector " + std::to_string(k) + " is a null pointer", status::null_pointer);
  if (space == space_kind::cpu) return combine_on_cpu(n, x, terms, y);
  device::vector_combination what{.x = x, .y = y, .count = int(terms.size())};
  for (std::size_t k = 0; k < terms.size(); ++k) {
    what.factors[k] = terms[k].factor;
    what.vectors[k] = terms[k].vector;
  }
  device::combine(n, what, in.handle());
}

namespace {

// In device memory.
struct device_sum {
  double sum;
  unsigned blocks_done;
};

}  // namespace

inner_product::inner_product(index_t longest, space_kind space) : longest_(longest), space_(space) {
  if (longest < 0) throw error("inner_product: vectors of " + std::to_string(longest) + " numbers");
  if (space == space_kind::cpu || longest == 0) return;
  result_ = buffer(space, sizeof(device_sum));
  partial_ = buffer(space, std::size_t(device::dot_partials(longest, 0, 0)) * sizeof(double));
}

double inner_product::operator()(index_t n, const double* a, const double* b, stream_view in) const {
  if (n < 0 || n > longest_)
    throw error("inner_product: " + std::to_string(n) + " numbers, not 0 to " + std::to_string(longest_));
  if (n == 0) return 0;
  if (a == nullptr || b == nullptr) throw error("inner_product: a null pointer", status::null_pointer);
  if (space_ == space_kind::cpu) return detail::dot(n, a, b);
  auto* const to = static_cast<device_sum*>(result_.data());
  device::sum_products(
      n, a, b, {.sum = &to->sum, .partial = static_cast<double*>(partial_.data()), .blocks_done = &to->blocks_done},
      in.handle());
  in.synchronize();
  double sum = 0;
  device::copy(&sum, &to->sum, sizeof sum, device::direction::device_to_host);
  return sum;
}

}  // namespace tessera
