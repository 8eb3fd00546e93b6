// SPDX-License-Identifier: BSD-3-Clause
// Tests the evaluator end to end: good candidates get times, and each kind of bad one costs only itself.
#include "work/cpu_evaluator.hpp"

#include "arranged_candidates.hpp"
#include "measure/stopwatch.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;

namespace {

bool can_run() {
  if (default_cpu_target() != target::reference) return true;
  tessera::testing::skip("no instruction set with kernels");
  return false;
}

std::vector<int> all_of(std::size_t count) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(int(i));
  return numbers;
}

enum class fault { none, wrong, outside, crash, hang, spill, crash_when_timed };
constexpr fault faults[] = {fault::none, fault::wrong, fault::outside, fault::crash,
                            fault::hang, fault::spill, fault::none,    fault::crash_when_timed};

std::string faulty_loops(const candidate& c, const std::string& name) {
  const std::string number = "static volatile int number = " + std::to_string(number_of(c)) + "; number = number;";
  switch (faults[number_of(c)]) {
    case fault::wrong: return loops(name, number, "p.alpha * sum");
    case fault::outside: return loops(name, number + "p.out.data[p.batch * p.out.batch_stride] = 0;", right_result);
    case fault::crash: return loops(name, number + "*(volatile int*)8 = 1;", right_result);
    case fault::hang: return loops(name, number + "while (number >= 0) number = number;", right_result);
    case fault::spill: {
      std::string spills;
      for (int i = 0; i < 70; ++i) spills += "\\n\\tmovups -16(%%rsp), %%xmm1\\n\\tmulps %%xmm0, %%xmm0";
      return loops(name, number + "asm volatile(\"" + spills + "\" ::: \"xmm0\", \"xmm1\");", right_result);
    }
    case fault::crash_when_timed: return loops(name, number + "if (p.batch > 19) __builtin_trap();", right_result);
    case fault::none: break;
  }
  return loops(name, number, right_result);
}

}  // namespace

TEST_CASE("24 candidates in one object are compiled, checked and timed, in both regimes") {
  if (!can_run()) return;
  const temporary_folder folder;
  cpu_compiler compiler(settings_in(folder.path()));
  const std::vector<config> configs = configs_of_threes();
  REQUIRE(configs.size() == 24);
  cpu_evaluator cached(case_of_threes(), configs, compiler);
  cached.prepare(all_of(24));
  CHECK(compiler.compilations() == 1);
  for (int round = 0; round < 2; ++round) {
    const std::vector<sample> samples = cached.round(all_of(24));
    REQUIRE(samples.size() == 24);
    for (const sample& s : samples) {
      INFO(s.reason);
      CHECK(s.how == outcome::ok);
      CHECK((s.seconds > 1e-10 && s.seconds < 1e-4));
    }
  }
  CHECK(cached.workers_started() == 1);
  CHECK(cached.seen().clock_mhz > 100);
  cached.renew();
  cached.renew();
  CHECK(cached.round({3}).front().how == outcome::ok);
  CHECK(cached.workers_started() == 2);  // started when it is needed

  cpu_evaluator streamed(case_of_threes(memory_regime::stream), configs, compiler);
  const std::vector<sample> samples = streamed.round({5, 2});
  CHECK(compiler.compilations() == 1);
  CHECK((samples[0].how == outcome::ok && samples[1].how == outcome::ok));
}

TEST_CASE("bad candidates are recorded with their reasons, and the others lose nothing") {
  if (!can_run()) return;
  const temporary_folder folder;
  cpu_compiler compiler(settings_in(folder.path()), faulty_loops);
  worker_settings settings;
  settings.candidate_seconds = 2;
  cpu_evaluator evaluator(case_of_threes(), numbered_configs(8), compiler, settings);
  const std::vector<sample> samples = evaluator.round(all_of(8));
  const auto has = [&](int i, outcome how, const std::string& words) {
    const sample& s = samples[std::size_t(i)];
    INFO(i << " " << name_of(s.how) << ": " << s.reason);
    CHECK(s.how == how);
    CHECK(s.reason.find(words) != std::string::npos);
  };
  has(0, outcome::ok, "");
  has(1, outcome::wrong, "C += A B");
  has(2, outcome::wrong, "outside of the operands");
  has(3, outcome::crashed, "SIGSEGV");
  has(4, outcome::timed_out, "2 s");
  if (default_cpu_target() == target::avx2 || default_cpu_target() == target::avx512)
    has(5, outcome::spilled, "at most 64");
  has(6, outcome::ok, "");
  has(7, outcome::crashed, "SIG");
  const int workers = evaluator.workers_started();
  const std::vector<sample> again = evaluator.round({3, 0, 7});
  CHECK((again[0].how == outcome::crashed && again[1].how == outcome::ok && again[2].how == outcome::crashed));
  CHECK(evaluator.workers_started() <= workers + 1);  // a failed candidate is not tried again
}

TEST_CASE("a target that this machine lacks, or a worker that is none, is an error") {
  if (!can_run()) return;
  const temporary_folder folder;
  cpu_compiler compiler(settings_in(folder.path()), faulty_loops);
  tuning_case elsewhere = case_of_threes();
  elsewhere.on = default_cpu_target() == target::neon ? target::avx2 : target::neon;
  tessera::testing::check_failure(status::no_target, {name_of(elsewhere.on)},
                                  [&] { cpu_evaluator(elsewhere, {}, compiler); });
  worker_settings settings;
  settings.program = fake_compiler(folder, "exit 1\n");
  cpu_evaluator evaluator(case_of_threes(), numbered_configs(1), compiler, settings);
  tessera::testing::check_failure(status::internal, {"does not serve", "status 1"}, [&] { evaluator.round({0}); });
}
