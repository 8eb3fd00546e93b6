// SPDX-License-Identifier: BSD-3-Clause
// Plans on a GPU of contractions with functions of entries, pairs of operations, addends, integers and mixed types,
// drawn at random, against plain loops on the host: by compiled kernels and by the one with everything at run time.
#include <tessera/copy.hpp>
#include <tessera/memory.hpp>
#include <tessera/plan.hpp>
#include <tessera/tensor.hpp>

#include <algorithm>
#include <cmath>

#include "testing/catch.hpp"
#include "testing/drawn_fused.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

bool has_table(const drawn_fused& c) {
  return c.a.o.offsets || c.b.o.offsets || c.out.o.offsets || (c.what.addend() && c.d.o.offsets);
}
bool has_own_source(const contraction& what) {
  const contraction_functions& f = what.functions();
  return what.pair().of_user() != nullptr || f.a.of_user() != nullptr || f.b.of_user() != nullptr ||
         f.addend.of_user() != nullptr || f.result.of_user() != nullptr;
}

// The case's memory is copied to the GPU, and the output back.
double worst_on_gpu(drawn_fused& c, const plan_options& options) {
  return worst_of(c, [&] {
    std::vector<operand> all = c.operands();
    std::vector<buffer> there;
    const auto placed = [&](drawn_tensor& t) {
      there.emplace_back(space_kind::gpu, std::max<std::size_t>(t.memory.size(), 1));
      copy_memory(there.back().data(), t.memory.data(), t.memory.size());
      return there.back().data();
    };
    void* const a = placed(c.a);
    void* const b = placed(c.b);
    void* const d = c.what.addend() && !c.in_place ? placed(c.d) : nullptr;
    void* const out = placed(c.out);
    for (operand& o : all) o.space = space_kind::gpu;
    all[0].data = a;
    all[1].data = b;
    if (c.what.addend()) all[2].data = c.in_place ? out : d;
    all.back().data = out;
    const plan made = make_plan_of(c.what, all.data(), int(all.size()), options);
    const std::string how = made.describe();
    const bool is_compiled = how.find("any sizes and strides") == std::string::npos;
    if (options.compile && !is_compiled) CHECK_THAT(how, Catch::Contains("has no entries"));
    made.run_operands(all.data(), int(all.size()), {});
    copy_memory(c.out.memory.data(), out, c.out.memory.size());
  });
}

// A complex output of real sums, or what the user has written, needs a compiled kernel.
bool needs_compiler(const drawn_fused& c) {
  return is_complex_type(c.out.type) != is_complex_type(c.sum) || has_own_source(c.what);
}

// So many cases from this seed on, those of strides alone.
void check_on_gpu(unsigned seed, int count, index_t most, bool compile) {
  plan_options options;
  options.compile = compile;
  for (int checked = 0; checked < count; ++seed) {
    drawn_fused c = drawn_fused_case(seed, most);
    if (has_table(c) || (!compile && needs_compiler(c))) continue;
    const double worst = worst_on_gpu(c, options);
    INFO("seed " << seed << ": " << c.text);
    CHECK(worst <= 1);
    ++checked;
  }
}

}  // namespace

TEST_CASE("gpu fused: drawn contractions at run time", "[gpu][plan][fused]") {
  if (absent()) return;
  check_on_gpu(1, 600, 20000, false);
}
TEST_CASE("gpu fused: drawn contractions by compiled kernels", "[gpu][plan][fused]") {
  if (absent()) return;
  check_on_gpu(1000, 24, 20000, true);
}
TEST_CASE("gpu fused: a few for the sanitizers", "[gpu][plan][fused][sanitize]") {
  if (absent()) return;
  check_on_gpu(5000, 20, 4000, false);
  if (why_no_jit().empty()) check_on_gpu(6000, 4, 4000, true);
}
// In parts, so that several processes share them.
TEMPLATE_TEST_CASE_SIG("gpu fused: 20,000 drawn ones at run time and 500 compiled", "[.long]", ((unsigned Part), Part),
                       0, 1, 2, 3, 4, 5, 6, 7, 8, 9) {
  if (absent()) return;
  check_on_gpu(100000 + 10000 * Part, 2000, 20000, false);
  if (why_no_jit().empty()) check_on_gpu(300000 + 1000 * Part, 50, 100000, true);
}

TEST_CASE("gpu fused: texts alone, without functions for a CPU", "[gpu][plan][fused]") {
  if (absent()) return;
  constexpr index_t n = 48;
  auto a = make_tensor<double>(of_size(n, n)), b = make_tensor<double>(of_size(n, n)),
       c = make_tensor<double>(of_size(n, n));
  for (index_t i = 0; i < n * n; ++i) a.data()[i] = double(i * 7 % 11) - 5, b.data()[i] = double(i * 5 % 13) - 6;
  auto there_a = make_tensor<double>(gpu, of_size(n, n)), there_b = make_tensor<double>(gpu, of_size(n, n)),
       there_c = make_tensor<double>(gpu, of_size(n, n));
  copy(a, there_a);
  copy(b, there_b);
  const auto check = [&](const contraction& what, auto entry_of) {
    make_plan(what, there_a, there_b, there_c).run(there_a, there_b, there_c);
    copy(there_c, c);
    index_t wrong = 0;
    for (index_t j = 0; j < n; ++j)
      for (index_t i = 0; i < n; ++i) wrong += c.data()[i + n * j] != entry_of(i, j);
    INFO(text_of(what.functions()) << " " << text_of(what.pair()));
    CHECK(wrong == 0);
  };
  const contraction product("ik,kj->ij");
  // 1 at edges is not 0: nothing may be added there.
  check(product.with({.a = entry_function::own("plus", "x + 1"), .result = entry_function::own("twice", "2 * x")}),
        [&](index_t i, index_t j) {
          double sum = 0;
          for (index_t k = 0; k < n; ++k) sum += (a.data()[i + n * k] + 1) * b.data()[k + n * j];
          return 2 * sum;
        });
  check(product.over(operations::own<double>(
            {.name = "farthest", .multiply = "fabs(a - b)", .add = "c < x ? x : c", .is_commutative = true},
            [](double) { return -1.0; })),
        [&](index_t i, index_t j) {
          double most = -1;
          for (index_t k = 0; k < n; ++k) most = std::max(most, std::abs(a.data()[i + n * k] - b.data()[k + n * j]));
          return most;
        });
}

TEST_CASE("gpu fused: what no kernel runs is refused", "[gpu][plan][fused]") {
  if (absent()) return;
  drawn_fused c;
  for (unsigned seed = 1; !has_own_source(c.what) || has_table(c); ++seed) c = drawn_fused_case(seed, 2000);
  std::vector<operand> all = c.operands();
  for (operand& o : all) o.space = space_kind::gpu;
  plan_options options;
  options.compile = false;
  const failure refused = failure_of([&] { make_plan_of(c.what, all.data(), int(all.size()), options); });
  CHECK(refused.code == status::no_target);
  CHECK(refused.text.find("nothing may be compiled") != std::string::npos);
}
