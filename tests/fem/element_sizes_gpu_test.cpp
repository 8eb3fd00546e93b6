// SPDX-License-Identifier: BSD-3-Clause
// Element operators on the GPU: orders of all operators, fewer points than functions, and 10^8 unknowns.
#include "element_checks.hpp"
#include "testing/jit.hpp"
#include "testing/take_worst.hpp"

#include <algorithm>
#include <cmath>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_operator_options;

template <int dim, class T = double>
void check_uncoupled(element_operator_options o, index_t elements) {
  for_each_kind([&]<operator_kind kind>(known_kind<kind>) {
    o.kind = kind;
    if constexpr (coupled_components(kind, dim) == 1) check_definition<T, operator_function<kind, dim>>(o, elements);
  });
}

/// As many numbers as fit, in device memory: `period` over and over again.
template <class T>
class repeated {
 public:
  repeated(const std::vector<T>& period, index_t count) : memory_(space_kind::gpu, entry(count) * sizeof(T)) {
    for (index_t at = 0; at < count; at += index_t(period.size()))
      device::copy(data() + at, period.data(), std::min(period.size(), entry(count - at)) * sizeof(T),
                   device::direction::host_to_device);
  }
  T* data() const { return static_cast<T*>(memory_.data()); }
  std::vector<T> read(index_t first, index_t count) const {
    std::vector<T> some(entry(count));
    device::copy(some.data(), data() + first, some.size() * sizeof(T), device::direction::device_to_host);
    return some;
  }

 private:
  buffer memory_;
};

constexpr index_t period = 4099;  // elements after which x and D begin again

/// Of `elements` elements the first are the definition's, and what follows repeats them to the last bit.
template <class Function>
void check_many(element_operator_options o, index_t elements) {
  const fem::basis functions(o.trial.kind, o.trial.order);
  const reference_element<Function> reference(functions, functions, rule_of(o));
  const index_t n = reference.trial_size(), numbers = reference.points() * Function::factors;
  const std::vector<double> x = seeded<double>(n * period, 1), D = seeded<double>(numbers * period, 2);
  const repeated<double> on_x(x, n * elements);
  const std::vector<double> poison(entry(n * period), std::nan(""));
  const repeated<double> y(poison, n * elements);
  const element_operator<double> A = [&] {
    const repeated<double> on_D(D, numbers * elements);
    return element_operator<double>(Function::dim, elements, on_D.data(), o);
  }();
  INFO(A.describe() << ", " << elements << " elements, " << n * elements << " unknowns");
  CHECK(n * elements >= 100'000'000);
  A.apply(on_x.data(), y.data());
  const std::vector<double> first = y.read(0, n * period);
  double worst = 0;
  for (const index_t e : {index_t(0), index_t(1), period - 1}) {
    const auto wanted = reference.apply(x.data() + n * e, D.data() + numbers * e);
    const auto sizes = reference.magnitudes(x.data() + n * e, D.data() + numbers * e);
    for (index_t i = 0; i < n; ++i) {
      const long double bound = gamma<double>(reference.roundings()) * sizes[entry(i)];
      const long double off = std::abs(first[entry(i + n * e)] - wanted[entry(i)]);
      take_worst(worst, off <= bound ? double(off / bound) : 2.0);
    }
  }
  CHECK(worst <= 1);
  index_t different = 0;
  for (index_t e = period; e < elements; e += period) {
    const std::vector<double> here = y.read(n * e, n * std::min(period, elements - e));
    different += std::equal(here.begin(), here.end(), first.begin()) ? 0 : 1;
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("gpu element operators: high orders of every operator in 3-D", "[fem][element][gpu]") {
  if (absent()) return;
  for (const int p : {4, 5, 7, 8})
    check_all_operators<double, 3>({.trial = {.order = p}, .points = p + 1 + p % 2, .on = target::cuda}, 1);
  check_definition<double, pointwise::diffusion<3>>(
      {.kind = operator_kind::diffusion, .trial = {.order = 12}, .points = 13, .on = target::cuda}, 1);
  check_definition<double, pointwise::mass<3>>({.trial = {.order = 16}, .points = 17, .on = target::cuda}, 1);
}

TEST_CASE("gpu element operators: high orders of every operator in 1-D and 2-D, in float", "[fem][element][gpu]") {
  if (absent()) return;
  for (const int p : {5, 8, 11, 16}) {
    check_all_operators<double, 1>({.trial = {.order = p}, .points = p + 2, .on = target::cuda}, 7);
    check_all_operators<double, 2>({.trial = {.order = p}, .points = p + 1, .on = target::cuda}, 3);
  }
  for (const int p : {5, 8}) check_uncoupled<3, float>({.trial = {.order = p}, .points = p + 1, .on = target::cuda}, 1);
}

TEST_CASE("gpu element operators: fewer points than functions", "[fem][element][gpu]") {
  if (absent()) return;
  for (const int p : {1, 3, 4}) {
    const element_operator_options o{.trial = {.order = p}, .points = p, .on = target::cuda};
    check_all_operators<double, 1>(o, 7);
    check_uncoupled<2>(o, 7);
    check_uncoupled<3>(o, 5);
    if (p == 3) check_uncoupled<3, float>(o, 3);
  }
  check_uncoupled<2>({.trial = {.order = 4},
                      .test = fem::function_space{fem::basis_kind::bernstein, 2},
                      .components = 2,
                      .points = 3,
                      .on = target::cuda},
                     3);
}

TEST_CASE("gpu element operators: 10^8 unknowns", "[fem][element][gpu][.big]") {
  if (absent()) return;
  check_many<pointwise::mass<3>>({.trial = {.order = 8}, .points = 10, .on = target::cuda}, 137'179);
  check_many<pointwise::mass<2>>({.trial = {.order = 3}, .points = 5, .on = target::cuda}, 6'250'003);
  // More than 2^31 numbers in D.
  check_many<pointwise::diffusion<3>>(
      {.kind = operator_kind::diffusion, .trial = {.order = 1}, .points = 3, .on = target::cuda}, 13'500'001);
  check_many<pointwise::diffusion<3>>(
      {.kind = operator_kind::diffusion, .trial = {.order = 4}, .points = 6, .on = target::cuda}, 800'003);
}

TEST_CASE("gpu element matrices: more than 2^31 entries", "[fem][element][gpu][.big]") {
  if (absent()) return;
  // 10^8 unknowns, 2.7 10^9 entries.
  const index_t elements = 3'703'709, size = 27 * 27;
  const std::vector<double> D = seeded<double>(27 * period, 2);
  const element_operator_options o{.trial = {.order = 2}, .points = 3, .on = target::cuda};
  const element_operator<double> A = [&] {
    const repeated<double> on_D(D, 27 * elements);
    return element_operator<double>(3, elements, on_D.data(), o);
  }();
  const repeated<double> M(std::vector<double>(entry(size * period), std::nan("")), size * elements);
  A.assemble(0, elements, M.data());
  const std::vector<double> first = M.read(0, size * period);
  std::vector<double> wanted(entry(size * 2));
  const element_operator<double> on_cpu(3, 2, D.data(), {.trial = {.order = 2}, .points = 3});
  on_cpu.assemble(0, 2, wanted.data());
  double worst = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) take_worst(worst, std::abs(first[i] - wanted[i]));
  CHECK(worst <= 1e-13);
  index_t different = 0;
  for (index_t e = period; e < elements; e += period) {
    const std::vector<double> here = M.read(size * e, size * std::min(period, elements - e));
    different += std::equal(here.begin(), here.end(), first.begin()) ? 0 : 1;
  }
  CHECK(different == 0);
}
