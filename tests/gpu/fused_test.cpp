// SPDX-License-Identifier: BSD-3-Clause
// Plans on a GPU of contractions with functions of entries, pairs of operations, addends, integers and mixed types,
// drawn at random, against plain loops on the host: by compiled kernels and by the one with everything at run time.
#include <tessera/memory.hpp>
#include <tessera/plan.hpp>

#include <algorithm>

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
    make_plan_of(c.what, all.data(), int(all.size()), options).run_operands(all.data(), int(all.size()), {});
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
  if (absent() || !why_no_jit().empty()) return;
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
