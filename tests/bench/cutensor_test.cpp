// SPDX-License-Identifier: BSD-3-Clause
// The peers by cuTENSOR, with a stand-in for its library that works in host memory: how it is found, what it is asked,
// which kernel wins, what is said when it is not usable.
#include "peers/cutensor.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <tessera/error.hpp>

#include "tccg_case.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
namespace cutensor = tessera::bench::cutensor;
using tessera::scalar_type;

namespace {

const std::string fake = TESSERA_FAKE_CUTENSOR;

class variable_set {
 public:
  variable_set(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~variable_set() { unsetenv(name_); }
  variable_set(const variable_set&) = delete;

 private:
  const char* name_;
};

// The stand-in's own functions.
template <class F>
F* fake_function(const char* name) {
  static const bench::shared_library file{fake.c_str()};
  F* const found = file.find<F>(name);
  REQUIRE(found != nullptr);
  return found;
}
std::string calls() { return fake_function<const char*()>("fake_cutensor_calls")(); }
std::string last_kernel() { return fake_function<const char*()>("fake_cutensor_last_kernel")(); }
int alive() { return fake_function<int()>("fake_cutensor_alive")(); }
void forget_calls() { fake_function<void()>("fake_cutensor_forget_calls")(); }

struct small_case {
  bench::setting s;
  bench::workload work;
  bench::contraction_call call;

  small_case(int row, const bench::options& o)
      : s{.with = o, .on = tessera::default_cpu_target()}, work(bench::tccg_case(bench::tccg_rows[row - 1], 0.03, o)) {
    bench::place(work, s);
    call = bench::contraction_call_for(work, s);
    if (o.beta == 0)
      work.out().fill_nan();
    else
      work.out().fill();
  }
};

bench::options options_of(scalar_type type, double beta = 0) {
  bench::options o;
  o.type = type;
  o.beta = beta;
  return o;
}

}  // namespace

TEST_CASE("cuTENSOR is asked for the contraction that is meant") {
  const cutensor::library in({fake});
  REQUIRE(in.usable());
  CHECK(in.version() == "cuTENSOR 2.8.1");
  for (scalar_type type : {scalar_type::f64, scalar_type::f32})
    for (double beta : {0.0, 1.0})
      for (int row : {1, 5, 12, 19, 31, 48}) {
        small_case of(row, options_of(type, beta));
        for (auto choice : {cutensor::algorithm::standard, cutensor::algorithm::patient}) {
          INFO(of.work.label << " " << name_of(type));
          if (beta != 0) of.work.out().fill();
          const bench::contraction_pass made = cutensor::by_choice(in, choice, of.call);
          REQUIRE(made.run);
          made.run();
          CHECK(bench::check(of.work).correct());
          CHECK(last_kernel() == std::to_string(int(choice)) + ":-1:" + (type == scalar_type::f64 ? "64F" : "32F"));
        }
      }
}

TEST_CASE("what cuTENSOR makes is destroyed again, in order, and the plan last") {
  const cutensor::library in({fake});
  small_case of(1, options_of(scalar_type::f64));
  const int before = alive();
  forget_calls();
  {
    const auto made = cutensor::by_choice(in, cutensor::algorithm::standard, of.call);
    CHECK(calls() ==
          "tensor tensor tensor contraction preference plan ~preference ~contraction ~tensor ~tensor ~tensor");
    CHECK(alive() == before + 1);
    made.run();
  }
  CHECK(alive() == before);
  CHECK(calls().ends_with("~tensor contract ~plan"));
}

TEST_CASE("the best of ranks is the fastest kernel of all three algorithms, past ranks that do not exist") {
  const cutensor::library in({fake});
  small_case of(2, options_of(scalar_type::f64));
  std::map<std::string, double> seconds{{"-1:-1:64F", 5}, {"-6:-1:64F", 4},  {"-4:0:64F", 6}, {"-4:1:64F", 3.5},
                                        {"-4:2:64F", 7},  {"-3:0:64F", 4.5}, {"-3:2:64F", 3}, {"-2:0:64F", 9}};
  std::map<std::string, int> timed;
  of.call.time = [&](const std::function<void()>& pass, long) {
    pass();
    ++timed[last_kernel()];
    return seconds.at(last_kernel());
  };
  const auto best = cutensor::best_of_ranks(in, of.call);
  CHECK(timed.size() == seconds.size());
  CHECK(best.brief == "tgett rank 2 of 8");
  CHECK(best.describe == "cuTENSOR 2.8.1, tgett rank 2 of 8 kernels");
  best.run();
  CHECK(last_kernel() == "-3:2:64F");
  CHECK(bench::check(of.work).correct());

  seconds["-3:2:64F"] = 10;
  const auto fails = of.call.time;
  of.call.time = [&](const std::function<void()>& pass, long passes) {
    const double time = fails(pass, passes);
    if (last_kernel() == "-4:1:64F") throw tessera::error("no");
    return time;
  };
  CHECK(cutensor::best_of_ranks(in, of.call).describe == "cuTENSOR 2.8.1, patient of 8 kernels, 1 failed");
  of.call.time = fails;

  seconds["-6:-1:64F"] = 1;
  CHECK(cutensor::best_of_ranks(in, of.call).brief == "patient of 8");
  of.call.search_seconds = 0;  // one rank is tried, whatever the limit
  CHECK(cutensor::best_of_ranks(in, of.call).describe == "cuTENSOR 2.8.1, patient of 3 kernels, time limit reached");
}

TEST_CASE("types that cuTENSOR does not mix, and precisions that it lacks, are left out; errors name the function") {
  const cutensor::library in({fake});
  small_case narrow(1, options_of(scalar_type::bf16));
  CHECK_FALSE(cutensor::by_choice(in, cutensor::algorithm::standard, narrow.call).run);
  bench::options o = options_of(scalar_type::f32);
  small_case rounded(1, o);
  rounded.call.precision = bench::product_precision::tf32x3;  // this library does not export it
  CHECK_FALSE(cutensor::best_of_ranks(in, rounded.call).run);
  rounded.call.precision = bench::product_precision::tf32;
  const auto made = cutensor::by_choice(in, cutensor::algorithm::standard, rounded.call);
  made.run();
  CHECK(last_kernel() == "-1:-1:TF32");
  o.type = {scalar_type::f32, scalar_type::f32, scalar_type::f64};
  small_case mixed(1, o);
  CHECK_FALSE(cutensor::by_choice(in, cutensor::algorithm::standard, mixed.call).run);

  const variable_set failing("FAKE_CUTENSOR_FAILS", "1");
  try {
    made.run();
    FAIL("no error");
  } catch (const tessera::error& e) {
    CHECK(std::string(e.what()).find("cutensorContract: CUTENSOR_STATUS_EXECUTION_FAILED") != std::string::npos);
  }
}

TEST_CASE("a library that is not there or not usable says why in one line, and its peers are absent") {
  const auto reason = [](const std::vector<std::string>& names) {
    const cutensor::library in(names);
    CHECK_FALSE(in.usable());
    const std::vector<bench::peer> peers = cutensor::peers_of(in);
    CHECK(peers.size() == 3);
    for (const bench::peer& p : peers) {
      CHECK_FALSE(p.found);
      CHECK(p.version == in.version());
    }
    CHECK(in.version().find('\n') == std::string::npos);
    return in.version();
  };
  CHECK(reason({"/nowhere/libcutensor.so.2"}).find("TESSERA_CUTENSOR may name its file or folder") !=
        std::string::npos);
  {
    const variable_set given("TESSERA_CUTENSOR", "/nowhere/libcutensor.so.2");
    CHECK(cutensor::candidates() == std::vector<std::string>{"/nowhere/libcutensor.so.2"});
    const std::string text = reason(cutensor::candidates());
    CHECK(text.starts_with("TESSERA_CUTENSOR: /nowhere/libcutensor.so.2: "));
    CHECK(text.find("No such file") != std::string::npos);
  }
  {
    const variable_set given("TESSERA_CUTENSOR", std::filesystem::path(fake).parent_path().c_str());
    CHECK(cutensor::candidates() == std::vector<std::string>{fake});
    CHECK(cutensor::library(cutensor::candidates()).usable());
  }
  CHECK(cutensor::candidates().front() == "libcutensor.so.2");
  {
    const variable_set old("FAKE_CUTENSOR_OLD", "1");
    CHECK(reason({fake}) == "cuTENSOR 1.7.0 is not a version 2");
  }
  const variable_set none("FAKE_CUTENSOR_NO_DEVICE", "1");
  CHECK(reason({fake}) == "cuTENSOR 2.8.1: cutensorCreate: CUTENSOR_STATUS_CUDA_ERROR");
}
