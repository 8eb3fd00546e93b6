// SPDX-License-Identifier: BSD-3-Clause
// Finds the compiled rows of an instruction set, and decides which problems a specialised row can run.
#include <tessera/cpu/detail/gemm_rows.hpp>

#include <vector>

#include <tessera/cpu/detail/reference.hpp>

#include "compiled_parts.hpp"

namespace tessera {

namespace {

constexpr isa_rows reference_rows{.isa = target::reference,
                                  .specialised = {},
                                  .gemm_functions = {&reference_problem<float>, &reference_problem<double>},
                                  .pointwise_functions = {&reference_problem<float>, &reference_problem<double>}};

// One instruction set, whose rows come from several translation units: those of float before those of double.
struct joined {
  std::vector<gemm_row> specialised;
  isa_rows rows;
};

// Appends the rows of the type of the first part, and removes its parts from `parts`.
void join_type(joined& to, std::span<const detail::compiled_part>& parts) {
  const detail::compiled_part first = parts.front();
  std::vector<std::span<const gemm_row>> dealt;
  for (; !parts.empty() && parts.front().isa == first.isa && parts.front().type == first.type; parts = parts.subspan(1))
    dealt.push_back(parts.front().rows().specialised);
  const std::vector<gemm_row> rows = detail::dealt_back(dealt);
  to.specialised.insert(to.specialised.end(), rows.begin(), rows.end());

  const isa_rows& any = first.rows();
  to.rows.entries.join(any.entries);
  to.rows.isa = first.isa;
  if (first.type == scalar_type::f32) {
    to.rows.gemm_functions.f32 = any.gemm_functions.f32;
    to.rows.pointwise_functions.f32 = any.pointwise_functions.f32;
    for (int in = 0; in < 2; ++in) to.rows.gemm_functions_in[in].f32 = any.gemm_functions_in[in].f32;
  } else {
    to.rows.gemm_functions.f64 = any.gemm_functions.f64;
    to.rows.pointwise_functions.f64 = any.pointwise_functions.f64;
    for (int in = 0; in < 2; ++in) to.rows.gemm_functions_in[in].f64 = any.gemm_functions_in[in].f64;
  }
}

std::vector<joined> join_all() {
  std::vector<joined> all;
  const std::vector<detail::compiled_part> parts = detail::compiled_parts();
  for (std::span<const detail::compiled_part> left = parts; !left.empty();) {
    if (all.empty() || all.back().rows.isa != left.front().isa) all.emplace_back();
    join_type(all.back(), left);
  }
  for (joined& one : all) one.rows.specialised = one.specialised;
  return all;
}

template <class T>
bool takes(const gemm_row& row, const problem<T>& p) {
  const factor<const T>&left = p.left[0], &right = p.right[0];
  return row.type == scalar_of<T> && row.m == p.m && (row.n == 0 || row.n == p.n) && row.k == p.k &&
         p.form != canonical::pointwise && p.left_factors == 1 && p.right_factors == 1 &&
         (detail::is_packed(left.map, p.m, p.k) || detail::is_table(left, p.loops)) &&
         (detail::is_packed(right.map, p.k, p.n) || (row.n > 0 && detail::is_table(right, p.loops))) &&
         detail::is_packed(p.out.map, p.m, p.n);
}

}  // namespace

const isa_rows* rows_of(target isa) {
  if (isa == target::reference) return &reference_rows;
  static const std::vector<joined> all = join_all();
  for (const joined& one : all)
    if (one.rows.isa == isa) return &one.rows;
  return nullptr;
}

bool accepts(const gemm_row& row, const problem<float>& p) { return takes(row, p); }
bool accepts(const gemm_row& row, const problem<double>& p) { return takes(row, p); }

}  // namespace tessera
