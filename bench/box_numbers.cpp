// SPDX-License-Identifier: BSD-3-Clause
// Numbers boxes of elements in the ways that codes do.
#include "box_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

#include "sizes.hpp"

namespace tessera::bench {

namespace {

constexpr std::string_view names[] = {"box", "mesh", "random"};
constexpr index_t most_numbers = 2'000'000'000;  // offsets have 32 bits

using triple = std::array<index_t, 3>;

// Of a box of `sides`, first direction fastest.
triple place_of(index_t number, const triple& sides) {
  return {number % sides[0], number / sides[0] % sides[1], number / sides[0] / sides[1]};
}
index_t join(const triple& at, const triple& sides) { return at[0] + sides[0] * (at[1] + sides[1] * at[2]); }

struct box {
  int dim, order;
  triple cells{1, 1, 1}, side{1, 1, 1}, nodes{1, 1, 1};  // nodes of an element, and of all, in each direction

  box(const std::vector<int>& of, int p) : dim(int(of.size())), order(p) {
    for (std::size_t a = 0; a < of.size(); ++a) {
      cells[a] = of[a];
      side[a] = p + 1;
      nodes[a] = index_t(of[a]) * p + 1;
    }
  }
  index_t elements() const { return cells[0] * cells[1] * cells[2]; }
  index_t entries() const { return side[0] * side[1] * side[2]; }
  index_t node(index_t element, index_t entry) const {
    const triple e = place_of(element, cells), i = place_of(entry, side);
    return join({e[0] * order + i[0], e[1] * order + i[1], e[2] * order + i[2]}, nodes);
  }
};

// The standard library's shuffle is another one in each library.
template <class Number>
void shuffle(std::vector<Number>& all, unsigned seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
}

// The elements in an order in which neighbours are close: bits of their places in turn.
std::vector<index_t> along_curve(const box& b) {
  std::vector<std::pair<std::uint64_t, index_t>> keys;
  for (index_t e = 0; e < b.elements(); ++e) {
    const triple at = place_of(e, b.cells);
    std::uint64_t key = 0;
    for (unsigned bit = 0; bit < 21; ++bit)
      for (unsigned a = 0; a < 3; ++a) key |= (std::uint64_t(at[a]) >> bit & 1) << (3 * bit + a);
    keys.push_back({key, e});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<index_t> order;
  for (const auto& [key, e] : keys) order.push_back(e);
  return order;
}

// Number of each node of the box: those of a vertex, an edge, a face or an inside follow each other.
std::vector<std::int32_t> numbers_by_entity(const box& b) {
  triple entities = b.nodes;
  for (std::size_t a = 0; a < std::size_t(b.dim); ++a) entities[a] = 2 * b.cells[a] + 1;
  std::vector<std::int32_t> first(std::size_t(join({0, 0, entities[2]}, entities)), -1);
  std::vector<std::int32_t> number(std::size_t(join({0, 0, b.nodes[2]}, b.nodes)));
  std::int32_t next = 0;
  for (const index_t e : along_curve(b)) {
    const triple cell = place_of(e, b.cells);
    for (index_t i = 0; i < b.entries(); ++i) {
      const triple at = place_of(i, b.side);
      triple entity{}, length{1, 1, 1}, own{};
      for (std::size_t a = 0; a < std::size_t(b.dim); ++a) {
        const bool inside = at[a] > 0 && at[a] < b.order;
        entity[a] = 2 * cell[a] + (at[a] == 0 ? 0 : inside ? 1 : 2);
        length[a] = inside ? b.order - 1 : 1;
        own[a] = inside ? at[a] - 1 : 0;
      }
      std::int32_t& start = first[std::size_t(join(entity, entities))];
      if (start < 0) start = std::exchange(next, next + std::int32_t(length[0] * length[1] * length[2]));
      number[std::size_t(b.node(e, i))] = start + std::int32_t(join(own, length));
    }
  }
  return number;
}

}  // namespace

numbering numbering_from(const std::string& text) {
  for (const numbering how : {numbering::box, numbering::mesh, numbering::random})
    if (text == name_of(how)) return how;
  throw error("--numbering: '" + text + "'" + did_you_mean(text, names) + " is none of box, mesh and random");
}

const char* name_of(numbering how) { return names[std::size_t(how)].data(); }

box_numbers number_box(const std::vector<int>& cells, int order, numbering how) {
  const box b(cells, order);
  box_numbers made{.cells = cells, .cell = std::vector<index_t>(std::size_t(b.elements())), .offsets = {}};
  made.nodes = join({0, 0, b.nodes[2]}, b.nodes);
  std::iota(made.cell.begin(), made.cell.end(), index_t(0));
  std::vector<std::int32_t> number;
  if (how != numbering::box) shuffle(made.cell, 1);
  if (how == numbering::mesh) number = numbers_by_entity(b);
  if (how == numbering::random) {
    number.resize(std::size_t(made.nodes));
    std::iota(number.begin(), number.end(), 0);
    shuffle(number, 2);
  }
  made.offsets.reserve(std::size_t(b.elements() * b.entries()));
  for (const index_t e : made.cell)
    for (index_t i = 0; i < b.entries(); ++i) {
      const index_t node = b.node(e, i);
      made.offsets.push_back(number.empty() ? std::int32_t(node) : number[std::size_t(node)]);
    }
  return made;
}

std::vector<int> cells_for(double nodes, int order, int dim) {
  const auto at_least_one = [](double cells) { return std::max(1, int(std::lround(cells))); };
  const int n = at_least_one((std::pow(nodes, 1.0 / dim) - 1) / order);
  std::vector<int> cells(std::size_t(dim), n);
  double others = 1;
  for (int a = 1; a < dim; ++a) others *= double(n) * order + 1;
  cells.back() = at_least_one((nodes / others - 1) / order);
  return cells;
}

std::vector<index_t> parse_unknowns(const std::string& text) {
  std::vector<index_t> all;
  for (std::string_view part : split(text, ',')) {
    const char last = part.empty() ? ' ' : part.back();
    const index_t unit = last == 'k' ? 1000 : last == 'M' ? 1'000'000 : 1;
    if (unit > 1) part.remove_suffix(1);
    all.push_back(unit * parse_integer(part, "unknowns (a number, with k or M behind it for 10^3 or 10^6)", 1,
                                       most_numbers / unit));
  }
  return all;
}

}  // namespace tessera::bench
