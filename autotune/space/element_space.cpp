// SPDX-License-Identifier: BSD-3-Clause
// Enumerates elements, threads and element algorithms; draws from them; pads what was drawn.
#include "space/element_space.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <utility>

#include <tessera/detail/element/element_axes.hpp>
namespace tessera::tune {

namespace {

constexpr int warp = 32;
constexpr int least_threads = 64, most_threads = 288;
// The fraction of a block's lanes with a line; an element too large for that has a block of its own.
constexpr double least_busy = 0.75;
// Registers of a thread relative to those that the rules' number of blocks leaves. Fewer soon spill.
constexpr int more_registers[] = {-16, -8, 0, 8, 16, 32};
constexpr int least_registers = 24;
constexpr int batches_tried[] = {1, 2, 3, 4};

// Points of a line whose D is loaded early: none, as by the rules, two, a whole line.
std::vector<int> prefetches(const element_kernel_facts& f, const element_tuning& by_rule) {
  std::vector<int> all{0, by_rule.prefetch, std::min(2, f.points)};
  if (!f.slopes()) all.push_back(f.points);  // with all factors of derivatives it would not fit registers
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

struct point {
  element_tuning of;  // without pitches
  bool padded = false;
};

// Threads with lines, or, if possible, with planes.
template <class Take>
void with_planes(const element_kernel_facts& f, element_tuning t, Take take) {
  t.by_plane = false;
  take(t);
  if (!can_be_by_plane(f) || t.direct != f.slopes()) return;
  t.by_plane = true;
  take(t);
}

template <class Take>
void each_way(const element_kernel_facts& f, const element_tuning& by_rule, Take take) {
  for (const int prefetch : prefetches(f, by_rule))
    for (const bool even_odd : {false, true})
      for (const bool direct : {false, true})
        for (const bool staged : {false, true}) {
          if ((even_odd && !f.mirrors) || (direct && !can_be_direct(f)) || (staged && !can_be_staged(f))) continue;
          if (staged && prefetch > 0) continue;  // D is already being copied
          element_tuning t = by_rule;
          t.prefetch = prefetch, t.even_odd = even_odd, t.direct = direct, t.staged = staged;
          t.packed = 0, t.batches = t.together = 1;
          with_planes(f, t, take);
          if (f.repeats == 1) continue;
          t.together = f.repeats;
          with_planes(f, t, take);
        }
}

// x and y in one piece, D with them or loaded early.
template <class Take>
void each_way_of_pieces(const element_kernel_facts& f, const element_tuning& by_rule, Take take) {
  if (!can_be_packed(f) || (f.several && f.repeats == 1)) return;
  const auto with = [&](const element_tuning& of) {
    element_tuning t = of;
    t.together = f.repeats;
    for (const bool even_odd : {false, true})
      for (const bool direct : {false, true})
        for (const int packed : {1, 2}) {
          if ((even_odd && !f.mirrors) || (direct && !can_be_direct(f))) continue;
          t.even_odd = even_odd, t.direct = direct, t.packed = packed;
          with_planes(f, t, take);
        }
  };
  element_tuning t = by_rule;
  t.staged = false;
  t.batches = 1;
  for (const int prefetch : prefetches(f, by_rule)) {
    t.prefetch = prefetch;
    with(t);
  }
  t.staged = true;
  t.prefetch = 0;
  for (const int batches : batches_tried) {
    t.batches = batches;
    with(t);
  }
}

template <class Take>
void each_block(const element_kernel_facts& f, const element_tuning& by_rule, const element_tuning& way,
                const gpu_limits& m, Take take) {
  const int lines = (way.by_plane ? f.side() : f.lines()) * way.together;
  const int of_plane =
      32 + f.entry_bytes / 4 * ((f.slopes() ? 2 : 1) * std::max(f.trial, f.test) * f.points + f.side());
  const int usual = way.by_plane ? of_plane : m.registers / (by_rule.blocks * by_rule.threads);
  for (int elements = 1; elements == 1 || elements * lines <= most_threads; ++elements) {
    const int threads = std::max(least_threads, (elements * lines + warp - 1) / warp * warp);
    if (elements > 1 && elements * lines < least_busy * threads) continue;
    std::vector<int> seen;
    for (const int more : more_registers) {
      const int registers = std::min(usual + more, m.registers_a_thread) / 8 * 8;
      if (registers < least_registers) continue;
      const int blocks = std::min({m.registers / (registers * threads), m.all_threads / threads, m.blocks});
      if (blocks < 1 || std::find(seen.begin(), seen.end(), blocks) != seen.end()) continue;
      seen.push_back(blocks);
      take(elements, threads, blocks);
    }
  }
}

// Elements that warps hold in registers: lines and cubes are ignored there.
template <class Take>
void each_warp(const element_kernel_facts& f, const element_tuning& by_rule, const gpu_limits& m, Take take) {
  if (!can_be_by_warp(f)) return;
  const int fewest = f.slopes() ? 96 : 48;  // with fewer it spills
  for (const int warps : {1, 2, 4, 8})
    for (const int registers : {48, 64, 80, 96, 128, 168, 248})
      for (const int prefetch : prefetches(f, by_rule))
        for (const bool staged : {false, true}) {
          if (registers < fewest || (staged && (!can_be_staged(f) || prefetch > 0))) continue;
          element_tuning t{.elements = warps * elements_of_warp(f), .threads = warps * warp};
          t.blocks = std::min({m.registers / (registers * t.threads), m.all_threads / t.threads, m.blocks});
          t.last = f.dim - 1, t.prefetch = prefetch;
          t.even_odd = by_rule.even_odd, t.direct = f.slopes(), t.staged = staged, t.by_warp = true;
          take(t);
        }
}

void shuffle(std::vector<point>& points, std::mt19937_64& random) {
  for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[random() % i]);
}

// In the order in which they are drawn. Warps that hold elements have few tunings and would rarely be drawn from all:
// one draw in four is for them, two are for elements in pieces.
std::vector<point> drawn_points(const element_kernel_facts& f, const element_tuning& by_rule, const gpu_limits& m,
                                std::uint64_t seed) {
  std::vector<point> of_lines, of_pieces, of_warps, all;
  const auto with_blocks = [&](std::vector<point>& into) {
    return [&](const element_tuning& way) {
      each_block(f, by_rule, way, m, [&](int elements, int threads, int blocks) {
        for (int last = 0; last < f.dim; ++last)
          for (const bool padded : {false, true}) {
            into.push_back({way, padded});
            element_tuning& t = into.back().of;
            t.elements = elements, t.threads = threads, t.blocks = blocks, t.last = last;
          }
      });
    };
  };
  each_way(f, by_rule, with_blocks(of_lines));
  each_way_of_pieces(f, by_rule, with_blocks(of_pieces));
  each_warp(f, by_rule, m, [&](const element_tuning& t) { of_warps.push_back({t}); });
  std::mt19937_64 random(seed);
  for (std::vector<point>* const list : {&of_lines, &of_pieces, &of_warps}) shuffle(*list, random);
  std::vector<point>* const turns[] = {&of_lines, &of_pieces, &of_pieces, &of_warps};
  for (std::size_t turn = 0; !of_lines.empty() || !of_pieces.empty() || !of_warps.empty(); ++turn) {
    std::vector<point>& next = *turns[turn % std::size(turns)];
    if (next.empty()) continue;
    all.push_back(next.back());
    next.pop_back();
  }
  return all;
}

// Pitches of the tunings of a case: many tunings depend on the same values.
class paddings {
 public:
  paddings(const element_kernel_facts& f, const gpu_limits& limits) : facts_(f), limits_(limits) {}

  void set(element_tuning& t, bool padded) {
    if (t.by_warp) return;
    const auto [known, is_new] = known_.try_emplace(
        {t.elements, t.last, t.direct, t.staged, t.packed, t.together, t.batches, t.by_plane, padded}, t);
    if (is_new) choose_pitches(facts_, known->second, padded, limits_);
    std::copy(std::begin(known->second.pitch), std::end(known->second.pitch), t.pitch);
    t.pitch_element = known->second.pitch_element;
  }

 private:
  const element_kernel_facts& facts_;
  const gpu_limits& limits_;
  std::map<std::array<int, 9>, element_tuning> known_;
};

// As many blocks as fit shared memory; registers limited for more would be wasted.
void limit_blocks(const element_kernel_facts& f, element_tuning& t, const gpu_limits& m) {
  constexpr int taken_by_system = 1024;
  t.blocks = std::min(t.blocks, int(m.all_shared_bytes / (shared_bytes_of(f, t) + taken_by_system)));
}

element_tuning tuning_of(const element_kernel_facts& f, const point& p, paddings& laid_out, const gpu_limits& m) {
  element_tuning t = p.of;
  laid_out.set(t, p.padded);
  limit_blocks(f, t, m);
  return t;
}

// Up to the number that tuning_of gives for a point.
bool same_but_for_layout(element_tuning t, const element_tuning& other) {
  std::copy(std::begin(other.pitch), std::end(other.pitch), t.pitch);
  t.pitch_element = other.pitch_element;
  t.blocks = other.blocks;
  return t == other;
}

family make_element_family() {
  family f;
  f.name = "element";
  // Values depend on sizes and are in element_space.
  for (const element_axis& a : element_axes) f.axes.push_back({a.name, {}});
  f.why_not = [](const config& c, const tuning_case& of) -> const char* {
    const char* why = why_unfit(jit_element_of(of, c).facts(), as_element_tuning(c));
    return *why == '\0' ? nullptr : why;
  };
  return f;
}

}  // namespace

static_assert(std::size(element_axes) <= max_axes);

const family& element_family() {
  static const family one = make_element_family();
  return one;
}

config as_config(const element_tuning& t) {
  config c;
  int at = 0;
  for (const element_axis& a : element_axes) c.value[at++] = a.get(t);
  return c;
}

element_tuning as_element_tuning(const config& c) {
  element_tuning t;
  int at = 0;
  for (const element_axis& a : element_axes) a.set(t, c.value[at++]);
  return t;
}

jit_element jit_element_of(const tuning_case& c, const config& how) {
  const element_case& e = c.element.value();
  return {.type = c.type,
          .kind = e.kind,
          .dim = e.dim,
          .d = e.p + 1,
          .q = e.q,
          .tuning = as_element_tuning(how),
          .repeats = e.repeats};
}

space element_space(const tuning_case& c, const element_tuning& present, const gpu_limits& limits, int most,
                    std::uint64_t seed) {
  const element_kernel_facts f = jit_element_of(c, {}).facts();
  const element_tuning by_rule = ruled_element_tuning(f, limits);
  space s;
  s.of = c;
  s.initial = 0;
  s.candidates.push_back(as_config(by_rule));
  std::set<config> taken(s.candidates.begin(), s.candidates.end());
  const auto add = [&](const element_tuning& t) {
    if (const char* why = why_unfit(f, t, limits); *why != '\0') return void(++s.refused[why]);
    const config one = as_config(t);
    if (taken.insert(one).second)
      s.candidates.push_back(one);
    else
      ++s.refused["same kernel as another"];
  };
  if (!(present == by_rule)) add(present);

  const std::vector<point> all = drawn_points(f, by_rule, limits, seed);
  s.points = long(all.size());
  paddings laid_out(f, limits);
  std::size_t next = 0;
  for (; next < all.size() && int(s.candidates.size()) < most; ++next) add(tuning_of(f, all[next], laid_out, limits));
  if (next < all.size()) s.refused["not drawn"] = long(all.size() - next);
  s.predicted.resize(s.candidates.size());
  return s;
}

bool can_be_drawn(const tuning_case& c, const element_tuning& t, const gpu_limits& limits) {
  const element_kernel_facts f = jit_element_of(c, {}).facts();
  const element_tuning by_rule = ruled_element_tuning(f, limits);
  if (t == by_rule) return true;
  paddings laid_out(f, limits);
  const std::vector<point> all = drawn_points(f, by_rule, limits, 1);
  return std::any_of(all.begin(), all.end(), [&](const point& p) {
    return same_but_for_layout(p.of, t) && tuning_of(f, p, laid_out, limits) == t && *why_unfit(f, t, limits) == '\0';
  });
}

}  // namespace tessera::tune
