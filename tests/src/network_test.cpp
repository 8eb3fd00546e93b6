// SPDX-License-Identifier: BSD-3-Clause
// Networks of two to many operands against one loop over all letters: layouts, batches, blocks, types, threads.
#include <tessera/batch.hpp>
#include <tessera/conjugated.hpp>
#include <tessera/network.hpp>

#include <algorithm>

#include "testing/failure.hpp"
#include "testing/network_case.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
void check_drawn(const network_case& drawn, network_numbers& next) {
  const std::size_t operands = drawn.letters.size();
  const bool batched = next.below(2) == 0;
  const index_t count = 1 + next.below(6);
  std::vector<index_t> counts;
  std::vector<arrangement> how;
  for (std::size_t o = 0; o < operands; ++o) {
    counts.push_back(batched && (o + 1 == operands || next.below(2) == 0) ? count : -1);
    how.push_back({.order = next.below(6),
                   .gap = next.below(2),
                   .start = next.below(3),
                   .lanes = next.below(5) == 0 ? 2 : 1,
                   .table = next.below(8) == 0});
  }
  network_memory<T> m(drawn, counts, how, next);
  const double alpha = 1 + next.below(2), beta = next.below(3) - 1;
  const std::vector<T> before = m.output(drawn);
  const std::vector<double> wanted = m.wanted(drawn, alpha, beta);
  for (const target where : cpu_targets()) {
    m.set_output(drawn, before);
    const network n = make_network_of(drawn.text(), m.all.data(), int(operands),
                                      {.scale = {alpha, beta}, .plans = on(where, 1 + next.below(2))});
    INFO(n.describe());
    n.run_operands(m.all.data(), int(operands), {});
    const std::vector<T> found = m.output(drawn);
    index_t wrong = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) wrong += double(found[i]) != wanted[i];
    CHECK(wrong == 0);
    CHECK(m.memory.back()->gaps_untouched());
  }
}

// A chain of four matrices for each entry of a batch, one of them shared.
struct matrix_chain {
  network_case of{{"ab", "bc", "cd", "de", "ae"}, {5, 2, 6, 3, 4}};
  network_memory<double> m;
  explicit matrix_chain(index_t count, unsigned seed = 9) : m(make(of, count, seed)) {}
  static network_memory<double> make(const network_case& of, index_t count, unsigned seed) {
    network_numbers next(seed);
    return {of, {count, -1, count, -1, count}, std::vector<arrangement>(5), next};
  }
  bool holds(const std::vector<double>& wanted) const { return m.output(of) == wanted; }
};

}  // namespace

TEST_CASE("drawn networks of two to six operands", "[network]") {
  network_numbers next(1);
  for (int i = 0; i < 500; ++i) {
    const network_case drawn = draw_network(next, 2 + i % 5);
    check_drawn<double>(drawn, next);
    check_drawn<float>(drawn, next);
  }
}

TEST_CASE("a network of thirty-two operands", "[network]") {
  network_case many{{}, {}};
  for (int i = 0; i < 25; ++i) many.extent.push_back(i < 3 ? 2 : 1);
  for (int i = 0; i < 32; ++i) many.letters.push_back({char('a' + i % 25), char('a' + (i + 1) % 25)});
  many.letters.push_back("ac");
  network_numbers next(2);
  network_memory<double> m(many, std::vector<index_t>(33, -1), std::vector<arrangement>(33), next);
  for (int i = 0; i < 32; ++i)
    if (i % 3 != 0)
      for (index_t e = 0; e < many.shape_of(std::size_t(i)).size(); ++e) m.memory[std::size_t(i)]->at(e, 0) = 1;
  for (int i = 0; i < 32; i += 3) m.memory[std::size_t(i)]->at(0, 0) = 1 + i % 2;
  const std::vector<double> wanted = m.wanted(many, 1, 0);
  const network n = make_network_of(many.text(), m.all.data(), 33);
  INFO(n.describe());
  CHECK(n.describe().find("the cheapest of several orders") != std::string::npos);
  n.run_operands(m.all.data(), 33, {});
  CHECK(m.output(many) == wanted);
  CHECK(std::any_of(wanted.begin(), wanted.end(), [](double x) { return x != 0; }));
}

TEST_CASE("a network runs over batches of any count, and other addresses, in blocks", "[network]") {
  const matrix_chain made_for(3);
  const network n = make_network_of(made_for.of.text(), made_for.m.all.data(), 5, {.plans = {.threads = 1}});
  for (const index_t count : {1, 2, 3, 4, 7, 30}) {
    matrix_chain now(count, unsigned(count));
    const std::vector<double> wanted = now.m.wanted(now.of, 1, 0);
    n.run_operands(now.m.all.data(), 5, {});
    CHECK(now.holds(wanted));
  }
  matrix_chain none(0);
  n.run_operands(none.m.all.data(), 5, {});
}

TEST_CASE("the workspace of a long batch is that of a block", "[network]") {
  const index_t count = 20000;
  matrix_chain large(count);
  const network n = make_network_of(large.of.text(), large.m.all.data(), 5, {.plans = {.threads = 1}});
  INFO(n.describe());
  CHECK(n.workspace_bytes() <= (512u << 10) + 256);
  CHECK(n.workspace_bytes() > (256u << 10));
  CHECK(n.describe().find("for blocks of") != std::string::npos);
  const std::vector<double> wanted = large.m.wanted(large.of, 1, 0);
  n.run_operands(large.m.all.data(), 5, {});
  CHECK(large.holds(wanted));
  // What is the same for the whole batch is made once.
  CHECK(n.describe().find("once for the batch") == std::string::npos);
  const network_case of{{"ab", "bc", "cd", "ad"}, {4, 5, 6, 7}};
  network_numbers next(3);
  network_memory<double> m(of, {count, -1, -1, count}, std::vector<arrangement>(4), next);
  const network shared = make_network_of(of.text(), m.all.data(), 4, {.plans = {.threads = 1}});
  INFO(shared.describe());
  CHECK(shared.describe().find("once for the batch") != std::string::npos);
  CHECK(shared.workspace_bytes() == 5 * 7 * sizeof(double));
  const std::vector<double> product = m.wanted(of, 1, 0);
  shared.run_operands(m.all.data(), 4, {});
  CHECK(m.output(of) == product);
}

TEST_CASE("letters of one input are summed first, and those of three are kept until the last", "[network]") {
  auto a = make_tensor<double>(of_size(3, 40)), b = make_tensor<double>(of_size(3, 4));
  auto c = make_tensor<double>(of_size(3, 4, 50));
  auto out = make_tensor<double>(of_size(4));
  for (auto* t : {&a, &b}) std::fill(t->begin(), t->end(), 2.0);
  std::fill(c.begin(), c.end(), 1.0);
  const network n = make_network("ax,ab,aby->b", a, b, c, out);
  const std::string text = n.describe();
  INFO(text);
  n.run(a, b, c, out);
  CHECK(std::all_of(out.begin(), out.end(), [](double x) { return x == 3 * (40 * 2) * 2 * 50; }));
  CHECK(text.find("\"ax,x->a\" of input 1 and ones") != std::string::npos);
  CHECK(text.find("\"aby,y->") != std::string::npos);
  // 240 and 1200 for the two sums; 12 for a product, 24 for the last one.
  CHECK(n.flops() == 240 + 1200 + 12 + 24);
  CHECK(n.flops_of_one_loop() == 3.0 * 4 * 40 * 50 * 3);
}

TEST_CASE("an outer product, a scalar, and a network of two", "[network]") {
  auto a = make_tensor<double>(of_size(2)), b = make_tensor<double>(of_size(3)), c = make_tensor<double>(of_size(4));
  auto all = make_tensor<double>(of_size(4, 2, 3));
  auto one = make_tensor<double>(of_size());
  for (index_t i = 0; i < 4; ++i) {
    if (i < 2) a(i) = double(i + 1);
    if (i < 3) b(i) = double(i + 3);
    c(i) = double(i + 6);
  }
  make_network("a,b,c->cab", a, b, c, all).run(a, b, c, all);
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 4; ++k) CHECK(all(k, i, j) == double((i + 1) * (j + 3) * (k + 6)));
  const network total = make_network("a,b,c->", a, b, c, one);
  INFO(total.describe());
  total.run(a, b, c, one);
  CHECK(one() == 3 * 12 * 30);
  const network pair = make_network("a,b->ab", a, b, make_tensor<double>(of_size(2, 3)));
  CHECK(pair.workspace_bytes() == 0);
  CHECK(pair.flops() == 6);
}

TEST_CASE("conjugated operands, complex factors, sums in another type, 16-bit entries", "[network]") {
  using z = complex<double>;
  auto a = make_tensor<z>(of_size(2, 2)), b = make_tensor<z>(of_size(2, 2)), c = make_tensor<z>(of_size(2, 2)),
       out = make_tensor<z>(of_size(2, 2));
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 2; ++j) {
      a(i, j) = z(double(i + 1), double(j));
      b(i, j) = z(double(j - i), 2);
      c(i, j) = z(1, double(i - 2 * j));
      out(i, j) = z(1, 1);
    }
  const network n =
      make_network("ba,bc,cd->ad", conj(a), b, conj(c), out, network_options{.scale = {z(0, 2), z(1, -1)}});
  n.run(conj(a), b, conj(c), out);
  for (index_t i = 0; i < 2; ++i)
    for (index_t l = 0; l < 2; ++l) {
      z sum = 0;
      for (index_t j = 0; j < 2; ++j)
        for (index_t k = 0; k < 2; ++k) sum += conj(a(j, i)) * b(j, k) * conj(c(k, l));
      CHECK(out(i, l) == z(0, 2) * sum + z(1, -1) * z(1, 1));
    }
  check_failure(status::invalid_argument, {"input 1 is not conjugated"}, [&] { n.run(a, b, conj(c), out); });

  auto x = make_tensor<float>(of_size(1, 4));
  auto y = make_tensor<float>(of_size(4)), s = make_tensor<float>(of_size(1)), w = make_tensor<float>(of_size(1));
  x(0, 0) = 16777216, x(0, 1) = x(0, 2) = 1, x(0, 3) = -16777216;
  std::fill(y.begin(), y.end(), 1.0f);
  w(0) = 1;
  const network in_double = make_network("ik,k,i->i", x, y, w, s, network_options{.sum = scalar_type::f64});
  in_double.run(x, y, w, s);
  CHECK(s(0) == 2);

  auto h = make_tensor<half>(of_size(2, 2));
  auto g = make_tensor<half>(of_size(2)), v = make_tensor<half>(of_size(2));
  for (index_t i = 0; i < 2; ++i) {
    g(i) = v(i) = half(float(i + 1));
    for (index_t j = 0; j < 2; ++j) h(i, j) = half(float(i + 2 * j));
  }
  auto r = make_tensor<float>(of_size(2));
  make_network("ij,j,i->i", h, g, v, r).run(h, g, v, r);
  CHECK(r(0) == 4);   // (0 + 2 * 2) * 1
  CHECK(r(1) == 14);  // (1 + 3 * 2) * 2
}
