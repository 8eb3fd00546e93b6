// SPDX-License-Identifier: BSD-3-Clause
// Groups on the GPU, by contract<> and plans: any mixture with batches and shared tensors, user's pointers, graphs,
// what is refused.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <cuda_runtime.h>

#include <cmath>
#include <numeric>

#include <tessera/gpu/contract.cuh>
#include <tessera/tessera.hpp>

#include "gpu/products.hpp"
#include "testing/definition.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

/// A batch on the host and on the device, and its tensors once more on the device, apart and in descending order.
template <class T, class Layout>
struct placed {
  batch<T, cpu, Layout> host;
  batch<T, gpu, Layout> together;
  device_entries<T> memory;
  group<T, gpu, Layout> apart;

  placed(const Layout& layout, index_t count, unsigned seed)
      : host(layout, count),
        together(layout, count),
        memory(std::vector<T>(std::size_t(count * (span_of(layout) + 5)), T(-77.5))),
        apart(layout) {
    testing::fill_integers(host.view(), seed);
    const index_t step = span_of(layout) + 5;
    for (index_t b = count - 1; b >= 0; --b) apart.push_back(view(gpu, memory.data() + b * step + b % 3, layout));
    reset();
  }
  void reset() {
    copy(host, together);
    copy(host, apart);
  }
  entries<T> read_batch() const { return read_from(together); }
  entries<T> read_group() const { return read_from(apart); }

 private:
  template <class From>
  entries<T> read_from(const From& from) const {
    batch<T, cpu, Layout> back(host.layout(), host.count());
    copy(from, back);
    return testing::read(back.view());
  }
};

template <class T, class Shape>
auto place(const Shape& shape, index_t count, unsigned seed) {
  const auto layout = tessera::detail::layout_from(shape);
  return placed<T, std::remove_const_t<decltype(layout)>>(layout, count, seed);
}

template <class A, class B, class Out>
wanted_result defined(const char* text, scaling s, const A& a, const B& b, const Out& out) {
  return by_definition<typename Out::value_type>(
      contraction(text, s), {testing::read(a.view()), testing::read(b.view())}, testing::read(out.view()));
}

/// f(x, y, z, result) for groups in each place and in all; `result` reads what z then holds.
template <class A, class B, class Out, class F>
void each_mixture(A& a, B& b, Out& out, F f) {
  const auto in_group = [&] { return out.read_group(); };
  const auto in_batch = [&] { return out.read_batch(); };
  const auto run = [&](const auto& x, const auto& y, const auto& z, auto result) {
    out.reset();
    f(x, y, z, result);
  };
  run(a.apart, b.apart, out.apart, in_group);
  run(a.apart, b.together, out.together.view(), in_batch);
  run(a.together, b.apart, out.apart, in_group);
  run(a.together, b.together, out.apart, in_group);
}

/// contract<> and a plan, in integers, so that the result is exact whatever runs. contract<> has a kernel for each
/// mixture, and nvcc takes seconds for each: so only some cases ask for `all` of them, and other tests use the same.
template <fixed_string Text, class T, bool all = false, class A, class B, class Out>
void check_both(const A& a_sizes, const B& b_sizes, const Out& out_sizes, index_t count = 37) {
  auto a = place<T>(a_sizes, count, 1);
  auto b = place<T>(b_sizes, count, 2);
  auto out = place<T>(out_sizes, count, 3);
  for (const scaling s : {assign, scaling{2, -3}}) {
    INFO(Text.text << ", beta " << s.beta.re);
    const wanted_result wanted = defined(Text.text, s, a.host, b.host, out.host);
    const auto by_contract = [&](const auto& x, const auto& y, const auto& z, auto result) {
      contract<Text>(x, y, z, s);
      CHECK(count_different(result(), wanted) == 0);
    };
    out.reset();
    if constexpr (all)
      each_mixture(a, b, out, by_contract);
    else
      by_contract(a.apart, b.apart, out.apart, [&] { return out.read_group(); });
    const plan p = make_plan(contraction(Text.text, s), a.together, b.together, out.together);
    each_mixture(a, b, out, [&](const auto& x, const auto& y, const auto& z, auto result) {
      p.run(x, y, z);
      CHECK(count_different(result(), wanted) == 0);
    });
  }
  // What lies between the members is as it was.
  const std::vector<T> memory = out.memory.read();
  const index_t gaps = index_t(memory.size()) - count * out.host.extents().size();
  CHECK(std::count(memory.begin(), memory.end(), T(-77.5)) == gaps);
}

/// Offsets that no strides describe.
struct rotated {
  constexpr tessera::extents<3, 4> extents() const { return {}; }
  constexpr index_t offset(index_t i, index_t j) const { return (i + j) % 3 + 3 * j; }
};

/// True where a group's result has the bits of a batch with gaps, which the generic row runs too.
template <class T, class Shape>
bool same_bits(const Shape& sizes, index_t count) {
  auto a = place<T>(sizes, count, 1), b = place<T>(sizes, count, 2), out = place<T>(sizes, count, 3);
  fill_fractions(a.host.view(), 4);
  fill_fractions(b.host.view(), 5);
  a.reset();
  b.reset();
  const index_t step = out.host.stride() + 5;
  device_entries<T> gapped(std::vector<T>(std::size_t(step * count)));
  const auto batch_with_gaps = view_batch(gpu, gapped.data(), sizes, count, step);
  const plan p = make_plan(contraction("ik,kj->ij"), a.together, b.together, out.together);
  p.run(a.apart, b.apart, out.apart);
  p.run(a.together, b.together, batch_with_gaps);
  copy(batch_with_gaps, out.together);
  return out.read_group().value == out.read_batch().value;
}

}  // namespace

TEST_CASE("gpu group: any mixture with batches, exact in integers", "[gpu][group][sanitize]") {
  if (no_gpu()) return;
  check_both<"ik,kj->ij", double, true>(of_size<5, 3>(), of_size<3, 4>(), of_size<5, 4>());
  check_both<"ik,kj->ij", float>(of_size<3, 3>(), of_size<3, 3>(), of_size<3, 3>(), 101);
  check_both<"ki,jk->ji", double>(of_size<3, 5>(), row_major(of_size<4, 3>()), of_size<4, 5>());
  check_both<"kj,ajc->akc", double>(of_size<4, 3>(), of_size<2, 3, 2>(), of_size<2, 4, 2>());
  check_both<"ik,kj->ij", double>(of_size(5, 3), of_size(3_c, 4), of_size(5, 4));
  check_both<"ij,ij->ij", double, true>(of_size<5, 3>(), of_size<5, 3>(), of_size<5, 3>());
  check_both<"ij,ij->ij", float>(of_size(5, 3), row_major(of_size(5, 3)), of_size(5, 3));
}

TEST_CASE("gpu group: users' layouts, tiles and large products", "[gpu][group]") {
  if (no_gpu()) return;
  check_both<"ki,kj->ij", double>(rotated{}, of_size<3, 2>(), of_size<4, 2>());
  check_both<"ki,kj->ij", double>(rotated{}, of_size(3, 2), of_size(4, 2));
  check_both<"ik,kj->ij", float>(tile_by<2, 2>(of_size<3, 5>()), of_size<5, 6>(), tile_by<2, 4>(of_size<3, 6>()));
  check_both<"ik,kj->ij", double>(of_size<17, 17>(), of_size<17, 17>(), of_size<17, 17>(), 9);
  check_both<"ik,kj->ij", float>(of_size<70, 65>(), of_size<65, 50>(), of_size<70, 50>(), 3);
  check_both<"ik,kj->ij", double>(of_size(70, 65), of_size(65, 50), of_size(70, 50), 3);
}

TEST_CASE("gpu group: shared tables and kernel (9)", "[gpu][group][sanitize]") {
  if (no_gpu()) return;
  const index_t count = 21;
  auto table = place<double>(of_size<4, 3>(), 1, 1);
  auto d = place<double>(of_size<3, 4, 2>(), count, 2);
  auto out = place<double>(of_size<3, 3, 2, 3>(), count, 3);
  const auto shared = table.together(0);
  const contraction what("si,sj,ksl->kilj");
  auto one = make_tensor<double>(of_size<4, 3>());
  std::copy(table.host.begin(), table.host.end(), one.begin());
  const entries<double> b = testing::read(one.view());
  const wanted_result wanted =
      by_definition<double>(what, {b, b, testing::read(d.host.view())}, testing::read(out.host.view()));
  contract<"si,sj,ksl->kilj">(shared, shared, d.apart, out.apart);
  CHECK(count_different(out.read_group(), wanted) == 0);
  out.reset();
  auto many = make_group<double>(gpu, of_size<4, 3>());
  for (index_t i = 0; i < count; ++i) many.push_back(shared);  // an input may be there many times
  contract<"si,sj,ksl->kilj">(many, shared, d.together, out.apart);
  CHECK(count_different(out.read_group(), wanted) == 0);
  out.reset();
  const plan p = make_plan(what, shared, shared, d.apart, out.apart);
  p.run(many, shared, d.apart, out.apart);
  CHECK(count_different(out.read_group(), wanted) == 0);
  CHECK(p.describe().find("cuda") != std::string::npos);
}

TEST_CASE("gpu group: the bits are those of a batch that the same row runs", "[gpu][group]") {
  if (no_gpu()) return;
  CHECK(same_bits<double>(of_size<5, 5>(), 33));
  CHECK(same_bits<float>(of_size<12, 12>(), 33));
  CHECK(same_bits<double>(of_size(9, 9), 33));
}

TEST_CASE("gpu group: a user's array of pointers in device memory", "[gpu][group][sanitize]") {
  if (no_gpu()) return;
  auto a = place<double>(of_size<5, 3>(), 10, 1);
  auto b = place<double>(of_size<3, 4>(), 10, 2);
  auto out = place<double>(of_size<5, 4>(), 10, 3);
  const auto pointers_of = [](const auto& all) {
    std::vector<double*> p;
    for (const auto& member : all) p.push_back(member.data());
    return p;
  };
  const std::vector<double*> left = pointers_of(a.apart), result = pointers_of(out.apart);
  device_entries<double*> device_left(left), device_result(result);
  const auto x = view_group(gpu, device_left.data(), of_size<5, 3>(), 10);
  const auto z = view_group(gpu, device_result.data(), of_size<5, 4>(), 10);
  const wanted_result wanted = defined("ik,kj->ij", assign, a.host, b.host, out.host);
  contract<"ik,kj->ij">(x, b.apart, z);
  CHECK(count_different(out.read_group(), wanted) == 0);
  out.reset();
  make_plan(contraction("ik,kj->ij"), x, b.together, z).run(x, b.together, z);
  CHECK(count_different(out.read_group(), wanted) == 0);

  check_failure(status::wrong_space, {"ik,kj->ij", "input 1", "5x3", "not in device memory"},
                [&] { contract<"ik,kj->ij">(view_group(gpu, left.data(), of_size<5, 3>(), 10), b.apart, z); });
  const plan p = make_plan(contraction("ik,kj->ij"), x, b.together, z);
  check_failure(status::wrong_space, {"array of addresses of the left operand"},
                [&] { p.run(view_group(gpu, left.data(), of_size<5, 3>(), 10), b.together, z); });
  check_failure(status::wrong_space, {"copy", "in device memory only"}, [&] { copy(x, a.host); });
}

TEST_CASE("gpu group: captured launches read the members on replay; nothing is allocated", "[gpu][group]") {
  if (no_gpu()) return;
  auto a = place<double>(of_size<5, 3>(), 12, 1);
  auto b = place<double>(of_size<3, 4>(), 12, 2);
  auto out = place<double>(of_size<5, 4>(), 12, 3), other = place<double>(of_size<5, 4>(), 12, 4);
  const contraction what("ik,kj->ij");
  const plan p = make_plan(what, a.apart, b.apart, out.apart);
  b.apart.view();
  other.apart.view();
  stream on;
  const auto queue = static_cast<cudaStream_t>(stream_view(on).handle());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  const std::size_t before = allocation_count();
  REQUIRE(cudaStreamBeginCapture(queue, cudaStreamCaptureModeGlobal) == cudaSuccess);
  p.run_on(on, a.apart, b.apart, out.apart);
  contract<"ik,kj->ij">(a.apart, b.apart, other.apart, on);
  REQUIRE(cudaStreamEndCapture(queue, &graph) == cudaSuccess);
  CHECK(allocation_count() == before);
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  testing::fill_integers(a.host.view(), 7);
  a.reset();
  const wanted_result wanted = defined("ik,kj->ij", assign, a.host, b.host, out.host);
  REQUIRE(cudaGraphLaunch(ready, queue) == cudaSuccess);
  on.synchronize();
  CHECK(count_different(out.read_group(), wanted) == 0);
  CHECK(count_different(other.read_group(), wanted) == 0);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

TEST_CASE("gpu group: beta = 0 never reads, empty groups do nothing, a group grows", "[gpu][group][sanitize]") {
  if (no_gpu()) return;
  auto a = place<double>(of_size<5, 3>(), 4, 1);
  auto b = place<double>(of_size<3, 4>(), 4, 2);
  auto out = place<double>(of_size<5, 4>(), 4, 3);
  const wanted_result wanted = defined("ik,kj->ij", assign, a.host, b.host, out.host);
  std::fill(out.host.begin(), out.host.end(), std::nan(""));
  out.reset();
  contract<"ik,kj->ij">(a.apart, b.apart, out.apart);
  CHECK(count_different(out.read_group(), wanted) == 0);
  const auto none_a = make_group<double>(gpu, of_size<5, 3>());
  const auto none_b = make_group<double>(gpu, of_size<3, 4>());
  const auto none = make_group<double>(gpu, of_size<5, 4>());
  contract<"ik,kj->ij">(none_a, none_b, none);
  make_plan(contraction("ik,kj->ij"), none_a, none_b, none).run(none_a, none_b, none);

  auto grown = make_group<double>(gpu, of_size<5, 4>());
  for (index_t i = 0; i < 4; ++i) {
    out.reset();
    grown.push_back(out.apart(i));
    const auto first = [&](const auto& all) { return view_batch(gpu, all.data(), all.layout(), i + 1); };
    contract<"ik,kj->ij">(first(a.together), first(b.together), grown);
    const std::vector<double> got = out.read_group().value;
    for (std::size_t e = 0; e < got.size(); ++e)
      CHECK((e < std::size_t(20 * (i + 1)) ? got[e] == double(wanted.value[e]) : std::isnan(got[e])));
  }
}

TEST_CASE("gpu group: what is refused, with nothing written", "[gpu][group]") {
  if (no_gpu()) return;
  auto a = place<double>(of_size(3, 2), 4, 1);
  auto b = place<double>(of_size(2, 3), 4, 2);
  auto out = place<double>(of_size(3, 3), 4, 3);
  const plan p = make_plan(contraction("ik,kj->ij"), a.together, b.together, out.together);
  const entries<double> before = out.read_group();
  const auto refused = [&](status code, std::initializer_list<std::string_view> words, const auto& x, const auto& y,
                           const auto& z) {
    check_failure(code, words, [&] { contract<"ik,kj->ij">(x, y, z); });
    check_failure(code, words, [&] { p.run(x, y, z); });
    CHECK(out.read_group().value == before.value);
  };
  auto fewer = make_group<double>(gpu, of_size(3, 2));
  for (index_t i = 0; i < 3; ++i) fewer.push_back(a.apart(i));
  refused(status::shape_mismatch, {"3x2, 2x3 -> 3x3", "input 1 is a group of 3"}, fewer, b.apart, out.apart);
  auto twice = out.apart;
  twice.push_back(out.apart(1));
  auto five_a = place<double>(of_size(3, 2), 5, 1);
  auto five_b = place<double>(of_size(2, 3), 5, 2);
  refused(status::overlap, {"3x2, 2x3 -> 3x3", "members 1 and 4 of the output's group"}, five_a.apart, five_b.apart,
          twice);
  auto inside = make_group<double>(gpu, of_size(3, 2));
  for (index_t i = 0; i < 4; ++i) inside.push_back(i == 2 ? view(gpu, out.apart(3).data(), of_size(3, 2)) : a.apart(i));
  refused(status::overlap, {"overlaps input 1", "member 3 of the output's group", "member 2 of the input's"}, inside,
          b.apart, out.apart);

  std::vector<double> host(6);
  auto misplaced = make_group<double>(gpu, of_size(3, 2));
  misplaced.push_back(a.apart(0));
  misplaced.push_back(view(gpu, host.data(), of_size(3, 2)));
  refused(status::wrong_space, {"group", "member 1", "3x2", "not in device memory"}, misplaced, b.apart, out.apart);
}
