// SPDX-License-Identifier: BSD-3-Clause
// Matrices of the mass, of which each distinct number is computed once: some KB of whole matrices, or a slice of a
// large one.
#include <algorithm>

#include "matrix_ways.hpp"

namespace tessera::detail {

namespace {

struct distinct {
  static constexpr int most_elements = 96, most_elements_of_3d = 28, most_bytes_of_some = 16 << 10;

  static pair_sizes sizes_of(const matrix_facts& f) {
    return {f.dim, f.trial, f.points, f.entry_bytes, f.packed, f.mirrored};
  }

  static const char* why_not_of_values(const matrix_facts& f) {
    return is_symmetric(f) && !has_slopes(f) ? "" : "it makes symmetric matrices of values";
  }

  static const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& m) {
    if (const char* why = why_not_of_values(f); *why != '\0') return why;
    const pair_layout layout{sizes_of(f), t};
    if (t.elements < 1 || (t.sliced && t.elements > 1)) return "slices are not of one matrix";
    return why_unfit_block(t, layout.bytes(), layout.staged_entries(), m);
  }

  // Of a thread, so that nothing is spilled.
  static int registers_for(const pair_sizes& s) {
    if (!s.mirrored && s.functions > 3) return 80;
    if (s.dim < 3) return s.functions <= 4 ? 40 : s.functions <= 7 ? 48 : 64;
    return s.functions <= 5 ? 40 : s.functions == 6 ? 64 : 80;
  }

  // Figures behind these rules: decision 18.
  static std::optional<matrix_tuning> by_rule(const matrix_facts& f, const gpu_limits& m) {
    if (*why_not_of_values(f) != '\0') return {};
    const pair_sizes s = sizes_of(f);
    matrix_tuning t{.way = matrix_way::distinct};
    // Constants of a launch that stay near, and not too many numbers for places.
    if (pair_layout{s, t}.units().entries() * s.entry_bytes > 2304 || s.functions > 16) return {};
    const index_t bytes = pair_layout{s, t}.entries_of_matrix() * s.entry_bytes;
    t.elements = int(std::clamp<index_t>((bytes / 2 + most_bytes_of_some) / bytes, 1,
                                         s.dim == 3 ? most_elements_of_3d : most_elements));
    if (t.elements > 1) t.elements += t.elements % 2;
    while (t.elements > 1 && pair_layout{s, t}.bytes() > m.all_shared_bytes / 5 - 1024)
      t.elements = (t.elements + 1) / 2;
    t.sliced = s.dim > 1 && pair_layout{s, t}.bytes() > m.all_shared_bytes / (s.packed ? 2 : 5) - 1024;
    const index_t written = bytes * t.elements;
    // A thread has hundred bytes or more to write.
    t.threads = t.sliced                                            ? 256
                : written <= (t.elements > 1 ? 20 << 10 : 40 << 10) ? 128
                : written <= 56 << 10                               ? 256
                                                                    : 512;
    const int by_memory = m.all_shared_bytes / (pair_layout{s, t}.bytes() + 1024);
    const int by_registers = m.registers / (t.threads * registers_for(s));
    t.blocks = std::clamp(std::min({by_memory, by_registers, m.all_threads / t.threads}), 1, m.blocks);
    if (*why_unfit(f, t, m) != '\0') return {};
    return t;
  }

  static device::jit_source source(const device::matrix_kernel& k) {
    return source_of_program("pair_matrices", "pair_program<" + std::string(word(k.type)) + ", " + word(k.stored) +
                                                  ", " + form_and_shape(k, k.facts.mirrored));
  }

  template <class T>
  static matrix_launch<T> launch(const matrix_request& r, const matrix_tuning& t) {
    const pair_layout layout{sizes_of(r.facts), t};
    matrix_launch<T> of;
    of.text = "each distinct number once, " + (t.sliced ? "a slice of a matrix" : matrices_text(t.elements)) + " by " +
              std::to_string(t.threads);
    of.constants = device::constants_of_pairs<T>(layout.units(), r.tables.interpolate);
    of.places = device::places_of_pairs(layout);
    of.parts = layout.slices();
    of.bytes = layout.bytes();
    return of;
  }
};

}  // namespace

extern const known_way by_distinct_numbers{
    distinct::why_unfit, distinct::source, distinct::launch<float>, distinct::launch<double>, {}, distinct::by_rule};

}  // namespace tessera::detail
