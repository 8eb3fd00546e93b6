// SPDX-License-Identifier: BSD-3-Clause
// Looks up the compiled rows of an instruction set, and says which problems a specialised row may run.
#include <tessera/cpu/rows.hpp>

#include <vector>

#include <tessera/cpu/reference.hpp>

#include "tables.hpp"

namespace tessera {

namespace {

constexpr isa_rows reference_rows{.isa = target::reference,
                                  .specialised = {},
                                  .generic_tuning = {},
                                  .gemm_functions = {&reference_problem<float>, &reference_problem<double>},
                                  .pointwise_functions = {&reference_problem<float>, &reference_problem<double>}};

// One ISA with both types side by side.
struct joined {
  std::vector<gemm_row> specialised;
  isa_rows rows;

  joined(const isa_rows& f32, const isa_rows& f64) : specialised(f32.specialised.begin(), f32.specialised.end()) {
    specialised.insert(specialised.end(), f64.specialised.begin(), f64.specialised.end());
    rows = {f64.isa,
            specialised,
            f64.generic_tuning,
            {f32.gemm_functions.f32, f64.gemm_functions.f64},
            {f32.pointwise_functions.f32, f64.pointwise_functions.f64}};
  }
};

std::vector<joined> join_all() {
  std::vector<joined> all;
  for (const compiled_isa& isa : compiled_isas()) all.emplace_back(isa.f32(), isa.f64());
  return all;
}

template <class T>
bool takes(const gemm_row& row, const problem<T>& p) {
  return row.type == scalar_of<T> && row.m == p.m && (row.n == 0 || row.n == p.n) && row.k == p.k &&
         p.form != canonical::pointwise && p.left_factors == 1 && p.right_factors == 1 &&
         detail::is_packed(p.left[0].map, p.m, p.k) && detail::is_packed(p.right[0].map, p.k, p.n) &&
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
