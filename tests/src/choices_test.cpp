// SPDX-License-Identifier: BSD-3-Clause
// What the rules choose, for many sizes and two devices, against choices.txt: a change of a rule shows as a change of
// that file. Wrong results are other tests' to find; a choice that is merely bad is right, and slow.
#include <tessera/detail/cpu_isas.hpp>
#include <tessera/detail/element/element_axes.hpp>
#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/element/element_run.hpp>
#include <tessera/gpu/detail/element/dense_tuning.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/element/matrices/matrix_ways.hpp"
#include "testing/catch.hpp"

using namespace tessera;

namespace {

constexpr const char* path = TESSERA_SOURCE_DIR "/tests/src/choices.txt";
constexpr int orders[] = {1, 2, 3, 4, 5, 6, 8};

struct card {
  const char* name;
  gpu_limits limits;
};
// One that has everything, and one without tensor cores and with little shared memory.
const card cards[] = {{"sm_90", gpu_limits_of(90)}, {"sm_75", gpu_limits_of(75)}};

class table {
 public:
  template <class... Words>
  void row(const Words&... words) {
    std::ostringstream line;
    ((line << words << ' '), ...);
    std::string text = line.str();
    text.erase(text.find_last_not_of(' ') + 1);
    lines_.push_back(text);
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

std::string sizes_text(int dim, int d, int q, int bytes) {
  return std::to_string(dim) + "-D d" + std::to_string(d) + " q" + std::to_string(q) + (bytes == 8 ? " f64" : " f32");
}

// Only what is not as in the struct.
std::string text_of(const element_tuning& t) {
  std::string text;
  for (const element_axis& axis : element_axes)
    if (axis.get(t) != axis.initial) text += std::string(" ") + axis.name + " " + std::to_string(axis.get(t));
  return text;
}

void add_elements(table& to, const card& on) {
  const auto add = [&](const char* what, const element_kernel_facts& f) {
    to.row("element", on.name, what, sizes_text(f.dim, f.trial, f.points, f.entry_bytes),
           text_of(ruled_element_tuning(f, on.limits)));
  };
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion, operator_kind::elasticity})
    for (const int dim : {2, 3})
      for (const int p : orders)
        for (const int more : {1, 2})
          for (const int bytes : {8, 4}) {
            if (bytes == 4 && more == 1) continue;
            element_kernel_facts f = facts_of(kind, dim, p + 1, p + more, bytes);
            f.mirrors = f.unit = f.adjacent = true;
            add(name_of(kind), f);
            f.geometry = 2;
            if (bytes == 8 && dim == 3) add((std::string(name_of(kind)) + " from nodes").c_str(), f);
            f.geometry = 0;
            f.several = true;
            f.repeats = 3;
            if (more == 2 && dim == 3) add((std::string(name_of(kind)) + " thrice").c_str(), f);
          }
}

matrix_facts matrices_of(operator_kind kind, int dim, int d, int q, bool packed) {
  return {.kind = kind, .dim = dim, .trial = d, .points = q, .test = d, .packed = packed};
}

void add_matrices(table& to, const card& on) {
  for (const operator_kind kind :
       {operator_kind::mass, operator_kind::diffusion, operator_kind::convection, operator_kind::elasticity})
    for (const int dim : {1, 2, 3})
      for (const int p : orders)
        for (const bool packed : {false, true}) {
          if (packed && !is_symmetric(kind)) continue;
          const int components = kind == operator_kind::elasticity ? dim : 1;
          matrix_facts f = matrices_of(kind, dim, p + 1, p + 2, packed);
          f.components = components;
          const matrix_tuning t = *ruled_matrix_tuning(matrix_way::columns, f, on.limits);
          to.row("matrices", on.name, name_of(kind), sizes_text(dim, p + 1, p + 2, 8), packed ? "packed" : "full",
                 "elements", t.elements, "slices", t.slices, "strips", t.strips, "threads", t.threads, "blocks",
                 t.blocks, "pads", t.pad_line, t.pad_plane);
        }
}

// Which way of matrices an operator gets, and how much of its kernel there is: numbers that it is given, code.
void add_ways(table& to, const card& on) {
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion, operator_kind::convection})
    for (const int dim : {2, 3})
      for (const int d : {2, 3, 4, 5, 6, 7, 8, 9})
        for (const bool mirrors : {true, false})
          for (const bool packed : {false, true}) {
            if (packed && !is_symmetric(kind)) continue;
            const int q = d + 1;
            matrix_facts f = matrices_of(kind, dim, d, q, packed);
            f.mirrored = mirrors;
            const std::vector<double> values(std::size_t(q * d), 0.5), C(std::size_t(q * q), 0.25);
            const device::direction_tables tables{values, C, values};
            const std::string function =
                std::string("tessera::pointwise::") + name_of(kind) + "<" + std::to_string(dim) + ">";
            const auto way = detail::matrix_launch_for<double>({f, function, tables}, on.limits);
            to.row("way", on.name, name_of(kind), sizes_text(dim, d, q, 8), mirrors ? "" : "unmirrored",
                   packed ? "packed:" : "full:", *way.problem != '\0' ? way.problem : way.text,
                   way.kernel.tuning.elements, way.parts, way.kernel.tuning.threads, way.bytes, way.constants.size(),
                   way.places.at.size(), way.tables.size());
          }
}

// The fields that a way has, in the order of choices.txt.
void add_one(table& to, const card& on, const char* name, const matrix_facts& f, const std::optional<matrix_tuning>& t,
             const std::vector<int matrix_tuning::*>& fields) {
  std::ostringstream text;
  if (t)
    for (const auto field : fields) text << (text.str().empty() ? "" : " ") << (*t).*field;
  else
    text << "none";
  to.row(name, on.name, sizes_text(f.dim, f.trial, f.points, 8), f.packed ? "packed" : "full", text.str());
}

void add_symmetric(table& to, const card& on) {
  using t = matrix_tuning;
  const auto recorded = [&](const matrix_facts& f, ways_allowed allowed) -> std::optional<matrix_tuning> {
    const auto found = recorded_matrix_tuning(f, on.limits, "", 0, allowed);
    return found ? std::optional(found->tuning) : std::nullopt;
  };
  for (int d = 2; d <= 9; ++d)
    for (int q = d; q <= d + 1; ++q)
      for (const bool packed : {false, true}) {
        const auto diffusion = [&](int dim) { return matrices_of(operator_kind::diffusion, dim, d, q, packed); };
        for (const int dim : {1, 2, 3}) {
          const matrix_facts f = matrices_of(operator_kind::mass, dim, d, q, packed);
          add_one(to, on, "pairs", f, ruled_matrix_tuning(matrix_way::distinct, f, on.limits),
                  {&t::elements, &t::sliced, &t::threads, &t::blocks});
        }
        add_one(to, on, "halves", diffusion(3),
                recorded(diffusion(3), [](int way) { return way == matrix_way::halves; }),
                {&t::sliced, &t::tiled, &t::waves, &t::along, &t::at_once, &t::threads, &t::blocks});
        add_one(to, on, "strips", diffusion(3),
                recorded(diffusion(3), [](int way) { return way == matrix_way::strips; }),
                {&t::staged, &t::threads, &t::blocks});
        add_one(to, on, "parities", diffusion(2),
                recorded(diffusion(2), [](int way) { return way == matrix_way::parities; }),
                {&t::elements, &t::columns, &t::pad_line, &t::at_once, &t::threads, &t::blocks});
        for (const int dim : {2, 3}) {
          std::optional<matrix_tuning> pairs =
              recorded(diffusion(dim), [](int way) { return way == matrix_way::threads || way == matrix_way::held; });
          if (pairs) pairs->way = pairs->way == matrix_way::held;
          add_one(to, on, "products", diffusion(dim), pairs,
                  {&t::way, &t::elements, &t::sharing, &t::threads, &t::blocks});
        }
      }
}

// Triangles and tetrahedra of order 1 to 4, with as many points as functions and with twice as many.
void add_dense(table& to, const card& on) {
  for (const int functions : {3, 4, 6, 10, 15, 20, 35})
    for (const int times : {1, 2})
      for (const int slots : {1, 3})
        for (const int bytes : {8, 4}) {
          const int points = functions * times, factors = slots == 1 ? 1 : 6;
          const dense_tuning t =
              ruled_dense_tuning({functions, points, functions, 1, 1, slots, slots, factors, bytes}, on.limits);
          to.row("dense", on.name, functions, "functions", points, "points", slots, "slots", bytes == 8 ? "f64" : "f32",
                 "lanes", t.lanes, "groups", t.groups, "elements", t.elements, "points", t.points, "blocks", t.blocks,
                 t.ahead ? "ahead" : "", t.by_warp ? "by_warp" : "");
        }
}

// What needs no look at this machine's caches.
void add_runs(table& to) {
  for (const detail::cpu_isa_numbers& each : detail::cpu_isas)
    for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion}) {
      const element_run r = ruled_element_run(facts_of(kind, 3, 4, 5, 8), each.isa, memory_regime::cache);
      to.row("run", name_of(each.isa), name_of(kind), r.prefetch_kib, r.nontemporal, r.prefetch_level,
             r.prefetch_repeats);
    }
}

std::vector<std::string> lines_of(std::istream& from) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("what the rules choose is what is written down", "[choices]") {
  table now;
  for (const card& on : cards) {
    add_elements(now, on);
    add_matrices(now, on);
    add_symmetric(now, on);
    add_ways(now, on);
    add_dense(now, on);
  }
  add_runs(now);
  if (std::getenv("TESSERA_WRITE_CHOICES") != nullptr) {
    std::ofstream file(path);
    for (const std::string& line : now.lines()) file << line << '\n';
    SUCCEED("written");
    return;
  }
  std::ifstream file(path);
  const std::vector<std::string> then = lines_of(file);
  INFO("where the new choices are meant: TESSERA_WRITE_CHOICES=1 writes " << path);
  const auto [was, is] = std::mismatch(then.begin(), then.end(), now.lines().begin(), now.lines().end());
  INFO("written: " << (was == then.end() ? "nothing more" : *was));
  INFO("chosen:  " << (is == now.lines().end() ? "nothing more" : *is));
  CHECK(then == now.lines());
}
