// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives in 3-D: strips of columns, on tensor cores.
#include <tessera/gpu/detail/element/strip_tables.hpp>

#include "matrix_ways.hpp"

namespace tessera::detail {

namespace {

struct strips {
  static strip_layout layout_of(const matrix_facts& f, const matrix_tuning& t) {
    return {{f.trial, f.points, f.packed}, t};
  }

  static const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& m) {
    if (const char* why = why_not_of_slopes(f); *why != '\0') return why;
    if (f.dim != 3) return "it is for 3-D";
    if (!m.tensor_cores) return "no tensor cores for double";
    if (f.trial > strip_layout::square || f.points > strip_layout::square)
      return "functions and points do not fit a product";
    if (t.elements != 1) return "a block has no more than one matrix";
    if (t.staged < 1 || t.staged > 2) return "one strip is staged, or two";
    return why_unfit_block(t, layout_of(f, t).bytes(), 0, m);
  }

  static device::jit_source source(const device::matrix_kernel& k) {
    return source_of_program("strip_matrices", "strip_program<tessera::device::tensor_core, " +
                                                   std::string(word(k.stored)) + ", " + k.function + ", " +
                                                   form_and_shape(k, false));
  }

  template <class T>
  static matrix_launch<T> launch(const matrix_request& r, const matrix_tuning& t) {
    const strip_layout layout = layout_of(r.facts, t);
    matrix_launch<T> of;
    of.text = "strips of columns on tensor cores by " + std::to_string(t.threads);
    of.constants.resize(1);  // of a kernel that has none
    of.tables = device::tables_of_strips(layout, r.tables.interpolate, r.slopes());
    of.parts = layout.parts();
    of.bytes = layout.bytes();
    return of;
  }
};

}  // namespace

extern const known_way by_strips{strips::why_unfit, strips::source, strips::launch<float>, strips::launch<double>};

}  // namespace tessera::detail
