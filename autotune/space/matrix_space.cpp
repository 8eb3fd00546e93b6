// SPDX-License-Identifier: BSD-3-Clause
// Lists the tunings of every way and samples them at random, after the ones by rule and those of similar records.
#include "space/matrix_space.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <tessera/element/operators.hpp>

#include "space/as_config.hpp"

namespace tessera::tune {

namespace {

constexpr int lanes_of_warp = 32;
constexpr int registers_tried[] = {32, 40, 48, 56, 64, 80, 96, 112, 128, 168, 248};

// The values of one axis.
struct values_of_axis {
  int matrix_tuning::*field;
  std::vector<int> values;
};

std::vector<int> multiples(int step, int first, int last) {
  std::vector<int> all;
  for (int n = first; n <= last; n += step) all.push_back(n);
  return all;
}

// The search axes of a way, except `blocks`.
std::vector<values_of_axis> axes_tried(int way, const matrix_facts& f, const matrix_tuning& by_rule) {
  using t = matrix_tuning;
  const std::vector<int> switched{0, 1};
  switch (way) {
    case matrix_way::columns:
      return {{&t::elements, {by_rule.elements, std::max(1, by_rule.elements / 2), 2 * by_rule.elements}},
              {&t::slices, {by_rule.slices, 1, f.dim == 3 ? f.trial : 1}},
              {&t::strips, {by_rule.strips, 1, std::max(1, f.trial / 2), f.trial}},
              {&t::threads, multiples(32, 64, 256)}};
    case matrix_way::distinct:
      return {{&t::elements, {by_rule.elements, std::max(1, by_rule.elements / 2), 2 * by_rule.elements}},
              {&t::sliced, switched},
              {&t::threads, {64, 128, 256, 512}}};
    case matrix_way::halves:
      return {{&t::sliced, switched}, {&t::tiled, {0, 1, 2, 3, 4}}, {&t::waves, {0, 1, 2, 3}},
              {&t::along, switched},  {&t::at_once, {4, 8}},        {&t::threads, multiples(32, 96, 512)}};
    case matrix_way::strips: return {{&t::staged, {1, 2}}, {&t::threads, {64, 96, 128, 192, 256}}};
    case matrix_way::parities:
      return {{&t::elements, multiples(1, 1, 12)},
              {&t::columns, {1, 2, 3}},
              {&t::pad_line, switched},
              {&t::threads, multiples(32, 32, 160)}};
    case matrix_way::threads: return {{&t::elements, multiples(1, 1, 48)}, {&t::threads, multiples(32, 32, 160)}};
    case matrix_way::held:
      return {{&t::elements, multiples(2, 2, 8)}, {&t::sharing, {1, 2, 4}}, {&t::threads, {32, 64, 128, 256}}};
  }
  return {};
}

// Whether a block's threads suit its tasks: few threads idle, and none has more than two tasks.
bool is_busy(const matrix_facts& f, const matrix_tuning& t) {
  const int pairs = f.trial * (f.trial + 1) / 2, tasks = t.elements * pairs;
  switch (t.way) {
    case matrix_way::parities:
    case matrix_way::threads: return 4 * tasks >= 3 * t.threads && tasks <= 2 * t.threads;
    case matrix_way::held: return t.threads == lanes_of_warp * t.sharing * ((t.elements + 1) / 2);
    default: return true;
  }
}

// Tries the values of `blocks` that leave a thread at least so many registers; not all of them fit.
template <class Take>
void each_number_of_blocks(matrix_tuning t, const gpu_limits& m, const Take& take) {
  int before = 0;
  const bool is_small = t.way == matrix_way::distinct || t.way == matrix_way::parities || t.way == matrix_way::threads;
  for (const int registers : registers_tried) {
    if (registers < 64 && !is_small) continue;  // the kernel would spill
    t.blocks = std::min({m.registers / (registers * t.threads), m.all_threads / t.threads, m.blocks});
    if (t.blocks < 1 || std::exchange(before, t.blocks) == t.blocks) continue;
    take(t);
  }
}

template <class Take>
void each_point(matrix_tuning t, const std::vector<values_of_axis>& axes, std::size_t axis, const Take& take) {
  if (axis == axes.size()) return take(t);
  for (const int value : axes[axis].values) {
    t.*axes[axis].field = value;
    each_point(t, axes, axis + 1, take);
  }
}

// The tunings of all records of a way and dimension, the nearest last.
std::vector<matrix_tuning> of_records(int way, const matrix_facts& f) {
  std::vector<std::pair<int, matrix_tuning>> all;
  for (const tuned_matrix& r : matrix_records())
    if (r.tuning.way == way && r.of.dim == f.dim)
      all.push_back({8 * std::abs(r.of.trial - f.trial) + 2 * std::abs(r.of.points - f.points) +
                         int(!r.either && r.of.packed != f.packed),
                     r.tuning});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<matrix_tuning> tunings;
  for (const auto& [distance, tuning] : all) tunings.push_back(tuning);
  return tunings;
}

// The tunings of a way; they are tried from the last one to the first.
std::vector<matrix_tuning> points_of(int way, const matrix_facts& f, const gpu_limits& m, std::mt19937_64& random) {
  const std::optional<matrix_tuning> ruled = ruled_matrix_tuning(way, f, m);
  matrix_tuning by_rule = ruled.value_or(matrix_tuning{});
  by_rule.way = way;
  std::vector<matrix_tuning> points;
  each_point(by_rule, axes_tried(way, f, by_rule), 0, [&](const matrix_tuning& t) {
    if (is_busy(f, t)) each_number_of_blocks(t, m, [&](const matrix_tuning& one) { points.push_back(one); });
  });
  for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[random() % i]);
  for (const matrix_tuning& t : of_records(way, f)) points.push_back(t);
  if (ruled) points.push_back(*ruled);
  return points;
}

family make_matrix_family() {
  family f;
  f.name = "matrix";
  for (const axis<matrix_tuning>& a : axes_of<matrix_tuning>()) f.axes.push_back({a.name, {}});
  f.axes.front().words.assign(std::begin(matrix_way::names), std::end(matrix_way::names));
  f.why_not = [](const config& c, const tuning_case& of) -> const char* {
    const jit_matrix what = jit_matrix_of(of, c);
    const char* why = why_unfit(what.of, what.tuning);
    return *why == '\0' ? nullptr : why;
  };
  return f;
}

}  // namespace

const family& matrix_family() {
  static const family one = make_matrix_family();
  return one;
}

jit_matrix jit_matrix_of(const tuning_case& c, const config& how) {
  const element_case& e = c.element.value();
  return {{.kind = e.kind,
           .dim = e.dim,
           .trial = e.p + 1,
           .points = e.q,
           .test = e.p + 1,
           .components = coupled_components(e.kind, e.dim),
           .entry_bytes = int(size_of(c.type)),
           .packed = e.matrices == matrix_storage::lower_packed},
          as_tuning<matrix_tuning>(how)};
}

space matrix_space(const tuning_case& c, const matrix_tuning& present, const gpu_limits& limits, int most,
                   std::uint64_t seed) {
  const matrix_facts f = jit_matrix_of(c, {}).of;
  space s;
  s.of = c;
  s.initial = 0;
  s.candidates.push_back(as_config(ruled_matrix_tuning(f, limits)));
  std::set<config> taken(s.candidates.begin(), s.candidates.end());
  // Returns false if the tuning is not a new candidate.
  const auto add = [&](const matrix_tuning& t) {
    ++s.points;
    const char* why = why_unfit(f, t, limits);
    if (*why == '\0' && !taken.insert(as_config(t)).second) why = "same kernel as another";
    if (*why != '\0') return ++s.refused[why], false;
    s.candidates.push_back(as_config(t));
    return true;
  };
  add(present);
  std::mt19937_64 random(seed);
  std::vector<std::vector<matrix_tuning>> ways;
  for (int way = 0; way < matrix_way::count; ++way) ways.push_back(points_of(way, f, limits, random));
  const auto draw_one = [&](std::vector<matrix_tuning>& from) {
    while (!from.empty()) {
      const matrix_tuning t = from.back();
      from.pop_back();
      if (add(t)) return true;
    }
    return false;
  };
  for (bool more = true; std::exchange(more, false);)
    for (std::vector<matrix_tuning>& way : ways)
      if (int(s.candidates.size()) < most && draw_one(way)) more = true;
  for (const std::vector<matrix_tuning>& way : ways)
    if (!way.empty()) s.refused["not drawn"] += long(way.size()), s.points += long(way.size());
  s.predicted.resize(s.candidates.size());
  return s;
}

}  // namespace tessera::tune
