// SPDX-License-Identifier: BSD-3-Clause
// The same bits for any thread count, batch position and run; one plan may run in several threads at once.
#include <tessera/batch.hpp>
#include <tessera/plan.hpp>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// A contraction over a batch large enough to be given to several threads.
template <class T>
void check_threads(const char* text, auto a_sizes, auto x_sizes, auto y_sizes, index_t count) {
  auto a = make_tensor<T>(a_sizes);
  auto x = make_batch<T>(x_sizes, count);
  auto y = make_batch<T>(y_sizes, count);
  fill_fractions(a.view(), 1);
  fill_fractions(x.view(), 2);
  for (target where : cpu_targets()) {
    INFO(text << " on " << name_of(where));
    const contraction what(text, {1.25, 0.5});
    std::vector<std::vector<T>> results;
    for (int threads : {1, 2, 3, 7, 0, 1}) {
      fill_fractions(y.view(), 3);
      make_plan(what, a, x, y, on(where, threads)).run(a, x, y);
      results.push_back(read(y.view()).value);
    }
    for (const auto& result : results) CHECK(same_bits(result, results[0]));
  }
}

// Every entry of the batch alone, at another alignment, gives the bits it has inside the batch.
template <class T>
void check_positions(const char* text, auto a_sizes, auto x_sizes, auto y_sizes, index_t count) {
  auto a = make_tensor<T>(a_sizes);
  auto x = make_batch<T>(x_sizes, count);
  auto y = make_batch<T>(y_sizes, count);
  fill_fractions(a.view(), 1);
  fill_fractions(x.view(), 2);
  const index_t nx = x.extents().size(), ny = y.extents().size();
  for (target where : cpu_targets()) {
    INFO(text << " on " << name_of(where));
    const plan p = make_plan(contraction(text), a, x, y, on(where));
    p.run(a, x, y);
    index_t differing = 0;
    for (index_t b = 0; b < count; ++b)
      for (index_t shift : {0, 1, 3}) {
        std::vector<T> one(std::size_t(nx + 8)), result(std::size_t(ny + 8));
        std::copy(x(b).data(), x(b).data() + nx, one.data() + shift);
        p.run(a, view_batch(one.data() + shift, x_sizes, 1), view_batch(result.data() + shift, y_sizes, 1));
        differing += std::memcmp(result.data() + shift, y(b).data(), std::size_t(ny) * sizeof(T)) != 0;
      }
    CHECK(differing == 0);
  }
}

template <class T>
void check_both() {
  check_threads<T>("kj,jbc->kbc", of_size(5, 4), of_size(4, 3, 2), of_size(5, 3, 2), 501);
  check_threads<T>("kj,ajc->akc", of_size(5, 4), of_size(3, 4, 2), of_size(3, 5, 2), 501);
  check_threads<T>("ik,kj->ij", of_size(9, 9), of_size(9, 9), of_size(9, 9), 77);
  check_threads<T>("ab,ab->ab", of_size(5, 7), of_size(5, 7), of_size(5, 7), 1001);
  check_positions<T>("kj,jbc->kbc", of_size(5, 4), of_size(4, 3, 2), of_size(5, 3, 2), 19);
  check_positions<T>("kj,abj->abk", of_size(5, 4), of_size(3, 2, 4), of_size(3, 2, 5), 19);
  check_positions<T>("kj,ajc->akc", of_size(5, 4), of_size(3, 4, 2), of_size(3, 5, 2), 19);
  for (int n = 1; n <= 12; ++n) check_positions<T>("ik,kj->ij", of_size(n, n), of_size(n, n), of_size(n, n), 9);
  check_positions<T>("ab,ab->ab", of_size(5, 7), of_size(5, 7), of_size(5, 7), 9);
}

}  // namespace

TEST_CASE("results have the same bits for any thread count and position, double", "[determinism]") {
  check_both<double>();
}
TEST_CASE("results have the same bits for any thread count and position, float", "[determinism]") {
  check_both<float>();
}

TEST_CASE("an interleaved batch gives every lane the bits of any other", "[determinism]") {
  const index_t count = 11;
  auto a = make_tensor<double>(of_size(5, 4));
  auto one = make_tensor<double>(of_size(4, 6));
  fill_fractions(a.view(), 1);
  fill_fractions(one.view(), 2);
  auto x = make_batch<double>(interleave<4>(of_size(4, 6)), count);
  auto y = make_batch<double>(interleave<4>(of_size(5, 6)), count);
  for (index_t b = 0; b < count; ++b)
    for (index_t j = 0; j < 6; ++j)
      for (index_t i = 0; i < 4; ++i) x(b)(i, j) = one(i, j);
  for (target where : cpu_targets()) {
    INFO(name_of(where));
    make_plan(contraction("ij,jk->ik"), a, x, y, on(where)).run(a, x, y);
    index_t differing = 0;
    for (index_t b = 0; b < count; ++b)
      for (index_t j = 0; j < 6; ++j)
        for (index_t i = 0; i < 5; ++i) differing += y(b)(i, j) != y(0)(i, j);
    CHECK(differing == 0);
  }
}

TEST_CASE("one plan runs in four threads at once", "[determinism]") {
  auto a = make_tensor<double>(of_size(6, 5));
  auto x = make_batch<double>(of_size(5, 7), 64);
  auto wanted = make_batch<double>(of_size(6, 7), 64);
  fill_fractions(a.view(), 1);
  fill_fractions(x.view(), 2);
  for (target where : cpu_targets()) {
    const plan p = make_plan(contraction("ij,jk->ik"), a, x, wanted, on(where, 1));
    p.run(a, x, wanted);
    const std::string described = p.describe();
    std::vector<batch<double, cpu, extents<dynamic, dynamic>>> results;
    for (int t = 0; t < 4; ++t) results.push_back(make_batch<double>(of_size(6, 7), 64));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        const plan copy = p;
        for (int repeat = 0; repeat < 50; ++repeat) copy.run(a, x, results[std::size_t(t)]);
      });
    for (std::thread& thread : threads) thread.join();
    for (const auto& result : results) CHECK(std::equal(result.begin(), result.end(), wanted.begin()));
    CHECK(p.describe() == described);
  }
}
