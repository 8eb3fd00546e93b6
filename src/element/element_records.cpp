// SPDX-License-Identifier: BSD-3-Clause
// The embedded records of element kernels, and of those of matrices.
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/matrix_choice.hpp>

#include "embedded_elements.hpp"
#include "kernel_hashes.hpp"

namespace tessera {

std::span<const tuned_element> element_records() { return detail::embedded_elements; }
std::span<const tuned_matrix> matrix_records() { return detail::embedded_matrices; }
std::span<const tuned_element_run> element_run_records() { return detail::embedded_element_runs; }

std::string_view element_source_hash(target on) {
  return on == target::cuda ? detail::element_kernel_hash : detail::element_run_kernel_hash;
}

std::string_view matrix_source_hash() { return detail::matrix_kernel_hash; }

namespace {

bool same(const point_shape& a, const point_shape& b) {
  return a.components == b.components && a.value == b.value && a.gradient == b.gradient;
}

}  // namespace

bool is_of(const element_kernel_facts& recorded, const element_kernel_facts& wanted) {
  const element_kernel_facts &a = recorded, &b = wanted;
  return a.dim == b.dim && a.trial == b.trial && a.points == b.points && a.test == b.test &&
         same(a.of_trial, b.of_trial) && same(a.of_test, b.of_test) && a.factors == b.factors && a.nodal == b.nodal &&
         a.mirrors == b.mirrors && a.several == b.several && a.repeats == b.repeats && a.unit == b.unit &&
         a.entry_bytes == b.entry_bytes && a.stored_bytes == b.stored_bytes && a.geometry == b.geometry &&
         a.own_slopes == b.own_slopes;
}

}  // namespace tessera
