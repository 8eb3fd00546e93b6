// SPDX-License-Identifier: BSD-3-Clause
// Products of complex, 16-bit and mixed types by the real kernels of every instruction set: against long double and,
// where both must agree in every bit, against the real problem.
#include <sys/mman.h>
#include <unistd.h>

#include "isa_types.hpp"
#include "testing/catch.hpp"
#include "testing/targets.hpp"
#include "typed_case.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr placement all_placements[] = {placement::packed, placement::transposed, placement::leading,
                                        placement::interleaved, placement::table};

// f(rows) for each instruction set of this build and machine.
template <class Types, class F>
void each_isa(const F& f) {
  for (const target t : cpu_targets()) {
    if (t == target::reference) continue;
    const isa_rows& rows = *rows_of(t);
    if (rows.generic<detail::real_of<typename Types::sum>>() == nullptr) continue;
    INFO(name_of(t));
    f(rows);
  }
}

template <class Types>
void check(const typed_gemm_case& c) {
  each_isa<Types>([&](const isa_rows& rows) {
    const int faults = faults_of<Types>(c, rows);
    if (faults != 0) FAIL_CHECK(c.text() << ": " << faults << " faults on " << name_of(rows.isa));
  });
}

// Every combination of alpha and beta with real and, for complex sums, imaginary parts.
template <class Types>
std::vector<typed_gemm_case> scaled(const gemm_case& shape) {
  std::vector<complex<double>> factors{1, 0, -0.5};
  if (is_complex<typename Types::sum>) factors.push_back({-0.5, 2});
  std::vector<typed_gemm_case> all;
  for (const complex<double>& alpha : factors)
    for (const complex<double>& beta : factors) all.push_back({.shape = shape, .alpha = alpha, .beta = beta});
  return all;
}

typed_gemm_case random_case(std::mt19937& draw) {
  const auto pick = [&](int most) { return int(draw() % unsigned(most)); };
  typed_gemm_case c;
  gemm_case& g = c.shape;
  g.size = {1 + pick(20), 1 + pick(20), 1 + pick(20), 1 + pick(4), 1 + pick(13)};
  g.left = all_placements[pick(5)], g.right = all_placements[pick(5)], g.out = all_placements[pick(5)];
  g.left_factors = 1 + int(pick(4) == 0), g.right_factors = 1 + int(pick(4) == 0);
  g.left_shared = pick(3) == 0, g.right_shared = pick(3) == 0;
  g.lanes = index_t(1) << pick(5);
  g.shift = pick(4);
  g.seed = unsigned(draw());
  constexpr double parts[] = {0, 1, -0.5, 2};
  c.alpha = {parts[pick(4)], parts[pick(4)]}, c.beta = {parts[pick(4)], parts[pick(4)]};
  for (bool* flag : {&c.left_conjugated[0], &c.left_conjugated[1], &c.right_conjugated[0], &c.right_conjugated[1]})
    *flag = pick(2) == 0;
  return c;
}

// The same with what real types have no imaginary part of.
template <class Types>
typed_gemm_case of_types(typed_gemm_case c) {
  if (!is_complex<typename Types::sum>) c.alpha.im = c.beta.im = 0;
  return c;
}

// Memory of whole pages between pages that must not be touched; `at_end` places the numbers before the second one.
template <class T>
class fenced {
 public:
  fenced(std::size_t count, bool at_end) {
    page_ = std::size_t(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = count * sizeof(T);
    size_ = (bytes + page_ - 1) / page_ * page_ + 2 * page_;
    memory_ = static_cast<std::byte*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(memory_ != MAP_FAILED);
    REQUIRE(mprotect(memory_ + page_, size_ - 2 * page_, PROT_READ | PROT_WRITE) == 0);
    data_ = reinterpret_cast<T*>(at_end ? memory_ + size_ - page_ - bytes : memory_ + page_);
  }
  fenced(const fenced&) = delete;
  ~fenced() { munmap(memory_, size_); }
  T* data() { return data_; }

 private:
  std::size_t page_, size_;
  std::byte* memory_;
  T* data_;
};

}  // namespace

using other_types = std::tuple<c32, c64, f32_in_f64, f16_to_f32, f16, bf16_to_f32, bf16>;
using real_types = std::tuple<f32_in_f64, f16_to_f32, f16, bf16_to_f32, bf16>;

TEMPLATE_LIST_TEST_CASE("converted: the check finds a wrong entry, a missing one and a write outside", "[types]",
                        other_types) {
  using Out = typename TestType::out;
  const typed_gemm_case c{.shape = {.size = {3, 2, 4, 1, 2}}};
  typed_drawn<TestType> d(c);
  const std::vector<Out> before = d.out.storage;
  CHECK(d.faults_since(before) == 12);
  const auto p = d.as_problem();
  reference_problem(p, 0, 2);
  CHECK(d.faults_since(before) == 0);
  p.out.data[-1] = Out(0.0f);
  p.out.data[1] = Out(exact_value(p.out.data[1]).real() > 0 ? -1.0f : 1.0f);
  CHECK(d.faults_since(before) == 2);
}

TEMPLATE_LIST_TEST_CASE("converted: squares, conjugated and scaled, over NaN", "[types]", other_types) {
  for (index_t n = 1; n <= 17; ++n)
    for (int flags = 0; flags < 4; ++flags)
      for (typed_gemm_case c : scaled<TestType>({.size = {n, n, n, 1, 3}, .seed = unsigned(n)})) {
        c.shape.left = flags % 2 == 0 ? placement::packed : placement::transposed;
        c.shape.right = n % 2 == 0 ? placement::packed : placement::transposed;
        c.left_conjugated[0] = flags / 2 == 1, c.right_conjugated[0] = n % 3 == 0;
        check<TestType>(c);
      }
}

TEMPLATE_LIST_TEST_CASE("converted: all layouts of three operands", "[types]", other_types) {
  for (const placement left : all_placements)
    for (const placement right : all_placements)
      for (const placement out : all_placements)
        for (const bool shared : {false, true})
          check<TestType>(of_types<TestType>({.shape = {.size = {5, 3, 4, 2, 11},
                                                        .left = left,
                                                        .right = right,
                                                        .out = out,
                                                        .left_shared = shared,
                                                        .right_shared = !shared},
                                              .alpha = {0.5, 1},
                                              .beta = {-1, out == placement::packed ? 0.0 : 0.25},
                                              .right_conjugated = {shared, false}}));
}

TEMPLATE_LIST_TEST_CASE("converted: 300 drawn problems", "[types]", other_types) {
  std::mt19937 draw(20261128);
  for (int i = 0; i < 300; ++i) check<TestType>(of_types<TestType>(random_case(draw)));
}

TEMPLATE_LIST_TEST_CASE("converted: empty, long and large extents", "[types]", other_types) {
  for (const placement p : {placement::packed, placement::transposed, placement::interleaved, placement::table})
    for (const double beta : {0.0, 0.5}) {
      const auto run = [&](gemm_sizes size, int left_factors, int right_factors) {
        check<TestType>({.shape = {.size = size,
                                   .left = p,
                                   .right = p,
                                   .out = p,
                                   .left_factors = left_factors,
                                   .right_factors = right_factors},
                         .beta = beta});
      };
      run({5, 4, 0, 2, 3}, 1, 1);
      run({0, 4, 3, 2, 3}, 1, 1);
      run({5, 0, 3, 2, 3}, 1, 1);
      run({5, 4, 3, 0, 3}, 1, 1);
      run({5, 4, 3, 2, 0}, 1, 1);
      run({1, 1, 1, 1, 1}, 1, 1);
      run({121, 81, 33, 1, 1}, 1, 1);
      run({7, 3, 300, 1, 9}, 2, 1);
      run({2, 120, 131, 1, 1}, 2, 2);
      run({6, 5, 4, 700, 1}, 1, 1);  // loop steps in several blocks
      run({6, 5, 4, 300, 2}, 2, 2);
      run({40, 40, 40, 3, 2}, 1, 1);
    }
}

TEMPLATE_LIST_TEST_CASE("converted: pointwise products", "[types]", other_types) {
  for (const placement in : all_placements)
    for (const placement out : all_placements)
      for (const index_t m : {0, 1, 5, 16, 37})
        for (const int factors : {1, 2})
          for (const typed_gemm_case& c : scaled<TestType>({.size = {m, 1, 1, 2, 5},
                                          .left = in,
                                          .right = in,
                                          .out = out,
                                          .left_factors = factors,
                                          .right_shared = factors == 2,
                                          .form = canonical::pointwise}))
            check<TestType>(c);
}

TEMPLATE_LIST_TEST_CASE("converted: the same bits however the batch is cut", "[types]", other_types) {
  std::mt19937 draw(7);
  for (int i = 0; i < 60; ++i) {
    typed_gemm_case c = of_types<TestType>(random_case(draw));
    c.shape.size.batch = 37;
    if (i % 4 == 0) c.shape.size.k = 150;  // sums that kernels make in chunks
    if (i % 5 == 0) c.shape.form = canonical::eq8a, c.shape.size.loops = 40;
    if (i % 3 == 0) (i % 2 == 0 ? c.shape.left : c.shape.out) = placement::batch_first;
    each_isa<TestType>([&](const isa_rows& rows) {
      const auto whole = computed<TestType>(c, rows, {37});
      for (const std::vector<index_t>& cuts : {std::vector<index_t>{1, 2, 9, 37}, std::vector<index_t>{16, 32, 37}}) {
        const auto parts = computed<TestType>(c, rows, cuts);
        if (std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(whole[0])) != 0)
          FAIL_CHECK(c.text() << " on " << name_of(rows.isa));
      }
    });
  }
}

TEMPLATE_LIST_TEST_CASE("converted: members of groups get the bits of a batch", "[types]", other_types) {
  using In = typename TestType::in;
  using Out = typename TestType::out;
  std::mt19937 draw(3);
  for (int i = 0; i < 80; ++i) {
    typed_gemm_case c = of_types<TestType>(random_case(draw));
    if (i % 8 == 0) c.shape.form = canonical::pointwise, c.shape.size.n = c.shape.size.k = 1;
    const int grouped = i % 31 + 1;  // which operands: factors of the left, of the right, the output
    each_isa<TestType>([&](const isa_rows& rows) {
      const auto of_batch = computed<TestType>(c, rows, {c.shape.size.batch});
      typed_drawn<TestType> d(c);
      auto p = d.as_problem();
      any_members groups;
      std::vector<const In*> members[4];
      std::vector<Out*> outputs;
      const auto scatter = [&](auto& f, auto& list, const void*& group) {
        for (index_t b = 0; b < p.batch; ++b) list.push_back(f.start(b));
        f.data = nullptr, f.batch_stride = 0, f.lanes = 1;
        group = list.data();
      };
      for (int f = 0; f < 2; ++f) {
        if ((grouped & 1 << f) != 0) scatter(p.left[f], members[f], groups.left[f]);
        if ((grouped & 4 << f) != 0) scatter(p.right[f], members[2 + f], groups.right[f]);
      }
      if ((grouped & 16) != 0) scatter(p.out, outputs, groups.out);
      detail::run_converted(rows, p, groups, 0, p.batch / 2);
      detail::run_converted(rows, p, groups, p.batch / 2, p.batch);
      if (std::memcmp(of_batch.data(), d.out.storage.data(), of_batch.size() * sizeof(Out)) != 0)
        FAIL_CHECK(c.text() << ", groups " << grouped << " on " << name_of(rows.isa));
    });
  }
}

TEMPLATE_LIST_TEST_CASE("converted: the bits of the real problem, rounded once", "[types]", real_types) {
  using T = typename TestType::sum;
  using Out = typename TestType::out;
  std::mt19937 draw(11);
  for (int i = 0; i < 200; ++i) {
    const typed_gemm_case c = of_types<TestType>(random_case(draw));
    each_isa<TestType>([&](const isa_rows& rows) {
      typed_drawn<TestType> d(c);
      guarded<T> left[2], right[2], out = converted<T>(d.out);
      problem<T> real;
      const auto p = d.as_problem();
      real.form = p.form, real.m = p.m, real.n = p.n, real.k = p.k, real.loops = p.loops, real.batch = p.batch;
      real.left_factors = p.left_factors, real.right_factors = p.right_factors;
      real.alpha = p.alpha, real.beta = p.beta;
      for (int f = 0; f < 2; ++f) {
        left[f] = converted<T>(d.left[f]), right[f] = converted<T>(d.right[f]);
        if (left[f].map.table != nullptr) left[f].map.table = left[f].table.data();
        if (right[f].map.table != nullptr) right[f].map.table = right[f].table.data();
        real.left[f] = left[f].as_input(), real.right[f] = right[f].as_input();
      }
      real.out = out.as_factor();
      rows.generic<T>()(real, 0, p.batch);
      detail::run_converted(rows, p, {}, 0, p.batch);
      int different = 0;
      d.each_output([&](index_t, index_t, index_t, index_t, Out& entry) {
        const Out wanted = Out(out.storage[std::size_t(&entry - d.out.storage.data())]);
        different += int(std::memcmp(&wanted, &entry, sizeof(Out)) != 0);
      });
      if (different != 0) FAIL_CHECK(c.text() << ": " << different << " on " << name_of(rows.isa));
    });
  }
}

TEMPLATE_LIST_TEST_CASE("converted: no access outside the entries", "[types]", other_types) {
  using In = typename TestType::in;
  using Out = typename TestType::out;
  for (const bool at_end : {false, true})
    for (const index_t n : {1, 2, 3, 5, 8, 13, 17})
      for (const index_t batch : {1, 2, 7})
        for (int flags = 0; flags < 8; ++flags) {
          const auto count = std::size_t(n * n * batch);
          fenced<In> a(count, at_end), b(count, at_end);
          fenced<Out> c(count, at_end);
          unsigned seed = 3;
          for (std::size_t i = 0; i < count; ++i)
            a.data()[i] = fraction<In>(seed), b.data()[i] = fraction<In>(seed), c.data()[i] = fraction<Out>(seed);
          problem<In, Out, typename TestType::sum> p;
          p.m = p.n = p.k = n, p.batch = batch, p.beta = 1;
          const auto place = [&](auto& f, auto* data, bool transposed) {
            f.data = data, f.batch_stride = n * n;
            f.map = {.row = transposed ? n : 1, .col = transposed ? 1 : n, .rows = n, .cols = n};
          };
          place(p.left[0], a.data(), flags & 1);
          place(p.right[0], b.data(), flags & 2);
          place(p.out, c.data(), flags & 4);
          each_isa<TestType>([&](const isa_rows& rows) { detail::run_converted(rows, p, {}, 0, batch); });
          CHECK(std::isfinite(exact_value(c.data()[0]).real()));
        }
}
