// SPDX-License-Identifier: BSD-3-Clause
// The CPU model: counts by hand, and preferences that any measurement confirms.
#include <cmath>
#include <string>

#include <tessera/detail/cpu_isas.hpp>

#include "space.hpp"
#include "space/as_config.hpp"
#include "space/model.hpp"
#include "space/ranking.hpp"
#include "testing/catch.hpp"

namespace tessera::tune {
namespace {

const machine_limits typical{
    .bandwidth_cache = 150e9, .bandwidth_stream = 30e9, .flops_f32 = 256e9, .flops_f64 = 128e9, .clock = 4e9};

tuning_case square(target on, scalar_type type, index_t n, memory_regime in = memory_regime::cache) {
  return {on, type, in, n, n, n};
}

TEST_CASE("Counts of one tile over the whole matrix", "[tune]") {
  const prediction p =
      predict(cpu_gemm_tuning{.columns = 8, .unroll_k = 0}, square(target::avx512, scalar_type::f64, 8), typical);
  CHECK(p.fmas == 8 * 8);
  // A's column and eight entries of B a step; C += A B also loads C.
  CHECK(p.loads == 8 * (1 + 8) + 8 / 2.0);
  CHECK(p.stores == 8);
  CHECK(p.shuffles == 0);
  CHECK(p.bytes == 8 * 64 * 3.5);
  CHECK(p.registers == 8 + 1 + 1);
}

TEST_CASE("Counts of panels and blocks with rests", "[tune]") {
  // 9 rows: two vectors of four, and one of which a lane is used; 5 columns: 3 and 2.
  const prediction p = predict(cpu_gemm_tuning{.row_vectors = 2, .columns = 3},
                               {target::avx2, scalar_type::f64, memory_regime::cache, 9, 5, 6}, typical);
  CHECK(p.fmas == 6 * 3 * 5);
  const double left = 6 * 3 * 2, right = 6 * 5 * 2, old = 3 * 5;
  CHECK(p.loads == left + right + old / 2);
  CHECK(p.stores == 3 * 5);
}

TEST_CASE("A kept panel is read once", "[tune]") {
  const tuning_case c = square(target::avx512, scalar_type::f64, 8);
  const prediction tile = predict(cpu_gemm_tuning{.columns = 2, .unroll_k = 0}, c, typical);
  const prediction kept = predict(cpu_gemm_tuning{.columns = 2, .unroll_k = 0, .keep_left = 1}, c, typical);
  CHECK(tile.loads - kept.loads == 3 * 8);
  CHECK(tile.fmas == kept.fmas);
  CHECK(kept.seconds < tile.seconds);
}

TEST_CASE("Results that pass the caches are not fetched first", "[tune]") {
  const tuning_case stream = square(target::avx2, scalar_type::f64, 8, memory_regime::stream);
  const prediction ordinary = predict(cpu_gemm_tuning{}, stream, typical);
  const prediction past = predict(cpu_gemm_tuning{.stream = 1}, stream, typical);
  CHECK(ordinary.bytes == 8 * 64 * 4);
  CHECK(past.bytes == 8 * 64 * 3.5);
  CHECK(past.seconds < ordinary.seconds);
  CHECK(std::string(ordinary.limited_by) == "memory");
  // In cache it is the other way round: such stores leave the cache.
  const tuning_case cache = square(target::avx2, scalar_type::f64, 8);
  CHECK(predict(cpu_gemm_tuning{.stream = 1}, cache, typical).seconds >
        predict(cpu_gemm_tuning{}, cache, typical).seconds);
}

TEST_CASE("Larger tiles beat single columns", "[tune]") {
  for (const detail::cpu_isa_numbers& each : detail::cpu_isas)
    for (const scalar_type type : {scalar_type::f32, scalar_type::f64}) {
      const tuning_case c = square(each.isa, type, 16);
      INFO(key_of(c));
      const double tile = predict(cpu_gemm_tuning{.row_vectors = 2, .columns = 4}, c, typical).seconds;
      const double column = predict(cpu_gemm_tuning{.row_vectors = 1, .columns = 1}, c, typical).seconds;
      CHECK(tile < 0.8 * column);
    }
}

TEST_CASE("Tiles that fill their vectors and divide n win", "[tune]") {
  const tuning_case c = square(target::avx512, scalar_type::f64, 12);
  const double even = predict(cpu_gemm_tuning{.row_vectors = 2, .columns = 6}, c, typical).seconds;
  const double thin = predict(cpu_gemm_tuning{.row_vectors = 1, .columns = 5}, c, typical).seconds;
  CHECK(even < thin);
}

TEST_CASE("The compiler's loop wins where several columns fill a vector", "[tune]") {
  for (const index_t n : {2, 4}) {
    const tuning_case c = square(target::avx512, scalar_type::f64, n);
    const space s = make_space(gemm_family(c.on), c, typical);
    CHECK(as_tuning<cpu_gemm_tuning>(s.candidates[std::size_t(ranked(s).front())]).plain == 1);
  }
  const tuning_case odd = square(target::avx512, scalar_type::f64, 7);
  const space s = make_space(gemm_family(odd.on), odd, typical);
  CHECK(as_tuning<cpu_gemm_tuning>(s.candidates[std::size_t(ranked(s).front())]).plain == 0);
}

TEST_CASE("Without any known limit predictions still rank", "[tune]") {
  const tuning_case c = square(target::avx2, scalar_type::f64, 12);
  const space known = make_space(gemm_family(c.on), c, typical), unknown = make_space(gemm_family(c.on), c, {});
  std::vector<double> a, b;
  for (std::size_t i = 0; i < known.predicted.size(); ++i) {
    a.push_back(known.predicted[i].seconds);
    b.push_back(unknown.predicted[i].seconds);
    CHECK(std::isfinite(b.back()));
    CHECK(b.back() > 0);
  }
  CHECK(spearman(a, b) > 0.6);
}

TEST_CASE("The measured order of AVX-512 tiles is predicted", "[tune]") {
  // One core of a Zen 5, batch in L2, n = 9 in double: ns of a product.
  struct measured {
    cpu_gemm_tuning tuning;
    double ns;
  };
  const measured all[] = {{{1, 1, 0}, 66.6}, {{1, 2, 0}, 55.2}, {{1, 3, 0}, 49.8}, {{1, 4, 0}, 39.3}, {{1, 5, 0}, 34.6},
                          {{1, 6, 0}, 37.7}, {{1, 7, 0}, 36.1}, {{1, 8, 0}, 35.2}, {{1, 9, 0}, 31.1}, {{2, 1, 0}, 58.1},
                          {{2, 2, 0}, 46.6}, {{2, 3, 0}, 40.8}, {{2, 4, 0}, 29.7}, {{2, 5, 0}, 24.4}, {{2, 6, 0}, 29.1},
                          {{2, 7, 0}, 27.8}, {{2, 8, 0}, 25.9}, {{2, 9, 0}, 20.6}};
  std::vector<double> predicted, ns;
  for (const measured& m : all) {
    predicted.push_back(predict(m.tuning, square(target::avx512, scalar_type::f64, 9), typical).seconds);
    ns.push_back(m.ns);
  }
  CHECK(spearman(predicted, ns) > 0.8);
  CHECK(top_share(predicted, ns, 3) > 0.95);
}

}  // namespace
}  // namespace tessera::tune
