// SPDX-License-Identifier: BSD-3-Clause
// The launch suite's GPU ways are right: all products in one block, and captured launches on every replay.
#include "gpu/launch_ways.hpp"

#include <tessera/plan.hpp>

#include "case_builder.hpp"
#include "measure/gpu/device.hpp"
#include "reference.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

bench::workload on_device(const bench::gemm_size& size, scalar_type type) {
  bench::workload work = small_gemm(size, type, 0, false, false, 37);
  for (bench::data& d : work.operands) d.move_to_device();
  for (int input : {0, 1}) work.operands[std::size_t(input)].provide();
  work.out().fill_nan();
  work.as_gemm->a = work.operands[0].place().data;
  work.as_gemm->b = work.operands[1].place().data;
  work.as_gemm->c = const_cast<void*>(work.out().place().data);
  return work;
}

}  // namespace

TEST_CASE("launch ways: products in one block", "[gpu][launch]") {
  if (no_gpu()) return;
  for (scalar_type type : {scalar_type::f32, scalar_type::f64})
    for (const bench::gemm_size& size :
         {bench::gemm_size{1, 1, 1}, {3, 5, 4}, {13, 13, 13}, {32, 32, 32}, {70, 9, 80}}) {
      INFO(size.m << "x" << size.n << "x" << size.k);
      const bench::workload work = on_device(size, type);
      bench::device::multiply_in_one_block(*work.as_gemm);
      CHECK(check(work).correct());
    }
  bench::gemm_call transposed = *on_device({3, 5, 4}, scalar_type::f64).as_gemm;
  transposed.trans_a = true;
  check_failure(status::invalid_argument, {"only packed C = A B"},
                [&] { bench::device::multiply_in_one_block(transposed); });
}

TEST_CASE("launch ways: a graph does its launches on every replay", "[gpu][launch]") {
  if (no_gpu()) return;
  bench::workload work = on_device({5, 6, 7}, scalar_type::f64);
  std::vector<operand> all;
  for (const bench::data& d : work.operands) all.push_back(d.place());
  const plan product = make_plan_of(work.what, all.data(), 3, {});
  const auto replay = bench::device::graph_of([&](stream_view queue) { product.run_operands(all.data(), 3, queue); });
  CHECK_FALSE(check(work).correct());  // captured, not run
  replay();
  CHECK(check(work).correct());
  work.out().fill_nan();
  replay();
  CHECK(check(work).correct());
}

TEST_CASE("a pass in a profiler's range runs once, and its faults are reported", "[gpu]") {
  if (no_gpu()) return;
  bench::workload work = on_device({5, 6, 7}, scalar_type::f64);
  std::vector<operand> all;
  for (const bench::data& d : work.operands) all.push_back(d.place());
  const plan product = make_plan_of(work.what, all.data(), 3, {});
  int runs = 0;
  bench::device::run_for_profiler([&] {
    product.run_operands(all.data(), 3, {});
    ++runs;
  });
  CHECK(runs == 1);
  CHECK(check(work).correct());
  check_failure(status::invalid_argument, {"a pass"},
                [] { bench::device::run_for_profiler([] { throw error("a pass"); }); });
}
