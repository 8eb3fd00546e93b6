// SPDX-License-Identifier: BSD-3-Clause
// Plans at the edges of a batch: empty ones, no entries, no sum, shared and overlapping inputs, very long distances.
#include <tessera/batch.hpp>
#include <tessera/plan.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/skip.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Address space without memory behind it: only pages that are touched cost something.
class reserved {
 public:
  explicit reserved(std::size_t bytes) : bytes_(bytes) {
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~reserved() {
    if (*this) munmap(memory_, bytes_);
  }
  reserved(const reserved&) = delete;
  explicit operator bool() const { return memory_ != MAP_FAILED; }
  double* data() const { return static_cast<double*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

}  // namespace

TEST_CASE("an empty batch is a no-op, null pointers included", "[plan]") {
  auto a = make_tensor<double>(of_size(5, 3));
  auto x = make_batch<double>(of_size(3, 4), 0), y = make_batch<double>(of_size(5, 4), 0);
  REQUIRE(x.data() == nullptr);
  for (target where : cpu_targets()) {
    const plan p = make_plan(contraction("ij,jk->ik"), a, x, y, on(where));
    p.run(a, x, y);
    // The same plan then runs a batch that is not empty.
    auto some_x = make_batch<double>(of_size(3, 4), 2), some_y = make_batch<double>(of_size(5, 4), 2);
    std::fill(some_y.begin(), some_y.end(), not_a_number);
    p.run(a, some_x, some_y);
    CHECK(std::all_of(some_y.begin(), some_y.end(), [](double v) { return v == 0; }));
  }
}

TEST_CASE("no output entries is a no-op", "[plan]") {
  auto a = make_tensor<double>(of_size(0, 3));
  auto x = make_batch<double>(of_size(3, 4), 2);
  auto y = make_batch<double>(of_size(0, 4), 2);
  auto none = make_batch<double>(of_size(3, 0), 2);
  auto b = make_tensor<double>(of_size(5, 3));
  auto z = make_batch<double>(of_size(5, 0), 2);
  for (target where : cpu_targets()) {
    make_plan(contraction("ij,jk->ik"), a, x, y, on(where)).run(a, x, y);
    make_plan(contraction("ij,jk->ik"), b, none, z, on(where)).run(b, none, z);
  }
  CHECK(y.data() == nullptr);
}

TEST_CASE("an empty sum is zero: the output becomes beta times itself", "[plan]") {
  auto a = make_tensor<double>(of_size(5, 0));
  auto x = make_batch<double>(of_size(0, 4), 3);
  auto y = make_batch<double>(of_size(5, 4), 3);
  for (target where : cpu_targets()) {
    INFO(name_of(where));
    std::fill(y.begin(), y.end(), not_a_number);
    make_plan(contraction("ij,jk->ik"), a, x, y, on(where)).run(a, x, y);
    CHECK(std::all_of(y.begin(), y.end(), [](double v) { return v == 0; }));
    std::fill(y.begin(), y.end(), 3.0);
    make_plan(contraction("ij,jk->ik", {1, 2}), a, x, y, on(where)).run(a, x, y);
    CHECK(std::all_of(y.begin(), y.end(), [](double v) { return v == 6; }));
  }
}

TEST_CASE("beta of zero never reads the output", "[plan]") {
  auto a = make_batch<double>(of_size(5, 3), 7), b = make_batch<double>(of_size(3, 4), 7);
  auto c = make_batch<double>(of_size(5, 4), 7);
  auto d = make_batch<double>(of_size(5, 3), 7);
  fill_integers(a.view(), 1);
  fill_integers(b.view(), 2);
  for (target where : cpu_targets())
    for (double alpha : {1.0, 0.0, -2.0}) {
      INFO(name_of(where) << ", alpha " << alpha);
      std::fill(c.begin(), c.end(), not_a_number);
      make_plan(contraction("ik,kj->ij", {alpha, 0}), a, b, c, on(where)).run(a, b, c);
      CHECK(std::none_of(c.begin(), c.end(), [](double v) { return std::isnan(v); }));
      std::fill(d.begin(), d.end(), not_a_number);
      make_plan(contraction("ik,ik->ik", {alpha, 0}), a, a, d, on(where)).run(a, a, d);
      CHECK(std::none_of(d.begin(), d.end(), [](double v) { return std::isnan(v); }));
    }
}

TEST_CASE("a shared input by stride 0, and windows that overlap", "[plan]") {
  std::vector<double> memory(200);
  fill_fractions(view(memory.data(), of_size(200)), 1);
  auto c = make_batch<double>(of_size(5, 4), 9);
  const contraction what("ik,kj->ij");
  for (index_t stride : {0, 1, 7}) {
    const auto a = view_batch(memory.data(), of_size(5, 3), 9, stride);
    const auto b = view_batch(memory.data() + 90, of_size(3, 4), 9, 8 - stride);
    const wanted_result wanted = by_definition<double>(what, {read(a), read(b)}, read(c.view()));
    for (target where : cpu_targets()) {
      std::fill(c.begin(), c.end(), not_a_number);
      make_plan(what, a, b, c, on(where)).run(a, b, c);
      INFO(name_of(where) << ", stride " << stride);
      CHECK(count_wrong(read(c.view()), wanted) == 0);
    }
  }
}

TEST_CASE("a plan runs any count, stride and pointer", "[plan]") {
  std::vector<float> memory(4000);
  fill_fractions(view(memory.data(), of_size(2000)), 1);
  const auto a = view(memory.data(), of_size(5, 3));
  const contraction what("ij,jk->ik", {1, 0.5});
  for (target where : cpu_targets()) {
    const plan p = make_plan(what, a, view_batch(memory.data(), of_size(3, 4), 1),
                             view_batch(memory.data() + 2000, of_size(5, 4), 1), on(where));
    for (index_t count : {1, 2, 3, 31, 64})
      for (index_t start : {0, 1, 5}) {
        const auto x = view_batch(memory.data() + start, of_size(3, 4), count, 13);
        const auto y = view_batch(memory.data() + 2000 + start, of_size(5, 4), count, 21);
        fill_fractions(y, 2);
        const wanted_result wanted = by_definition<float>(what, {read(a), read(x)}, read(y));
        p.run(a, x, y);
        INFO(name_of(where) << ", " << count << " from " << start);
        CHECK(count_wrong(read(y), wanted) == 0);
      }
  }
}

TEST_CASE("one tensor is a batch of one", "[plan]") {
  auto a = make_tensor<double>(of_size(5, 3)), x = make_tensor<double>(of_size(3, 4)),
       y = make_tensor<double>(of_size(5, 4));
  auto one = make_batch<double>(of_size(5, 4), 1);
  fill_fractions(a.view(), 1);
  fill_fractions(x.view(), 2);
  make_plan(contraction("ij,jk->ik"), a, x, y).run(a, x, y);
  make_plan(contraction("ij,jk->ik"), a, x, one).run(a, x, one);
  CHECK(std::equal(y.begin(), y.end(), one.begin()));
}

TEST_CASE("all-shared inputs fill every entry of a batch", "[plan]") {
  auto a = make_tensor<double>(of_size(5, 3)), x = make_tensor<double>(of_size(3, 4));
  auto y = make_batch<double>(of_size(5, 4), 6);
  fill_fractions(a.view(), 1);
  fill_fractions(x.view(), 2);
  make_plan(contraction("ij,jk->ik"), a, x, y).run(a, x, y);
  for (index_t b = 1; b < 6; ++b) CHECK(std::equal(y(b).data(), y(b).data() + 20, y(0).data()));
}

TEST_CASE("a pointwise contraction may run in place", "[plan]") {
  auto d = make_batch<double>(of_size(5, 7), 9), x = make_batch<double>(of_size(5, 7), 9);
  fill_fractions(d.view(), 1);
  for (target where : cpu_targets()) {
    fill_fractions(x.view(), 2);
    const contraction what("ab,ab->ab");
    const wanted_result wanted = by_definition<double>(what, {read(d.view()), read(x.view())}, read(x.view()));
    make_plan(what, d, x, x, on(where)).run(d, x, x);
    INFO(name_of(where));
    CHECK(count_wrong(read(x.view()), wanted) == 0);
  }
}

TEST_CASE("offsets beyond 2^31 entries", "[plan]") {
  // Three matrices, each 1.5 x 2^31 entries behind the one before: only their pages are touched.
  constexpr index_t stride = (index_t{3} << 30) + 5;
  const reserved far_a(std::size_t(3 * stride + 64) * 8), far_c(std::size_t(3 * stride + 64) * 8);
  if (!far_a || !far_c) return skip("no address space of 100 GB");
  auto b = make_tensor<double>(of_size(3, 4));
  fill_fractions(b.view(), 1);
  const auto a = view_batch(far_a.data() + 1, of_size(5, 3), 3, stride);
  const auto c = view_batch(far_c.data(), of_size(5, 4), 3, stride);
  fill_fractions(a, 2);
  const contraction what("ik,kj->ij");
  const wanted_result wanted = by_definition<double>(what, {read(a), read(b.view())}, read(c));
  for (target where : cpu_targets()) {
    INFO(name_of(where));
    for (index_t i = 0; i < 3; ++i) std::fill(c(i).data(), c(i).data() + 20, not_a_number);
    make_plan(what, a, b, c, on(where)).run(a, b, c);
    CHECK(count_wrong(read(c), wanted) == 0);
  }
  // The same distance inside one tensor, by its strides.
  const auto wide_a = view(far_a.data(), strided(of_size(5, 3), 1, stride));
  const auto wide_c = view(far_c.data(), strided(of_size(5, 4), 1, 3 * stride / 4));
  fill_fractions(wide_a, 3);
  const wanted_result wide = by_definition<double>(what, {read(wide_a), read(b.view())}, read(wide_c));
  for (target where : cpu_targets()) {
    INFO(name_of(where));
    make_plan(what, wide_a, b, wide_c, on(where)).run(wide_a, b, wide_c);
    CHECK(count_wrong(read(wide_c), wide) == 0);
  }
}
