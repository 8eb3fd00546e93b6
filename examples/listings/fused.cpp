// SPDX-License-Identifier: BSD-3-Clause
// Contractions with functions of their entries, another pair of operations, an addend, and integers.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace tessera;

int main() {
  // snippet functions
  auto weights = make_tensor<double>(of_size(3, 4));
  auto x = make_batch<double>(of_size(4, 2), 100), bias = make_batch<double>(of_size(3, 2), 100),
       y = make_batch<double>(of_size(3, 2), 100);
  std::fill(weights.begin(), weights.end(), -0.5);
  std::fill(x.begin(), x.end(), 2);
  std::fill(bias.begin(), bias.end(), 1);

  // y = leaky_relu(weights relu(x) + bias)
  const contraction layer = contraction("ik,kj+ij->ij").with({.b = relu, .result = leaky_relu(0.25)});
  const plan forward = make_plan(layer, weights, x, bias, y);
  forward.run(weights, x, bias, y);  // -0.75 everywhere
  // end snippet
  const bool layer_is_good = std::count(y.begin(), y.end(), -0.75) == 600;

  // snippet pairs
  // Lengths of the shortest paths of at most two steps: distance(i, j) = min_k way(i, k) + way(k, j).
  constexpr float none = std::numeric_limits<float>::infinity();
  std::vector<float> way{0, none, 5, 2, 0, none, none, 1, 0}, distance(9);
  const auto from = view(way.data(), of_size(3, 3));
  const auto to = view(distance.data(), of_size(3, 3));
  make_plan(contraction("ik,kj->ij").over(min_plus), from, from, to).run(from, from, to);
  // end snippet
  const bool paths_are_good = distance[7] == 1 && distance[6] == 3 && distance[2] == 5 && distance[1] == 6;

  // snippet own
  // A function of your own: text for GPUs, and a callable for CPUs, by default for sums in float and in double.
  const entry_function softsign =
      entry_function::own("softsign", "x / (1 + fabs(x))", [](auto v) { return v / (1 + std::fabs(v)); });
  // A pair of your own: the largest distance of two entries.
  const operations farthest = operations::own(
      {.name = "farthest", .multiply = "fabs(a - b)", .add = "c < x ? x : c", .is_commutative = true},
      [](auto a, auto b) { return std::fabs(a - b); }, [](auto c, auto v) { return c < v ? v : c; },
      [](auto zero) { return zero; });  // the neutral element: no distance is less
  const contraction apart = contraction("ik,kj->ij").with({.result = softsign}).over(farthest);
  make_plan(apart, weights, x, y).run(weights, x, y);  // |-0.5 - 2| / (1 + |-0.5 - 2|)
  // end snippet
  const bool own_is_good = std::count(y.begin(), y.end(), 2.5 / 3.5) == 600;

  // snippet types
  // 16-bit integers with sums in 32 bits; half times float with sums and results in double.
  auto counts = make_batch<std::int16_t>(of_size(4, 4), 100);
  auto totals = make_batch<std::int32_t>(of_size(4, 4), 100);
  std::fill(counts.begin(), counts.end(), std::int16_t(300));
  make_plan(contraction("ik,kj->ij"), counts, counts, totals).run(counts, counts, totals);

  auto h = make_batch<half>(of_size(4, 4), 100);
  auto f = make_batch<float>(of_size(4, 4), 100);
  auto d = make_batch<double>(of_size(4, 4), 100);
  std::fill(h.begin(), h.end(), half(1.5f));
  std::fill(f.begin(), f.end(), 2.0f);
  make_plan(contraction("ik,kj->ij", sums_in<double>()), h, f, d).run(h, f, d);
  // end snippet
  const bool types_are_good = totals(99)(3, 3) == 360000 && d(99)(3, 3) == 12;
  return layer_is_good && paths_are_good && own_is_good && types_are_good ? 0 : 1;
}
