// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives in 2-D, of functions that mirror each other: by even and odd parts.
#include <tessera/gpu/detail/element/parity_tables.hpp>

#include "matrix_ways.hpp"

namespace tessera::detail {

namespace {

struct parities {
  static parity_layout layout_of(const matrix_facts& f, const matrix_tuning& t) {
    return {{f.trial, f.points, factors_of(f.kind, f.dim), f.packed}, t};
  }

  static const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& m) {
    if (const char* why = why_not_of_slopes(f); *why != '\0') return why;
    if (f.dim != 2 || !f.mirrored) return "it is for functions that mirror each other, in 2-D";
    if (f.points < f.trial) return "points of a line are fewer than functions";
    if (t.elements < 1 || t.columns < 1 || t.at_once < 1 || t.pad_line < 0 || t.pad_line > 64)
      return "a block has nothing to do";
    if (t.sliced) return "matrices of a block are whole";
    const parity_layout layout = layout_of(f, t);
    if (layout.tables().entries() * 8 > most_bytes_of_constants) return "functions do not fit the launch";
    return why_unfit_block(t, layout.bytes(), layout.staged_entries(), m);
  }

  static device::jit_source source(const device::matrix_kernel& k) {
    return source_of_program("parity_matrices", "parity_program<" + std::string(word(k.stored)) + ", " + k.function +
                                                    ", " + form_and_shape(k, true));
  }

  template <class T>
  static matrix_launch<T> launch(const matrix_request& r, const matrix_tuning& t) {
    const parity_layout layout = layout_of(r.facts, t);
    const std::vector<double> slopes = r.slopes();
    matrix_launch<T> of;
    of.text = "pairs of the last direction, by even and odd parts, " + matrices_text(t.elements) + " by " +
              std::to_string(t.threads);
    of.constants = numbers_of<T>(device::constants_of_parities(layout, r.tables.interpolate, slopes));
    of.places = device::places_of_parities(layout);
    of.tables = device::products_of_parities(r.facts.trial, r.facts.points, r.tables.interpolate, slopes);
    of.bytes = layout.bytes();
    return of;
  }
};

}  // namespace

extern const known_way by_parities{
    parities::why_unfit, parities::source, parities::launch<float>, parities::launch<double>, {.more = 1}};

}  // namespace tessera::detail
