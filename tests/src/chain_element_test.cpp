// SPDX-License-Identifier: BSD-3-Clause
// Chains that are a mass operator run by its element kernel: recognised, right, and given up where tables change.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/executor.hpp>

#include <cmath>
#include <limits>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/forced.hpp"
#include "testing/says.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// "kj,abj->abk" along direction 2 of 3, and so on.
std::string along(int direction, int dim, char from, char to) {
  std::string in = std::string("abc").substr(0, std::size_t(dim)), out = in;
  in[std::size_t(direction)] = from, out[std::size_t(direction)] = to;
  return std::string(1, to) + from + "," + in + "->" + out;
}

struct cube_sizes {
  int dim;
  index_t d, q;
};

template <class T>
auto cube(const cube_sizes& s, index_t n, index_t count) {
  const index_t all[3] = {n, s.dim > 1 ? n : 1, s.dim > 2 ? n : 1};
  return make_batch<T>(of_size(all[0], all[1], all[2]), count);
}

// The first `dim` dimensions of a batch.
template <class Batch>
operand sides(Batch& b, int dim) {
  operand o = operand_of(b);
  o.facts.rank = dim;
  return o;
}

template <class T>
struct mass {
  explicit mass(const cube_sizes& of, index_t count)
      : s(of),
        B(make_tensor<T>(of_size(of.q, of.d))),
        transposed(make_tensor<T>(of_size(of.d, of.q))),
        D(cube<T>(of, of.q, count)),
        x(cube<T>(of, of.d, count)),
        y(cube<T>(of, of.d, count)),
        wanted(cube<T>(of, of.d, count)) {
    for (index_t i = 0; i < s.d; ++i)
      for (index_t k = 0; k < s.q; ++k)
        B(k, i) = T(std::cos(double(3 * i + k)) + std::cos(double(3 * (s.d - 1 - i) + s.q - 1 - k)));
    for (index_t i = 0; i < s.d; ++i)
      for (index_t k = 0; k < s.q; ++k) transposed(i, k) = B(k, i);
    fill(D, 0.3), fill(x, 0.7);
  }
  template <class Batch>
  static void fill(Batch& of, double step) {
    double at = 0;
    for (T& entry : of) entry = T(std::sin(at += step));
  }

  std::vector<chain_step> steps(const scaling& last = {}) {
    std::vector<chain_step> all;
    for (int direction = s.dim - 1; direction >= 0; --direction)
      all.push_back({contraction(along(direction, s.dim, 'j', 'k')), {operand_of(B)}});
    const std::string letters = std::string("abc").substr(0, std::size_t(s.dim));
    all.push_back({contraction(letters + "," + letters + "->" + letters), {sides(D, s.dim)}});
    for (int direction = 0; direction < s.dim; ++direction)
      all.push_back({contraction(along(direction, s.dim, 'k', 'i')), {operand_of(transposed)}});
    all.back().what = all.back().what.scaled(last.alpha, last.beta);
    return all;
  }
  template <class Batch>
  void run(const chain& c, Batch& to) {
    const operand in = sides(x, s.dim), out = sides(to, s.dim);
    buffer workspace(space_kind::cpu, c.workspace_bytes(to.count()));
    c.run_operands(in, out, workspace, {});
  }
  chain made(const std::vector<chain_step>& of, const plan_options& options) {
    return chain(of, sides(x, s.dim), sides(y, s.dim), options);
  }
  // Against the same chain, staged.
  void check(const std::vector<chain_step>& of, plan_options options) {
    fill(y, 0.9), fill(wanted, 0.9);
    const chain c = made(of, options);
    options.fuse = false;
    const chain staged = made(of, options);
    REQUIRE_FALSE(staged.is_fused());
    run(c, y), run(staged, wanted);
    // The terms of an entry, each of a few roundings.
    const double scale = 4 * std::pow(double(s.d * s.q), s.dim), bound = 64 * std::numeric_limits<T>::epsilon() * scale;
    int faults = 0;
    auto w = wanted.begin();
    for (const T& entry : y) faults += int(!(std::abs(double(entry) - double(*w++)) <= bound));
    CHECK(faults == 0);
  }

  cube_sizes s;
  tensor<T, cpu, extents<dynamic, dynamic>> B, transposed;
  batch<T, cpu, extents<dynamic, dynamic, dynamic>> D, x, y, wanted;
};

plan_options options_on(target where, int threads = 1) { return {.on = where, .threads = threads}; }

// Sizes with a kernel on this target; the smallest build has some on every one but the reference.
template <class T>
std::vector<cube_sizes> compiled_sizes(target where) {
  std::vector<cube_sizes> found;
  for (int dim = 1; dim <= 3; ++dim)
    for (index_t d = 1; d <= 9; ++d)
      for (index_t q = d; q <= d + 2; ++q) {
        mass<T> m({dim, d, q}, 1);
        if (m.made(m.steps(), options_on(where)).is_fused()) found.push_back(m.s);
      }
  return found;
}

}  // namespace

TEMPLATE_TEST_CASE("a mass operator's chain runs its element kernel", "[chain]", float, double) {
  using T = TestType;
  for (const target where : cpu_targets()) {
    const std::vector<cube_sizes> all = compiled_sizes<T>(where);
    INFO(name_of(where));
    if (where == target::avx2 || where == target::avx512) CHECK_FALSE(all.empty());
    for (const cube_sizes& s : all)
      for (const index_t count : {1, 3, 8, 37})
        for (const int threads : {1, 2, 5}) {
          INFO(s.dim << "-D, " << s.d << " nodes, " << s.q << " points, " << count << " elements, " << threads
                     << " threads");
          mass<T> m(s, count);
          m.check(m.steps(), options_on(where, threads));
          m.check(m.steps({.beta = 1}), options_on(where, threads));
          std::vector<chain_step> shared = m.steps();
          operand& D = shared[std::size_t(s.dim)].inputs.front();
          D.batched = false, D.count = 1, D.stride = 0;
          m.check(shared, options_on(where, threads));
        }
  }
}

TEST_CASE("a mass operator's chain: the same bits for each element and any threads, and the result over the input",
          "[chain]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      mass<double> m(s, 83);
      const chain one = m.made(m.steps(), options_on(where)), several = m.made(m.steps(), options_on(where, 3));
      m.run(one, m.wanted);
      m.run(several, m.y);
      CHECK(std::equal(m.y.begin(), m.y.end(), m.wanted.begin()));
      m.run(one, m.x);
      CHECK(std::equal(m.x.begin(), m.x.end(), m.wanted.begin()));
    }
}

TEST_CASE("a mass operator's chains as a list of single elements are one run", "[chain][executor]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      mass<double> m(s, 83);
      std::vector<chain_step> shared = m.steps();
      operand& D = shared[std::size_t(s.dim)].inputs.front();
      D.batched = false, D.count = 1, D.stride = 0;
      m.run(m.made(shared, options_on(where)), m.wanted);
      const contraction last = shared.back().what;
      std::vector<executor_item> items;
      for (index_t b = 0; b < 83; ++b)
        items.push_back({last, {slice(sides(m.x, s.dim), b, 1), slice(sides(m.y, s.dim), b, 1)}, shared});
      for (const bool fuse : {true, false}) {
        mass<double>::fill(m.y, 0.9);
        plan_options options = options_on(where);
        options.fuse = fuse;
        const executor all(items, options);
        CHECK(all.launches() == (fuse ? 1 : 2 * s.dim + 1));
        CHECK(says(all.describe(), std::string("(evenly spaced): ") + (fuse ? "fused, one element kernel" : "staged")));
        all.run();
        if (fuse) CHECK(std::equal(m.y.begin(), m.y.end(), m.wanted.begin()));
      }
    }
}

TEST_CASE("a mass operator's chain: a regime that is forced changes no bit, and is named", "[chain]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<float>(where)) {
      mass<float> m(s, 83);
      m.run(m.made(m.steps(), options_on(where)), m.wanted);
      for (const memory_regime in : {memory_regime::cache, memory_regime::stream}) {
        plan_options options = options_on(where);
        options.regime = in;
        const chain forced = m.made(m.steps(), options);
        CHECK(says(forced.describe(), std::string(name_of(in)) + ": forced by plan_options::regime"));
        CHECK(says(forced.describe(), in == memory_regime::cache ? "; in cache: " : "; from memory: "));
        CHECK_FALSE(says(forced.describe(), "record"));  // those are of operators that store D
        m.run(forced, m.y);
        CHECK(std::equal(m.y.begin(), m.y.end(), m.wanted.begin()));
        const testing::forced environment("stream", "TESSERA_REGIME");
        CHECK(says(m.made(m.steps(), options_on(where)).describe(), "stream: forced by TESSERA_REGIME"));
        CHECK(says(m.made(m.steps(), options).describe(), std::string(name_of(in)) + ": forced by plan_options"));
      }
    }
}

TEST_CASE("a mass operator's chain whose tables have changed runs staged", "[chain]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      mass<double> m(s, 20);
      const chain c = m.made(m.steps(), options_on(where));
      plan_options options = options_on(where);
      options.fuse = false;
      const chain staged = m.made(m.steps(), options);
      m.B(0, 0) += 1;
      m.run(c, m.y);
      m.run(staged, m.wanted);
      CHECK(std::equal(m.y.begin(), m.y.end(), m.wanted.begin()));
    }
}

TEST_CASE("chains that are no mass operator run staged", "[chain]") {
  for (const target where : cpu_targets()) {
    const auto fused = [&](mass<double>& m, const std::vector<chain_step>& steps) {
      return m.made(steps, options_on(where)).is_fused();
    };
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      if (s.d < 2) continue;
      mass<double> m(s, 5);
      CHECK(fused(m, m.steps()));
      CHECK_FALSE(fused(m, m.steps({.alpha = 2})));
      CHECK_FALSE(fused(m, m.steps({.beta = 2})));
      // One direction twice, where cube_sizes allow it.
      if (s.dim > 1 && s.d == s.q) {
        std::vector<chain_step> twice = m.steps();
        twice[0] = twice[1];
        CHECK_FALSE(fused(m, twice));
      }
      std::vector<chain_step> no_table = m.steps();
      no_table[0].inputs.front().data = nullptr;
      CHECK_FALSE(fused(m, no_table));
      m.B(0, 0) += 1;
      CHECK_FALSE(fused(m, m.steps()));
      m.B(0, 0) = std::numeric_limits<double>::quiet_NaN();
      CHECK_FALSE(fused(m, m.steps()));
    }
  }
}

TEST_CASE("a mass operator's chain of floats with sums in double runs staged", "[chain]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<float>(where)) {
      mass<float> m(s, 5);
      std::vector<chain_step> steps = m.steps();
      for (chain_step& step : steps) step.what = contraction(step.what.text(), sums_in<double>());
      CHECK_FALSE(m.made(steps, options_on(where)).is_fused());
    }
}

TEST_CASE("a mass operator's chain: nothing for an empty batch, errors for addresses that are none",
          "[chain][errors]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      mass<double> none(s, 0), m(s, 5);
      const chain of_none = none.made(none.steps(), options_on(where));
      CHECK(of_none.workspace_bytes(0) == 0);
      none.run(of_none, none.y);
      const chain c = m.made(m.steps(), options_on(where));
      buffer workspace(space_kind::cpu, c.workspace_bytes(5));
      operand in = sides(m.x, s.dim), out = sides(m.y, s.dim);
      const void* const data = in.data;
      in.data = nullptr;
      check_failure(status::null_pointer, {"input", "null pointer"}, [&] { c.run_operands(in, out, workspace, {}); });
      in.data = static_cast<const char*>(data) + 4;
      check_failure(status::invalid_argument, {"input", "multiple of 8"},
                    [&] { c.run_operands(in, out, workspace, {}); });
      in.data = data, out.data = nullptr;
      check_failure(status::null_pointer, {"output", "null pointer"}, [&] { c.run_operands(in, out, workspace, {}); });
    }
}

TEST_CASE("a mass operator's chain: batches with gaps, another distance when it runs", "[chain]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      mass<double> m(s, 20);
      // Every second element of each batch.
      std::vector<chain_step> steps = m.steps();
      const auto halved = [](operand o) {
        o.count /= 2, o.stride *= 2;
        return o;
      };
      operand& D = steps[std::size_t(s.dim)].inputs.front();
      D = halved(D);
      const chain c = m.made(steps, options_on(where));
      CHECK(c.is_fused());
      m.run(m.made(m.steps(), options_on(where)), m.wanted);
      mass<double>::fill(m.y, 0.9);
      const std::vector<double> before(m.y.begin(), m.y.end());
      buffer workspace(space_kind::cpu, c.workspace_bytes(10));
      c.run_operands(halved(sides(m.x, s.dim)), halved(sides(m.y, s.dim)), workspace, {});
      int faults = 0;
      const std::size_t entries = before.size() / 20;
      for (std::size_t i = 0; i < before.size(); ++i)
        faults += int(m.y.data()[i] != (i / entries % 2 == 0 ? m.wanted.data()[i] : before[i]));
      CHECK(faults == 0);
    }
}

TEST_CASE("a mass operator's chain refuses other operands than it was made for", "[chain][errors]") {
  for (const target where : cpu_targets())
    for (const cube_sizes& s : compiled_sizes<double>(where)) {
      mass<double> m(s, 5), larger({s.dim, s.d + 1, s.q}, 5);
      const chain c = m.made(m.steps(), options_on(where));
      buffer workspace(space_kind::cpu, c.workspace_bytes(5));
      check_failure(status::shape_mismatch, {"input", "made for"},
                    [&] { c.run_operands(sides(larger.x, s.dim), sides(m.y, s.dim), workspace, {}); });
      check_failure(status::overlap, {"chain", "overlaps"}, [&] {
        operand shifted = sides(m.y, s.dim), in = shifted;
        in.data = static_cast<const double*>(in.data) + 1;
        in.count = shifted.count = 4;
        std::vector<chain_step> steps = m.steps();
        steps[std::size_t(s.dim)].inputs.front().count = 4;
        const chain four(steps, in, shifted, options_on(where));
        four.run_operands(in, shifted, workspace, {});
      });
    }
}
