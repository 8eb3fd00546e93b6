// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives: a thread for each pair of functions of the last direction, or products of warps.
#include <tessera/gpu/detail/element/product_tables.hpp>

#include "matrix_ways.hpp"

namespace tessera::detail {

namespace {

struct pairs {
  // body(function) of a symmetric operator of derivatives and one component.
  template <class Body>
  static auto with_slopes(const matrix_facts& f, const Body& body) {
    return with_function(f.kind, f.dim, [&]<class F>(const F& function) {
      if constexpr (F::symmetric && F::dim > 1 && F::trial.components == 1 && F::trial.gradient)
        return body(function);
      else
        return body(pointwise::diffusion<3>{});
    });
  }

  static product_layout layout_of(const matrix_facts& f, const matrix_tuning& t) {
    return with_slopes(f, [&]<class F>(const F&) {
      return product_layout{product_sizes_of<F>(f.trial, f.points, f.packed), t};
    });
  }

  static const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& m) {
    if (const char* why = why_not_of_slopes(f); *why != '\0') return why;
    const bool alone = t.way == matrix_way::threads;
    if (!alone && f.dim != 3) return "products of warps are for 3-D";
    if (!alone && !m.tensor_cores) return "no tensor cores for double";
    if (alone ? f.dim == 3 && (f.trial > 2 || f.points > 3) : f.trial > 4 || f.points > 4)
      return "numbers of a pair do not fit registers";
    if (t.elements < 1 || t.sharing < 1) return "a block has nothing to do";
    if (t.sliced) return "matrices of a block are whole";
    const product_layout layout = layout_of(f, t);
    return why_unfit_block(t, layout.bytes(), layout.staged_entries(), m);
  }

  static device::jit_source source(const device::matrix_kernel& k) {
    const std::string rest = std::string(word(k.stored)) + ", " + k.function + ", " + form_and_shape(k, false);
    if (k.tuning.way == matrix_way::threads) return source_of_program("thread_matrices", "thread_program<" + rest);
    return source_of_program("held_matrices", "held_program<tessera::device::tensor_core, " + rest);
  }

  template <class T>
  static matrix_launch<T> launch(const matrix_request& r, const matrix_tuning& t) {
    const product_layout layout = layout_of(r.facts, t);
    const std::vector<double> slopes = r.slopes();
    matrix_launch<T> of;
    of.text = std::string("pairs of the last direction, ") +
              (layout.alone() ? "a thread each, " : "by products of warps, ") + matrices_text(t.elements) + " by " +
              std::to_string(t.threads);
    of.constants = numbers_of<T>(device::constants_of_products(layout, r.tables.interpolate, slopes));
    of.places = device::places_of_products(layout);
    of.tables = device::product_fragments(layout, r.tables.interpolate, slopes).all();
    of.bytes = layout.bytes();
    return of;
  }
};

}  // namespace

constexpr points_served near{.fewer = 1, .more = 1};
extern const known_way by_threads{pairs::why_unfit, pairs::source, pairs::launch<float>, pairs::launch<double>, near};
extern const known_way by_held_data{pairs::why_unfit, pairs::source, pairs::launch<float>, pairs::launch<double>, near};

}  // namespace tessera::detail
