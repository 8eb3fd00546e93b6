// SPDX-License-Identifier: BSD-3-Clause
// contract<> on the GPU with element types: packed, gathered, run-time sizes, groups; against plans on the CPU.
#include <tessera/gpu/contract.cuh>
#include <tessera/tessera.hpp>

#include <cstring>

#include "testing/catch.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
T number(int i) {
  if constexpr (is_complex<T>)
    return T(complex<float>(float(i % 5 - 2), float(i % 3 - 1)));
  else
    return T(float(i % 7 - 3));
}

template <class T, class Shape>
struct both {
  batch<T, cpu, Shape> host;
  batch<T, gpu, Shape> device;

  both(const Shape& sizes, index_t count) : host(sizes, count), device(sizes, count) {
    int i = 0;
    for (T& x : host) x = number<T>(++i);
    copy(host, device);
  }
  bool agrees() {
    batch<T, cpu, Shape> back(host.extents(), host.count());
    copy(device, back);
    return std::memcmp(back.data(), host.data(), sizeof(T) * std::size_t(back.storage())) == 0;
  }
};
template <class T, class Shape>
both<T, Shape> make_both(const Shape& sizes, index_t count) {
  return both<T, Shape>(sizes, count);
}

template <class In, class Out, class Sum, class A, class B, class C>
bool agree(const A& left, const B& right, const C& result) {
  auto a = make_both<In>(left, 37);
  auto b = make_both<In>(right, 37);
  auto c = make_both<Out>(result, 37);
  const plan wanted = make_plan(contraction("ik,kj->ij", sums_in<Sum>({2, 1})), conj(a.host), b.host, c.host);
  wanted.run(conj(a.host), b.host, c.host);
  contract<"ik,kj->ij">(conj(a.device), b.device, c.device, sums_in<Sum>({2, 1}));
  return c.agrees();
}

}  // namespace

TEST_CASE("gpu types: contract<>, packed matrices of static sizes", "[gpu][sanitize]") {
  if (no_gpu()) return;
  CHECK(agree<complex<float>, complex<float>, complex<float>>(of_size<3, 2>(), of_size<2, 4>(), of_size<3, 4>()));
  CHECK(agree<half, float, float>(of_size<3, 2>(), of_size<2, 4>(), of_size<3, 4>()));
  CHECK(agree<bfloat16, bfloat16, float>(of_size<2, 2>(), of_size<2, 2>(), of_size<2, 2>()));
  CHECK(agree<float, float, double>(of_size<2, 2>(), of_size<2, 2>(), of_size<2, 2>()));
}

TEST_CASE("gpu types: contract<>, sizes known at run time", "[gpu][sanitize]") {
  if (no_gpu()) return;
  CHECK(agree<complex<double>, complex<double>, complex<double>>(of_size(3, 5), of_size(5, 4), of_size(3, 4)));
  CHECK(agree<half, half, float>(of_size(3, 5), of_size(5, 4), of_size(3, 4)));
  CHECK(agree<float, float, double>(of_size(3, 5), of_size(5, 4), of_size(3, 4)));
}

TEST_CASE("gpu types: contract<>, other layouts and a shared table", "[gpu]") {
  if (no_gpu()) return;
  auto a = make_tensor<complex<float>>(tile_by<2, 2>(of_size<3, 2>()));
  auto ga = make_tensor<complex<float>>(gpu, tile_by<2, 2>(of_size<3, 2>()));
  int i = 0;
  for (auto& x : a) x = number<complex<float>>(++i);
  copy(a, ga);
  auto b = make_both<complex<float>>(of_size<2, 2>(), 19);
  auto c = make_both<complex<float>>(of_size<3, 2>(), 19);
  make_plan(contraction("ik,kj->ij"), a, conj(b.host), c.host).run(a, conj(b.host), c.host);
  contract<"ik,kj->ij">(ga, conj(b.device), c.device);
  CHECK(c.agrees());
}
