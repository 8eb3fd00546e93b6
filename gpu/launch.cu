// SPDX-License-Identifier: BSD-3-Clause
// Choosing, describing and launching rows: all checks of a launch.
#include "check_operands.hpp"
#include "cuda_call.hpp"
#include "gemm_rows.hpp"

#include <utility>

#include <tessera/detail/choose.hpp>
#include <tessera/detail/tuning_text.hpp>
#include <tessera/gpu/detail/bind.cuh>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

namespace {

// Records of one size and tuning use one kernel.
const compiled_row* find_row(int record) {
  const int wanted = gpu_gemm_records[record].row;
  for (const auto& part : compiled_parts())
    for (const compiled_row& row : part)
      if (row.record == wanted) return &row;
  return nullptr;
}

// A column-major matrix as a row-major one.
run_time_map turned(const run_time_map& map) {
  run_time_map other = map;
  std::swap(other.row, other.col);
  return other;
}

template <class T>
bool has_layouts(const factor<T>& f, const matrix_count& n, packed_layout wanted) {
  const bool in_order = is_by_rows(wanted) ? tessera::detail::is_packed(turned(f.map), n.cols, n.rows)
                                           : tessera::detail::is_packed(f.map, n.rows, n.cols);
  return in_order && f.lanes == 1 && (is_shared(wanted) ? is_shared(f, n) : is_packed(f, n));
}

template <class T>
std::optional<packed_layout> layout_of(const factor<T>& f, const matrix_count& n) {
  for (const packed_layout l :
       {packed_layout::by_cols, packed_layout::by_rows, packed_layout::shared_by_cols, packed_layout::shared_by_rows})
    if (has_layouts(f, n, l)) return l;
  return std::nullopt;
}

template <class Problem>
bool has_single_factors(const Problem& p) {
  return p.left_factors == 1 && p.right_factors == 1;
}

template <class Problem>
bool problem_has_layouts(const Problem& p, const packed_layouts& wanted) {
  return has_single_factors(p) && !is_shared(wanted.out) &&
         has_layouts(p.left[0], {p.m, p.k, p.loops, p.batch}, wanted.left) &&
         has_layouts(p.right[0], {p.k, p.n, p.loops, p.batch}, wanted.right) &&
         has_layouts(p.out, {p.m, p.n, p.loops, p.batch}, wanted.out);
}

template <class Problem>
std::optional<packed_layouts> layouts_of_problem(const Problem& p) {
  if (!has_single_factors(p)) return std::nullopt;
  const auto left = layout_of(p.left[0], {p.m, p.k, p.loops, p.batch});
  const auto right = layout_of(p.right[0], {p.k, p.n, p.loops, p.batch});
  const auto out = layout_of(p.out, {p.m, p.n, p.loops, p.batch});
  if (!left || !right || !out || is_shared(*out)) return std::nullopt;
  return packed_layouts{*left, *right, *out};
}

template <class T>
problem_members<T> typed(const any_members& from) {
  const auto of = [](const void* members) { return static_cast<const T* const*>(members); };
  return {
      {of(from.left[0]), of(from.left[1])}, {of(from.right[0]), of(from.right[1])}, static_cast<T* const*>(from.out)};
}

template <class Problem>
bool is_empty(const Problem& p) {
  return p.batch <= 0 || p.loops <= 0 || p.m <= 0 || p.n <= 0;
}

template <class T>
void launch_checked(const problem<T>& p, const problem_members<T>& members, void* stream) {
  require_device("launch");
  if (is_empty(p)) return;
  check_operands(p, name_of(p), members);
  launch_groups(p, members, name_of(p), stream);
}

template <class T>
void launch_checked(const problem<T>& p, const gemm_choice& choice, void* stream) {
  require_device("launch");
  if (is_empty(p)) return;
  const kernel_name name = name_of(p);
  check_operands(p, name);
  if (p.form == canonical::pointwise) return launch_pointwise(p, name, stream);
  if (choice.record == gemm_choice::generic) return launch_generic(p, name, stream);
  if (!accepts(choice, p))
    throw error(name.text() + ": the row \"" + describe(choice, scalar_of<T>) + "\" does not compute this problem",
                status::internal);
  const compiled_row* row = find_row(choice.record);
  if constexpr (sizeof(T) == sizeof(float))
    row->f32(p, name, stream);
  else
    row->f64(p, name, stream);
}

}  // namespace

void check_launch(const kernel_name& name, const launch_shape& shape, cudaError_t result) {
  if (result == cudaSuccess) return;
  check(name.text() + ": launch of " + std::to_string(shape.x) + "x" + std::to_string(shape.y) + " blocks of " +
            std::to_string(shape.threads) + " threads with " + std::to_string(shape.shared) +
            " bytes of shared memory failed",
        result);
}

void check_factor(const void* data, const void* members, const index_t* table, const char* which,
                  const kernel_name& name) {
  if (members == nullptr && data == nullptr)
    throw error(name.text() + ": null pointer for the " + which, status::null_pointer);
  if (members != nullptr && !is_device_pointer(members))
    throw error(name.text() + ": the array of addresses of the " + which + " is not in device memory",
                status::wrong_space);
  if (members == nullptr && !is_device_pointer(data))
    throw error(name.text() + ": the " + which + " is not in device memory", status::wrong_space);
  if (table != nullptr && !is_device_pointer(table))
    throw error(name.text() + ": the table of the " + which + " is not in device memory", status::wrong_space);
}

bool has_row(int record) { return find_row(record) != nullptr; }

template <class T>
  requires is_real_scalar<T>
bool has_layouts(const problem<T>& p, const packed_layouts& wanted) { return problem_has_layouts(p, wanted); }
bool has_layouts(const any_problem& any, const packed_layouts& wanted) {
  return std::visit([&](const auto& p) { return problem_has_layouts(p, wanted); }, any);
}

template <class T>
  requires is_real_scalar<T> std::optional<packed_layouts> layouts_of(const problem<T>& p) {
    return layouts_of_problem(p);
  }
std::optional<packed_layouts> layouts_of(const any_problem& any) {
  return std::visit([](const auto& p) { return layouts_of_problem(p); }, any);
}

template <class T>
  requires is_real_scalar<T>
bool accepts(const gemm_choice& choice, const problem<T>& p) {
  if (choice.record == gemm_choice::generic) return true;
  if (choice.record < 0 || choice.record >= gpu_gemm_record_count || p.form == canonical::pointwise) return false;
  const gpu_gemm_record& r = gpu_gemm_records[choice.record];
  return r.type == scalar_of<T> && r.m == p.m && r.n == p.n && r.k == p.k && has_layouts(p) &&
         find_row(choice.record) != nullptr;
}

template <class T>
  requires is_real_scalar<T> gemm_choice choose(const problem<T>& p) {
    const gemm_choice wanted{tessera::choose(query_of(target::cuda, p)).record};
    return accepts(wanted, p) ? wanted : gemm_choice{};
  }

std::string describe(const gemm_choice& choice, const product_types& type) {
  if (choice.record < 0 || choice.record >= gpu_gemm_record_count)
    return std::string("gemm ") + tessera::name_of(type) + ", any size and layout: generic row, tiles chosen at launch";
  const gpu_gemm_record& r = gpu_gemm_records[choice.record];
  return std::string("gemm ") + tessera::name_of(r.type) + " " + std::to_string(r.m) + "x" + std::to_string(r.n) + "x" +
         std::to_string(r.k) + ", packed: " + detail::text_of(r.tuning);
}

void launch(const problem<float>& p, const gemm_choice& choice, void* stream) { launch_checked(p, choice, stream); }
void launch(const problem<double>& p, const gemm_choice& choice, void* stream) { launch_checked(p, choice, stream); }
void launch_members(const problem<float>& p, const problem_members<float>& members, void* stream) {
  launch_checked(p, members, stream);
}
void launch_members(const problem<double>& p, const problem_members<double>& members, void* stream) {
  launch_checked(p, members, stream);
}
void launch_any(const any_problem& any, const any_members& members, void* stream) {
  require_device("launch");
  const auto checked = [&]<class In, class Out, class Sum>(const problem<In, Out, Sum>& p) {
    if (is_empty(p)) return;
    check_operands(p, name_of(p), members);
    if constexpr (tessera::detail::is_real_problem<problem<In, Out, Sum>>)
      launch_groups(p, typed<In>(members), name_of(p), stream);
    else
      launch_generic_any(any, members, name_of(p), stream);
  };
  std::visit(checked, any);
}

template bool has_layouts(const problem<float>&, const packed_layouts&);
template bool has_layouts(const problem<double>&, const packed_layouts&);
template std::optional<packed_layouts> layouts_of(const problem<float>&);
template std::optional<packed_layouts> layouts_of(const problem<double>&);
template bool accepts(const gemm_choice&, const problem<float>&);
template bool accepts(const gemm_choice&, const problem<double>&);
template gemm_choice choose(const problem<float>&);
template gemm_choice choose(const problem<double>&);

}  // namespace tessera::device
