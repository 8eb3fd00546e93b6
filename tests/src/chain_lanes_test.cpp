// SPDX-License-Identifier: BSD-3-Clause
// Chains with an element a lane: the bits of each element alone, for any count, layout and number of threads.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>

#include <cmath>
#include <cstring>

#include "testing/catch.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// A mass operator on elements with d nodes and q points along an axis.
template <class T>
struct elements {
  elements(index_t nodes, index_t points, index_t count)
      : d(nodes),
        B(make_tensor<T>(of_size(points, nodes))),
        D(make_batch<T>(of_size(points, points, points), count)),
        x(make_batch<T>(of_size(nodes, nodes, nodes), count)) {
    fill(B, 0.5), fill(D, 0.3), fill(x, 0.7);
  }
  std::vector<chain_step> steps(const operand& weights) const {
    const operand b = operand_of(B);
    return {{contraction("kj,abj->abk"), {b}}, {contraction("kj,ajc->akc"), {b}},
            {contraction("kj,jbc->kbc"), {b}}, {contraction("abc,abc->abc"), {weights}},
            {contraction("ki,abk->abi"), {b}}, {contraction("ki,akc->aic"), {b}},
            {contraction("ki,kbc->ibc"), {b}}};
  }
  auto results() const { return make_batch<T>(of_size(d, d, d), x.count()); }

  template <class Tensor>
  static void fill(Tensor& of, double step) {
    double at = 0;
    for (T& entry : of) entry = T(std::sin(at += step));
  }

  index_t d;
  tensor<T, cpu, extents<dynamic, dynamic>> B;
  batch<T, cpu, extents<dynamic, dynamic, dynamic>> D, x;
};

template <class T, class Out>
std::string run(const elements<T>& e, Out& y, const plan_options& options) {
  const chain c(e.steps(operand_of(e.D)), operand_of(e.x), operand_of(y), options);
  buffer workspace(space_kind::cpu, c.workspace_bytes(y.count()));
  c.run(e.x, y, workspace);
  return c.describe(detail_level::brief);
}

// Element by element, where no lanes can be filled.
template <class T>
auto run_alone(const elements<T>& e, const plan_options& options) {
  auto y = e.results();
  for (index_t b = 0; b < y.count(); ++b) {
    const operand in = slice(operand_of(e.x), b, 1), out = slice(operand_of(y), b, 1);
    const chain c(e.steps(slice(operand_of(e.D), b, 1)), in, out, options);
    buffer workspace(space_kind::cpu, c.workspace_bytes(1));
    c.run_operands(in, out, workspace, {});
  }
  return y;
}

template <class Batch>
bool same_bits(const Batch& a, const Batch& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; });
}

bool is_in_lanes(const std::string& text) { return text.find("an element a lane") != std::string::npos; }

plan_options in_regime(target on, memory_regime in, int threads = 1) {
  return {.on = on, .threads = threads, .regime = in};
}

}  // namespace

TEMPLATE_TEST_CASE("chains of small elements: the bits of each element alone", "[chain]", float, double) {
  using T = TestType;
  for (const target where : cpu_targets())
    for (index_t d = 1; d <= 6; ++d)
      for (const index_t count : {1, 7, 8, 9, 16, 43, 131}) {
        const elements<T> e(d, d + 1, count);
        const plan_options options = in_regime(where, memory_regime::cache);
        auto y = e.results();
        run(e, y, options);
        INFO(name_of(where) << ", " << d << " nodes, " << count << " elements");
        CHECK(same_bits(y, run_alone(e, options)));
      }
}

TEST_CASE("chains of small elements: any number of threads, and the result over the input", "[chain]") {
  elements<float> e(3, 4, 2011);
  auto one = e.results(), several = e.results();
  run(e, one, in_regime(default_cpu_target(), memory_regime::cache));
  for (const int threads : {2, 3, 7}) {
    run(e, several, in_regime(default_cpu_target(), memory_regime::cache, threads));
    CHECK(same_bits(one, several));
  }
  run(e, e.x, in_regime(default_cpu_target(), memory_regime::cache));
  CHECK(same_bits(one, e.x));
}

TEST_CASE("interleaved batches of the highest rank: as many loops as there can be", "[chain]") {
  const auto shape = of_size(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
  auto a = make_batch<double>(interleave<64>(shape), 128), b = make_batch<double>(interleave<64>(shape), 128);
  auto c = make_batch<double>(interleave<64>(shape), 128), wanted = make_batch<double>(interleave<64>(shape), 128);
  elements<double>::fill(a, 0.5), elements<double>::fill(b, 0.7);
  const auto into = [&](auto& out, target where) {
    const operand all[] = {operand_of(a), operand_of(b), operand_of(out)};
    make_plan_of(contraction("abcdefghijkl,lkjihgfedcba->abcdefghijkl"), all, 3, on(where)).run_operands(all, 3, {});
  };
  into(wanted, target::reference);
  for (const target where : cpu_targets()) {
    into(c, where);
    CHECK(std::equal(c.begin(), c.end(), wanted.begin()));
  }
}

TEST_CASE("chains of small elements: which have an element a lane", "[chain]") {
  using enum memory_regime;
  for (const target where : cpu_targets()) {
    const auto lanes = [&](auto type, index_t d, memory_regime in) {
      const elements<decltype(type)> e(d, d + 1, 3);
      auto y = e.results();
      return is_in_lanes(run(e, y, in_regime(where, in)));
    };
    const bool wide = where == target::avx2 || where == target::avx512;
    INFO(name_of(where));
    if (where == target::sve256 || where == target::sve512) continue;
    CHECK(lanes(0.0F, 2, cache) == wide);
    CHECK(lanes(0.0, 2, cache) == wide);
    CHECK(lanes(0.0F, 2, stream) == wide);
    CHECK(lanes(0.0, 1, stream) == wide);
    CHECK_FALSE(lanes(0.0F, 6, cache));
    CHECK_FALSE(lanes(0.0, 3, cache));
    CHECK_FALSE(lanes(0.0F, 3, stream));
    CHECK_FALSE(lanes(0.0, 2, stream));
  }
}

TEST_CASE("chains of small elements: not from layouts that vectors cannot read", "[chain]") {
  const elements<float> e(2, 3, 20);
  const auto text_with = [&](const operand& in, const operand& out) {
    return chain(e.steps(operand_of(e.D)), in, out, in_regime(default_cpu_target(), memory_regime::cache)).describe();
  };
  auto y = e.results();
  auto in_threes = make_batch<float>(interleave<3>(of_size(2, 2, 2)), 20);
  operand apart = operand_of(e.x);
  apart.facts.stride[2] += 3, apart.span += 3, apart.stride += 3;
  const std::string words = "elements are interleaved";
  CHECK(text_with(operand_of(in_threes), operand_of(y)).find(words) == std::string::npos);
  CHECK(text_with(apart, operand_of(y)).find(words) == std::string::npos);
}

TEST_CASE("chains of small elements: tensors of high rank stay packed", "[chain]") {
  // 3^7 entries of 16 floats are more than a call holds in lanes.
  auto x = make_batch<float>(of_size(3, 3, 3, 3, 3, 3, 3), 40), y = make_batch<float>(of_size(3, 3, 3, 3, 3, 3, 3), 40);
  auto B = make_tensor<float>(of_size(3, 3));
  elements<float>::fill(B, 0.5), elements<float>::fill(x, 0.7);
  const std::vector<chain_step> steps{{contraction("kj,abcdefj->abcdefk"), {operand_of(B)}},
                                      {contraction("kj,jbcdefg->kbcdefg"), {operand_of(B)}}};
  const chain c(steps, operand_of(x), operand_of(y), in_regime(default_cpu_target(), memory_regime::cache));
  CHECK_FALSE(is_in_lanes(c.describe(detail_level::brief)));
}
