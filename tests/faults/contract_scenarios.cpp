// SPDX-License-Identifier: BSD-3-Clause
// contract<>: of static and run-time sizes, of several layouts and types, over batches and groups.
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include "scenario.hpp"
#include "testing/scattered.hpp"

namespace tessera::faults {

namespace {

constexpr index_t count = 301;  // enough for two threads

// Known to no header of the library.
struct by_rows {
  index_t rows, cols;
  constexpr auto extents() const { return of_size(rows, cols); }
  constexpr index_t offset(index_t i, index_t j) const { return i * cols + j; }
};

template <class T, class A, class B, class C>
named_scenario product(const std::string& name, A a_layout, B b_layout, C c_layout) {
  return {"contract<>, " + name, [=](int) {
            struct memory {
              std::vector<T> a = numbers<T>(32 * count, 1), b = numbers<T>(32 * count, 2);
              std::vector<T> c = std::vector<T>(32 * count);
            };
            const auto m = std::make_shared<memory>();
            return scenario{[=](said& words) {
                              // It need not allocate.
                              words.add(std::string(100, '.'));
                              contract<"ik,kj->ij">(view_batch(m->a.data(), a_layout, count),
                                                    view_batch(m->b.data(), b_layout, count),
                                                    view_batch(m->c.data(), c_layout, count), add);
                            },
                            {bytes_of(m->c)}};
          }};
}

// The group is made in the call.
named_scenario over_groups() {
  return {"contract<>, groups", [](int) {
            struct memory {
              testing::scattered<double, column_major<extents<4, 4>>> a{column_major(of_size<4, 4>()), count},
                  c{column_major(of_size<4, 4>()), count};
            };
            const auto m = std::make_shared<memory>();
            std::fill(m->a.memory().begin(), m->a.memory().end(), 2.0);
            return scenario{[=](said&) {
                              const auto a = m->a.group();
                              contract<"ik,kj->ij">(a, a, m->c.group());
                            },
                            {bytes_of(m->c.memory())}};
          }};
}

}  // namespace

scenarios contract_scenarios() {
  const auto square = of_size<4, 4>();
  const auto lanes = interleaved<4, column_major<extents<4, 4>>>(column_major(square));
  return {product<double>("static sizes", square, square, square),
          product<float>("sizes of run time", of_size(5, 3), of_size(3, 4), of_size(5, 4)),
          product<double>("interleaved", lanes, lanes, lanes),
          product<double>("a layout of the user's", by_rows{5, 3}, of_size(3, 4), by_rows{5, 4}),
          product<complex<double>>("c64", square, square, square),
          over_groups()};
}

}  // namespace tessera::faults
