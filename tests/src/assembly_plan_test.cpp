// SPDX-License-Identifier: BSD-3-Clause
// Sums with the product of two tables, as those that assemble matrices: every size, layout and batch, against the
// definition; the same bits in every part of a batch.
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include <tessera/bound_plan.hpp>
#include <tessera/plan.hpp>

#include "testing/arranged.hpp"
#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

struct sums {
  std::string text;
  std::map<char, index_t> extent;  // of the letters
  index_t count = 1;
  scaling scale = assign;
  arrangement how[max_inputs + 1] = {};
  int batched = 2;  // the input that is no table
};

/// The operands of such sums, filled with fractions; tables are shared by the batch.
template <class T>
struct given {
  explicit given(const sums& s) : what(s.text, s.scale), before{.count = s.count, .batched = true} {
    const einsum& e = what.modes();
    for (int o = 0; o < e.inputs; ++o) {
      add(e.operand[o], o == s.batched ? s.count : -1, s.how[o], s, unsigned(o));
      if (!s.how[o].table) end_where_it_ends(all.back());
    }
    add(e.out(), s.count, s.how[output], s, 7);
    before = in.back();
    in.pop_back();
  }
  void add(const modes& m, index_t count, const arrangement& how, const sums& s, unsigned seed) {
    table1::tensor_shape shape;
    shape.rank = m.rank;
    entries<T> values{.count = count < 0 ? 1 : count, .batched = count >= 0};
    for (int d = 0; d < m.rank; ++d) {
      shape.extent[d] = s.extent.at(m.letter[d]);
      values.extent.push_back(shape.extent[d]);
    }
    memory.push_back(std::make_unique<arranged<T>>(shape, count, how));
    unsigned state = seed * 2654435761u + 1u;
    for (index_t b = 0; b < values.count; ++b)
      for (index_t i = 0; i < values.size(); ++i) {
        state = state * 1664525u + 1013904223u;
        values.value.push_back(T(state) / T(2147483648.0) - T(1));
        memory.back()->at(i, b) = values.value.back();
      }
    all.push_back(memory.back()->get());
    in.push_back(values);
  }
  // In memory of its own, so that sanitizers see what is read behind it.
  void end_where_it_ends(operand& o) {
    const T* const data = static_cast<const T*>(o.data);
    exact.push_back(std::make_unique<std::vector<T>>(data, data + o.reach()));
    o.data = exact.back()->data();
  }
  entries<T> result() {
    entries<T> r = before;
    for (index_t b = 0; b < r.count; ++b)
      for (index_t i = 0; i < r.size(); ++i) r.value[std::size_t(b * r.size() + i)] = memory.back()->at(i, b);
    return r;
  }

  contraction what;
  std::vector<std::unique_ptr<arranged<T>>> memory;
  std::vector<std::unique_ptr<std::vector<T>>> exact;
  std::vector<operand> all;
  std::vector<entries<T>> in;
  entries<T> before;
};

template <class T>
plan plan_of(const given<T>& g, target where, int threads = 1) {
  return make_plan_of(g.what, g.all.data(), int(g.all.size()), {.on = where, .threads = threads});
}

template <class T>
void check(const sums& s, target where) {
  given<T> g(s);
  plan_of(g, where).run_operands(g.all.data(), int(g.all.size()), {});
  CHECK(count_wrong(g.result(), by_definition(g.what, g.in, g.before)) == 0);
  CHECK(g.memory.back()->gaps_untouched());
}

const std::string rows[] = {"ki,kj,kl->ilj", "ki,kj,akb->aibj", "ki,kj,klm->ilmj", "ki,kj,akmb->aimbj",
                            "ki,kj,abkcd->abicdj"};

// Functions for all letters but points: k, l, m.
std::map<char, index_t> lengths(index_t nodes, index_t points) {
  std::map<char, index_t> all;
  for (const char c : std::string("abcdij")) all[c] = nodes;
  for (const char c : std::string("klm")) all[c] = points;
  return all;
}

// The results by so many threads.
template <class T>
std::vector<T> by_threads(const sums& s, target where, int threads) {
  given<T> g(s);
  plan_of(g, where, threads).run_operands(g.all.data(), int(g.all.size()), {});
  return g.result().value;
}

// The results of a batch whose parts end at each of `cuts`.
template <class T>
std::vector<T> in_parts(const sums& s, target where, const std::vector<index_t>& cuts) {
  given<T> g(s);
  const bound_plan bound = plan_of(g, where).bind_operands(g.all.data(), int(g.all.size()));
  index_t first = 0;
  for (const index_t last : cuts) {
    bound.run(first, last - first);
    first = last;
  }
  return g.result().value;
}

}  // namespace

TEMPLATE_TEST_CASE("sums that assemble matrices: every size", "[plan][assembly]", float, double) {
  constexpr scaling scales[] = {{1, 0}, {1, 1}, {-2, .5}};
  for (const target where : cpu_targets())
    for (const std::string& text : rows)
      for (index_t nodes = 1; nodes <= (text.size() > 15 ? 3 : 5); ++nodes)
        for (index_t points = nodes; points <= nodes + 2; ++points) {
          INFO(text << " on " << name_of(where) << ", " << nodes << " nodes, " << points << " points");
          const index_t count = nodes <= 2 ? 300 : 100;
          const scaling& scale = scales[(nodes + points + index_t(text.size())) % 3];
          check<TestType>({.text = text, .extent = lengths(nodes, points), .count = count, .scale = scale}, where);
        }
}

TEMPLATE_TEST_CASE("sums that assemble matrices: tables in front, behind and around", "[plan][assembly]", float,
                   double) {
  for (const target where : cpu_targets())
    for (index_t nodes = 1; nodes <= 5; ++nodes) {
      INFO(name_of(where) << ", " << nodes << " nodes");
      const std::map<char, index_t> extent = lengths(nodes, nodes + 1);
      check<TestType>({.text = "kl,ki,kj->ilj", .extent = extent, .count = 150, .batched = 0}, where);
      check<TestType>({.text = "ki,akb,kj->aibj", .extent = extent, .count = 150, .batched = 1}, where);
      check<TestType>({.text = "ki,kj,akb->jbia", .extent = extent, .count = 150}, where);
    }
}

// Indices that a table and the other operand share; nothing but the result for each entry.
TEMPLATE_TEST_CASE("sums that assemble matrices: shared indices, a result alone", "[plan][assembly]", float, double) {
  for (const target where : cpu_targets())
    for (index_t nodes = 1; nodes <= 9; nodes += 2)
      for (const scaling& scale : {scaling{1, 0}, scaling{.3, .7}}) {
        INFO(name_of(where) << ", " << nodes << " nodes");
        const std::map<char, index_t> extent = lengths(nodes, nodes + 1);
        for (const char* text : {"ki,kj,ki->ij", "ki,kj,kj->ij", "ki,kj,kj->ji", "ki,kj,kia->ija", "ki,ki,kj->ij"})
          check<TestType>({.text = text, .extent = extent, .count = 90, .scale = scale}, where);
        check<TestType>({.text = rows[1], .extent = extent, .count = 9, .scale = scale, .batched = 3}, where);
      }
}

TEMPLATE_TEST_CASE("sums that assemble matrices: every small batch", "[plan][assembly]", float, double) {
  for (const target where : cpu_targets())
    for (const std::string& text : {rows[0], rows[1]})
      for (index_t count = 1; count <= 40; ++count) {
        INFO(text << " on " << name_of(where) << ", batch of " << count);
        sums s{.text = text, .extent = lengths(5, 6), .count = count};
        check<TestType>(s, where);
        s.how[2].gap = 1;
        check<TestType>(s, where);
      }
}

TEMPLATE_TEST_CASE("sums that assemble matrices: long sums and long indices", "[plan][assembly]", float, double) {
  for (const target where : cpu_targets()) {
    INFO(name_of(where));
    for (const index_t points : {7, 16, 33, 129})
      check<TestType>({.text = "ki,kj,kl->ilj", .extent = lengths(3, points), .count = 40}, where);
    for (const index_t nodes : {9, 17, 21}) {
      std::map<char, index_t> extent = lengths(3, 4);
      extent['i'] = nodes;
      check<TestType>({.text = "ki,kj,akb->aibj", .extent = extent, .count = 60}, where);
      extent['i'] = 2, extent['j'] = nodes;
      check<TestType>({.text = "ki,kj,akb->aibj", .extent = extent, .count = 60}, where);
      extent['j'] = 5, extent['a'] = nodes;
      check<TestType>({.text = "ki,kj,akb->aibj", .extent = extent, .count = 60}, where);
    }
  }
}

TEMPLATE_TEST_CASE("sums that assemble matrices: operands with gaps, in other orders, interleaved", "[plan][assembly]",
                   float, double) {
  for (const target where : cpu_targets())
    for (const std::string& text : {rows[0], rows[1], rows[2]})
      for (int o = 0; o < 4; ++o)
        for (int kind = 0; kind < 5; ++kind) {
          INFO(text << " on " << name_of(where) << ", operand " << o << ", arrangement " << kind);
          const int at = o == 3 ? output : o;
          sums s{.text = text, .extent = lengths(3, 4), .count = 150, .scale = {1, 1}};
          arrangement& how = s.how[at];
          if (kind == 0) how.gap = 2;
          if (kind == 1) how.order = 1, how.start = 1;
          if (kind == 2) how.order = text == rows[0] && at != output ? 1 : 3;
          if (kind == 3 && (at == 2 || at == output)) how.lanes = 8;
          if (kind == 4) how.table = true;
          check<TestType>(s, where);
        }
  for (const target where : cpu_targets())
    for (const std::string& text : rows) {
      INFO(text << " on " << name_of(where) << ", interleaved");
      sums s{.text = text, .extent = lengths(2, 3), .count = 37};
      s.how[2].lanes = s.how[output].lanes = 16;
      check<TestType>(s, where);
    }
}

TEMPLATE_TEST_CASE("sums that assemble matrices: the same bits in every part of a batch", "[plan][assembly]", float,
                   double) {
  for (const target where : cpu_targets())
    for (const std::string& text : {rows[0], rows[1], rows[2], std::string("ki,kj,ki->ij")})
      for (const index_t nodes : {2, 3, 5}) {
        INFO(text << " on " << name_of(where) << ", " << nodes << " nodes");
        for (const scaling& scale : {scaling{1, 0}, scaling{.3, 0}, scaling{.3, 1}, scaling{.3, .7}}) {
          const sums s{.text = text, .extent = lengths(nodes, nodes + 1), .count = 400, .scale = scale};
          const std::vector<TestType> whole = in_parts<TestType>(s, where, {400});
          const auto same = [&](const std::vector<TestType>& other) {
            return std::memcmp(whole.data(), other.data(), whole.size() * sizeof(TestType)) == 0;
          };
          CHECK(same(in_parts<TestType>(s, where, {1, 2, 19, 200, 399, 400})));
          CHECK(same(by_threads<TestType>(s, where, 3)));
        }
      }
}
