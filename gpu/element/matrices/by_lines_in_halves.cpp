// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives in 3-D, of functions that mirror each other: by lines in halves, on FMA units.
#include <tessera/gpu/detail/element/halved_tables.hpp>

#include "matrix_ways.hpp"

namespace tessera::detail {

namespace {

struct halves {
  static halved_layout layout_of(const matrix_facts& f, const matrix_tuning& t) {
    return {{f.trial, f.points, f.packed}, t};
  }

  static const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& m) {
    if (const char* why = why_not_of_slopes(f); *why != '\0') return why;
    if (f.dim != 3 || !f.mirrored) return "it is for functions that mirror each other, in 3-D";
    const halved_layout layout = layout_of(f, t);
    if (t.elements != 1) return "a block has no more than one matrix";
    if (t.waves < 0 || t.at_once < 1) return "a thread has nothing to do";
    if (t.tiled < 0 || (t.tiled > 0 && (t.sliced || f.packed || f.trial % 2 != 0)))
      return "tiles are of whole matrices of an even number of functions a direction";
    if (t.tiled > 0 && !layout.deals_out_evenly()) return "pairs of functions are not dealt out evenly";
    if (!layout.apart() && layout.threads_of_wave() > t.threads) return "threads do not hold a wave";
    if (layout.units().entries() * 8 > most_bytes_of_constants) return "products do not fit the launch";
    return why_unfit_block(t, layout.bytes(), layout.staged_entries(), m);
  }

  static device::jit_source source(const device::matrix_kernel& k) {
    return source_of_program("halved_matrices", "halved_program<" + std::string(word(k.stored)) + ", " + k.function +
                                                    ", " + form_and_shape(k, true));
  }

  template <class T>
  static matrix_launch<T> launch(const matrix_request& r, const matrix_tuning& t) {
    const halved_layout layout = layout_of(r.facts, t);
    const std::string what = t.sliced ? "a slice of a matrix" : t.tiled > 0 ? "tiles of a matrix" : matrices_text(1);
    matrix_launch<T> of;
    of.text = "pairs of the last direction, by lines in halves, " + what + " by " + std::to_string(t.threads);
    of.constants = numbers_of<T>(device::constants_of_halves(layout.units(), r.tables.interpolate, r.slopes()));
    of.places = device::places_of_halves(layout);
    of.parts = layout.parts();
    of.bytes = layout.bytes();
    return of;
  }
};

}  // namespace

extern const known_way by_lines_in_halves{halves::why_unfit, halves::source, halves::launch<float>,
                                          halves::launch<double>};

}  // namespace tessera::detail
