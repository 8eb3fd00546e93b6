// SPDX-License-Identifier: BSD-3-Clause
// Plans of large contractions on a GPU, exact in integers: by kernels that are compiled while the plan is made, or
// behind it; in graphs and streams; and what they refuse.
#include <tessera/gpu/detail/general/general_kernel.hpp>
#include <tessera/gpu/detail/graph.hpp>
#include <tessera/gpu/detail/kept_code.hpp>
#include <tessera/tessera.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "testing/failure.hpp"
#include "testing/general_plan.hpp"
#include "testing/jit.hpp"
#include "testing/scratch.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

bool no_general_kernels() {
  if (absent()) return true;
  if (device::has_general_kernel({})) return false;
  skip("no kernels of general contractions in double for this GPU");
  return true;
}

bool is_general(const plan& made) { return made.row().starts_with("general f64 by tensor cores (rows "); }

double work_of_case(const general_case& of) {
  const general_form form = lower_general(of.modes(), of.facts);
  return double(form.rows.size()) * double(form.cols.size()) * double(form.inner.size()) * double(form.batch.size());
}

void check_words(const std::string& text, std::initializer_list<const char*> words) {
  INFO(text);
  for (const char* word : words) {
    INFO("must say: " << word);
    CHECK(text.find(word) != std::string::npos);
  }
}

// The row with extents that plain loops go through in a moment.
general_case scaled_row(const tccg_row& row) {
  constexpr double most_work = 1e7;
  index_t extents[7];
  double work = 2 * most_work;
  for (index_t most = 72; work > most_work; --most) {
    work = 1;
    for (int i = 0; i < 7; ++i) {
      extents[i] = std::min(row.extents[i], most - i % 3);  // not all alike
      work *= double(std::max<index_t>(extents[i], 1));
    }
  }
  general_case made = packed_case(einsum_of(row), extents);
  made.alpha = 2;
  made.beta = row.id % 2;
  return made;
}

void check_rows(int first, int step) {
  for (int i = first; i < 48; i += step) {
    general_case of = scaled_row(tccg_rows[i]);
    const placed_case on_gpu(of);
    const plan made = on_gpu.make(of, {}, false);
    INFO("row " << tccg_rows[i].id << ": " << made.describe());
    CHECK(is_general(made));
    on_gpu.run(made, {}, false);
    CHECK(on_gpu.out.holds(of.after()));
  }
}

// A kernel of its own, so that nothing of it is there: by extents.
general_case fresh_case(index_t a) {
  const index_t extents[] = {a, 3, 16, 24, 20, 4};
  return packed_case("aebf,dfce->abcd", extents);
}

class set_variable {
 public:
  set_variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~set_variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  set_variable(const set_variable&) = delete;
  set_variable& operator=(const set_variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

bool becomes_ready(const plan& made) {
  for (int i = 0; i < 6000 && !made.is_ready(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return made.is_ready();
}

}  // namespace

TEST_CASE("gpu plan general: drawn contractions, for one batch count and run with others", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  int checked = 0;
  for (unsigned seed = 0; checked < 10; ++seed) {
    REQUIRE(seed < 2000);
    general_case of = drawn_case(seed, 40);
    if (work_of_case(of) > 5e6) continue;
    const placed_case two(of, 2);
    const plan made = two.make(of);
    if (!is_general(made)) continue;
    ++checked;
    INFO("seed " << seed << ", alpha " << of.alpha << ", beta " << of.beta << ": " << made.describe());
    CHECK(made.is_ready());
    const std::vector<double> wanted = of.after();
    two.run(made);
    CHECK(two.out.holds(wanted));
    // From an odd entry on, an odd number of entries apart: at another alignment than the plan saw.
    for (const index_t count : {1, 5}) {
      const placed_case other(of, count, 1);
      other.run(made);
      CHECK(other.out.holds(wanted));
    }
    const placed_case none(of, 1);
    std::vector<operand> empty = none.operands();
    for (operand& o : empty) o.count = 0;
    made.run_operands(empty.data(), 3, {});
    CHECK(none.out.holds(of.out));
  }
}

TEST_CASE("gpu plan general: rows of TCCG, scaled", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  check_rows(0, 5);
}

TEST_CASE("gpu plan general: all rows of TCCG, scaled", "[.long]") {
  if (no_general_kernels()) return;
  check_rows(0, 1);
}

TEST_CASE("gpu plan general: a small one for the sanitizers", "[gpu][plan][general][sanitize]") {
  if (no_general_kernels()) return;
  const index_t extents[] = {17, 5, 7, 19, 3, 15};
  general_case of = packed_case("aebf,dfce->abcd", extents);
  of.beta = -1;
  const placed_case on_gpu(of, 2, 1);
  const plan made = on_gpu.make(of);
  CHECK(is_general(made));
  on_gpu.run(made);
  CHECK(on_gpu.out.holds(of.after()));
}

TEST_CASE("gpu plan general: a table shared by all tensors of a batch", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  const index_t extents[] = {72, 80, 48};
  general_case of = packed_case("ac,cb->ab", extents);
  const placed_case on_gpu(of, 7);
  std::vector<operand> all = on_gpu.operands();
  all[0].batched = false;
  all[0].count = 1;
  const plan made = make_plan_of(contraction(of.text), all.data(), 3, {});
  CHECK(is_general(made));
  made.run_operands(all.data(), 3, {});
  CHECK(on_gpu.out.holds(of.after()));
}

TEST_CASE("gpu plan general: describe names the form, the tile and the reason", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  general_case of = fresh_case(40);
  const plan made = placed_case(of).make(of);
  check_words(made.describe(), {"\"aebf,dfce->abcd\" over 40x20x3x4, 24x4x16x20 -> 40x3x16x24",
                                "\n  lowered to general: rows 40x3, columns 16x24, sum of 20x4, batch 1",
                                "\n  runs on cuda: general f64 by tensor cores (rows ", " warps, ", " tiles, modelled ",
                                " ms\n", "  because: "});
  CHECK(made.describe(detail_level::brief).starts_with(made.row() + " on cuda: "));
  CHECK(made.where() == target::cuda);
}

TEST_CASE("gpu plan general: runs are captured, and are the same bits each time", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  general_case of = fresh_case(38);
  // Sums of these round, so that another order of the terms would be seen.
  for (std::vector<double>* entries : {&of.left, &of.right})
    for (double& x : *entries) x = std::sqrt(2 + std::abs(x)) * (x < 0 ? -1 : 1);
  const placed_case on_gpu(of);
  std::vector<double> first;
  {
    const plan made = on_gpu.make(of);
    REQUIRE(is_general(made));
    on_gpu.run(made);
    first = on_gpu.out.read();
  }
  std::optional<device::graph> captured;
  const stream side;
  {
    const plan again = on_gpu.make(of);
    captured.emplace("test", side, [&](stream_view on) { on_gpu.run(again, on); });
  }
  placed_tensor& out = const_cast<placed_tensor&>(on_gpu.out);
  for (int i = 0; i < 3; ++i) {
    out.write();
    captured->launch(stream_view(side).handle());  // its kernel outlives the plan
    side.synchronize();
    CHECK(out.read() == first);
  }
}

TEST_CASE("gpu plan general: its code counts in what a process keeps loaded, once for all plans",
          "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  general_case of = fresh_case(27);
  const placed_case data(of);
  const std::uint64_t before = device::loaded_kernels().bytes();
  {
    const plan made = data.make(of);
    REQUIRE(is_general(made));
  }
  const std::uint64_t with_it = device::loaded_kernels().bytes();
  CHECK(with_it > before);
  const plan again = data.make(of);
  CHECK(device::loaded_kernels().bytes() == with_it);
}

TEST_CASE("gpu plan general: one plan in several streams and threads", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  general_case of = fresh_case(36);
  of.beta = 1;
  const std::vector<double> wanted = of.after();
  const plan made = placed_case(of).make(of);
  REQUIRE(is_general(made));
  std::vector<std::unique_ptr<placed_case>> data;
  for (int i = 0; i < 6; ++i) data.push_back(std::make_unique<placed_case>(of, 1, i % 3));
  std::vector<std::thread> callers;
  std::atomic<int> right = 0;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&, t] {
      const stream one, other;
      data[std::size_t(2 * t)]->run(made, one);
      data[std::size_t(2 * t + 1)]->run(made, other);
      one.synchronize();
      other.synchronize();
      for (const int i : {2 * t, 2 * t + 1}) right += data[std::size_t(i)]->out.holds(wanted);
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(right == 6);
}

TEST_CASE("gpu plan general: without waiting a plan runs at once, and the next one has the kernel",
          "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  const scratch_folder empty;
  const set_variable cache("TESSERA_CACHE", empty.path());
  const plan_options at_once{.wait = false};
  general_case of = fresh_case(34), other = fresh_case(35), third = fresh_case(33);
  const placed_case data(of), of_other(other), of_third(third);
  const std::vector<double> wanted = of.after();
  static_cast<void>(of_third.make(third, {.compile = false}));  // the GPU is set up

  const auto start = std::chrono::steady_clock::now();
  const plan early = data.make(of, at_once);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const plan another = of_other.make(other, at_once);
  CHECK(seconds < 0.25);  // 0.05 on a machine that does nothing else
  CHECK_FALSE(early.is_ready());
  CHECK_FALSE(is_general(early));
  check_words(early.describe(), {"a kernel for it is being compiled"});
  const std::string row = early.row();
  data.run(early);
  CHECK(data.out.holds(wanted));

  REQUIRE(becomes_ready(early));
  check_words(early.describe(), {"compiled since: a plan that is made now has it"});
  CHECK(early.row() == row);  // for life
  const plan late = data.make(of, at_once);
  CHECK(late.is_ready());
  CHECK(is_general(late));
  placed_case fresh(of);
  fresh.run(late);
  CHECK(fresh.out.holds(wanted));
  fresh.out.write();
  fresh.run(early);
  CHECK(fresh.out.holds(wanted));

  // One that waits joins the thread that compiles.
  const plan joined = of_other.make(other);
  CHECK(is_general(joined));
  CHECK(another.is_ready());
  of_other.run(joined);
  CHECK(of_other.out.holds(other.after()));
}

TEST_CASE("gpu plan general: a graph may be captured while a kernel is compiled", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  const scratch_folder empty;
  const set_variable cache("TESSERA_CACHE", empty.path());
  general_case of = fresh_case(31), waiting = fresh_case(30);
  const placed_case data(of), of_waiting(waiting);
  const plan made = data.make(of);
  const plan early = of_waiting.make(waiting, {.wait = false});
  const stream side;
  // Until the thread has loaded its code.
  int captured = 0;
  do {
    const device::graph again("test", side, [&](stream_view on) { data.run(made, on); });
    again.launch(stream_view(side).handle());
    side.synchronize();
    ++captured;
  } while (!early.is_ready() && captured < 100000);
  CHECK(data.out.holds(of.after()));
  CHECK(is_general(of_waiting.make(waiting)));
}

TEST_CASE("gpu plan general: nothing is compiled where that is forbidden", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  general_case of = fresh_case(29);
  const placed_case data(of);
  const plan forbidden = data.make(of, {.compile = false});
  CHECK(forbidden.row() == "general f64 by multiply-adds, any sizes and strides");
  CHECK(forbidden.is_ready());
  check_words(forbidden.describe(), {"\n  lowered to general: rows 29x3, columns 16x24, sum of 20x4, batch 1",
                                     "because: large, and nothing may be compiled"});
  data.run(forbidden);
  CHECK(data.out.holds(of.after()));
  const set_variable off("TESSERA_JIT", "OFF");
  for (const bool wait : {true, false}) {
    const plan made = data.make(of, {.wait = wait});
    CHECK_FALSE(is_general(made));
    CHECK(made.is_ready());
    check_words(made.describe(), {"no kernel was compiled at run time: TESSERA_JIT=OFF"});
  }
}

TEST_CASE("gpu plan general: operands that a run refuses, and groups", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  general_case of = fresh_case(28);
  const placed_case data(of, 3);
  const plan made = data.make(of);
  REQUIRE(is_general(made));
  std::vector<operand> all = data.operands();
  all[1].data = nullptr;
  check_failure(status::null_pointer, {"run \"aebf,dfce->abcd\" over 28x20x3x4", "input 2"},
                [&] { made.run_operands(all.data(), 3, {}); });
  const std::vector<double> host(of.right.size() * 3);
  all[1].data = host.data();
  check_failure(status::wrong_space, {"input 2 is not in device memory"},
                [&] { made.run_operands(all.data(), 3, {}); });
  CHECK(data.out.holds(of.out));  // nothing was written
}

TEST_CASE("gpu plan general: a plan that was made for a batch runs over groups, too", "[gpu][plan][general]") {
  if (no_general_kernels()) return;
  constexpr index_t m = 64, n = 72, k = 60, count = 3;
  const contraction product("ik,kj->ij");
  auto a = make_batch<double>(gpu, of_size(m, k), count), b = make_batch<double>(gpu, of_size(k, n), count),
       c = make_batch<double>(gpu, of_size(m, n), count);
  auto host_a = make_batch<double>(of_size(m, k), count), host_b = make_batch<double>(of_size(k, n), count),
       host_c = make_batch<double>(of_size(m, n), count), found = make_batch<double>(of_size(m, n), count);
  int next = 0;
  for (double& x : host_a) x = next++ % 7 - 3;
  for (double& x : host_b) x = next++ % 5 - 2;
  copy(host_a, a);
  copy(host_b, b);
  const plan made = make_plan(product, a, b, c);
  REQUIRE(is_general(made));
  std::vector<tensor<double, gpu, extents<dynamic, dynamic>>> apart;
  auto members = make_group<double>(gpu, of_size(m, n));
  for (index_t i = 0; i < count; ++i) apart.push_back(make_tensor<double>(gpu, of_size(m, n)));
  for (auto& each : apart) members.push_back(each);
  made.run(a, b, members);
  make_plan(product, host_a, host_b, host_c).run(host_a, host_b, host_c);
  copy(members, found);
  CHECK(std::equal(found.begin(), found.end(), host_c.begin()));
}
