// SPDX-License-Identifier: BSD-3-Clause
// The memory regime of plans: forced by an option, or by TESSERA_REGIME; results are the same bits in both.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/detail/records.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/explain.hpp>
#include <tessera/plan.hpp>
#include <tessera/regime.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "choice_words.hpp"
#include "testing/failure.hpp"
#include "testing/forced.hpp"
#include "testing/says.hpp"
#include "testing/skip.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr const char* variable = "TESSERA_REGIME";

plan_options in(std::optional<memory_regime> regime, target where, int threads = 1) {
  plan_options options = on(where, threads);
  options.regime = regime;
  return options;
}

// C = A B of any sizes over a batch whose result does not begin on a line.
struct products {
  index_t m, n, k, count;
  double beta = 0;
  bool shares_left = false;
  std::vector<double> a = made_up(m * k * count, 1), b = made_up(k * n * count, 2), c = made_up(m * n * count + 1, 3);

  static std::vector<double> made_up(index_t size, int seed) {
    std::vector<double> all;
    for (index_t i = 0; i < size; ++i) all.push_back(1.0 / double(i % 97 + seed) - 0.3);
    return all;
  }
  auto what() const { return contraction("ik,kj->ij", {1, beta}); }
  operand left() {
    return shares_left ? operand_of(view(a.data(), of_size(m, k)))
                       : operand_of(view_batch(a.data(), of_size(m, k), count));
  }
  std::vector<operand> operands(double* to) {
    return {left(), operand_of(view_batch(b.data(), of_size(k, n), count)),
            operand_of(view_batch(to + 1, of_size(m, n), count))};
  }
  plan made(const plan_options& options) { return make_plan_of(what(), operands(c.data()).data(), 3, options); }
  std::vector<double> computed(const plan_options& options) {
    std::vector<double> to = c;
    made(options).run_operands(operands(to.data()).data(), 3, {});
    return to;
  }
};

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
}

std::string described(const plan_options& options) { return products{4, 4, 4, 7}.made(options).describe(); }

}  // namespace

TEST_CASE("regimes have names", "[regime]") {
  CHECK(regime_from_name("cache") == memory_regime::cache);
  CHECK(regime_from_name("stream") == memory_regime::stream);
  CHECK_FALSE(regime_from_name("auto"));
  check_failure(status::invalid_argument, {"'strem' (did you mean 'stream'?)", "known: cache, stream, auto"},
                [] { regime_from_name("strem"); });
}

TEST_CASE("the option forces a regime, and outranks TESSERA_REGIME", "[regime]") {
  const forced nothing(nullptr, variable);
  for (const target where : cpu_targets()) {
    INFO(name_of(where));
    CHECK_FALSE(says(described(on(where)), "forced"));
    CHECK(says(described(in(memory_regime::stream, where)), "stream: forced by plan_options::regime"));
    CHECK(says(described(in(memory_regime::cache, where)), "cache: forced by plan_options::regime"));
    const forced environment("stream", variable);
    CHECK(says(described(on(where)), "stream: forced by TESSERA_REGIME"));
    CHECK(says(described(in(memory_regime::cache, where)), "cache: forced by plan_options::regime"));
    const forced by_size("auto", variable);
    CHECK_FALSE(says(described(on(where)), "forced"));
    const forced empty("", variable);
    CHECK_FALSE(says(described(on(where)), "forced"));
  }
}

TEST_CASE("an unknown TESSERA_REGIME is an error of every plan that has no option", "[regime]") {
  const forced wrong("memory", variable);
  check_failure(status::invalid_argument, {"TESSERA_REGIME=memory", "known: cache, stream, auto"},
                [] { described(on(default_cpu_target())); });
  CHECK_FALSE(described(in(memory_regime::stream, default_cpu_target())).empty());
}

TEST_CASE("a forced regime takes the rows that were measured in it", "[regime]") {
  const forced nothing(nullptr, variable);
  int seen = 0;
  for (const target where : cpu_targets()) {
    if (where == target::reference) continue;
    for (const cpu_gemm_record& r : cpu_gemm_records) {
      if (r.isa != where || r.type != scalar_type::f64 || !r.tuning.stream || r.n == 0) continue;
      if (detail::row_of(*rows_of(where), r) == nullptr) continue;
      products p{r.m, r.n, r.k, 5};
      // The best record of the size may be another one.
      choice_query q = detail::on_this_machine({.where = where, .m = r.m, .n = r.n, .k = r.k});
      q.forced = memory_regime::stream;
      const cpu_gemm_record& best = cpu_gemm_records[std::size_t(choose(q).record)];
      INFO(name_of(where) << " " << r.m << "x" << r.n << "x" << r.k);
      if (best.tuning.stream && detail::row_of(*rows_of(where), best) != nullptr) {
        ++seen;
        CHECK(says(p.made(in(memory_regime::stream, where)).row(), "non-temporal stores"));
      }
      CHECK_FALSE(says(p.made(in(memory_regime::cache, where)).row(), "non-temporal stores"));
      CHECK_FALSE(says(p.made(on(where)).row(), "non-temporal stores"));
    }
  }
  if (seen == 0) skip("no compiled row has non-temporal stores");
}

TEST_CASE("results are the same bits in both regimes", "[regime]") {
  for (const target where : cpu_targets())
    for (const index_t n : {2, 3, 4, 5, 8, 16, 19})
      for (const double beta : {0.0, 1.0})
        for (const bool shared : {false, true})
          for (const index_t extra : {0, 3}) {
            products p{n, n + extra, n, 301, beta, shared};
            INFO(name_of(where) << " " << n << "x" << n + extra << ", beta " << beta << ", A shared " << shared);
            const plan_options cache = in(memory_regime::cache, where), stream = in(memory_regime::stream, where);
            const std::vector<double> cached = p.computed(cache), streamed = p.computed(stream);
            CHECK(same_bits(streamed, p.computed(in(memory_regime::stream, where, 3))));
            CHECK(cached.front() == p.c.front());
            // Plain loops begin a sum with the old entry, other rows add it at the end.
            const bool plain = says(p.made(cache).row() + p.made(stream).row(), "plain loops");
            const double bound = beta == 0 || !plain ? 0 : 4e-15 * double(n);
            CHECK(std::equal(cached.begin(), cached.end(), streamed.begin(),
                             [&](double x, double y) { return std::abs(x - y) <= bound; }));
          }
}

TEST_CASE("members of groups run one by one, which describe() says where stream is forced", "[regime]") {
  products p{4, 4, 4, 6};
  std::vector<operand> all = p.operands(p.c.data());
  std::vector<const void*> addresses;
  for (index_t e = 0; e < p.count; ++e) addresses.push_back(p.b.data() + e * 16);
  all[1].list = std::make_shared<member_list>("test", all[1], addresses);
  all[1].grouped = true;
  all[1].members = addresses.data();
  for (const target where : cpu_targets()) {
    const plan grouped = make_plan_of(p.what(), all.data(), 3, in(memory_regime::stream, where));
    CHECK(
        says(grouped.describe(), where == target::reference
                                     ? "stream: forced by plan_options::regime, which makes no difference"
                                     : "stream: forced by plan_options::regime, but members of groups run one by one"));
    CHECK_FALSE(says(grouped.row(), "non-temporal stores"));
  }
}

TEST_CASE("a query may force its regime, too", "[regime]") {
  const choice_query small{.forced = memory_regime::stream};
  static_assert(regime_of({.bytes = 1, .cache_bytes = 10, .forced = memory_regime::stream}) == memory_regime::stream);
  static_assert(regime_of({.bytes = 11, .cache_bytes = 10, .forced = memory_regime::cache}) == memory_regime::cache);
  CHECK(says(explain(small), "operands from memory"));
}

TEST_CASE("kernels that are the same in both regimes say so where one is forced", "[regime]") {
  const std::vector<complex<double>> a(4 * 5), b(4 * 5);
  std::vector<complex<double>> c(4 * 5);
  const std::vector<double> x(40), y(40);
  std::vector<double> z(40);
  const char* const wanted = "stream: forced by plan_options::regime, which makes no difference to this kernel";
  for (const target where : cpu_targets()) {
    const plan_options options = in(memory_regime::stream, where);
    CHECK(says(make_plan(contraction("ik,kj->ij"), view_batch(a.data(), of_size(2, 2), 5),
                         view_batch(b.data(), of_size(2, 2), 5), view_batch(c.data(), of_size(2, 2), 5), options)
                   .describe(),
               wanted));
    CHECK(says(make_plan(contraction("i,i->i"), view_batch(x.data(), of_size(8), 5),
                         view_batch(y.data(), of_size(8), 5), view_batch(z.data(), of_size(8), 5), options)
                   .describe(),
               wanted));
  }
}

TEST_CASE("in a chain only the last step is in a forced regime: the results of the others stay in cache", "[regime]") {
  const forced nothing(nullptr, variable);
  const index_t count = 50;
  auto table = make_tensor<double>(of_size(4, 4));
  auto x = make_batch<double>(of_size(4, 4), count), y = make_batch<double>(of_size(4, 4), count);
  const std::vector<chain_step> steps{{contraction("ij,jk->ik"), {operand_of(table)}},
                                      {contraction("ij,jk->ik"), {operand_of(table)}}};
  for (const target where : cpu_targets()) {
    const std::string text = chain(steps, operand_of(x), operand_of(y), in(memory_regime::stream, where)).describe();
    INFO(text);
    const std::size_t first = text.find("cache: its result stays in cache"), last = text.find("stream: forced by");
    CHECK(first != std::string::npos);
    CHECK((last != std::string::npos && first < last));
    CHECK(text.find("stream: forced", last + 1) == std::string::npos);
  }
}
