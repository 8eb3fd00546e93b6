// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernel of dense tables on the host: every thread's share, step by step, against the definition.
#pragma once

#include "dense_checks.hpp"
#include "emulated_warp.hpp"

#include <tessera/gpu/element/dense_share.cuh>
#include <tessera/gpu/element/dense_tables.hpp>
#include <tessera/gpu/element/dense_warp_share.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace tessera::testing {

/// d functions, q points, t test functions (0: those of u), and how the kernel goes.
struct dense_share_sizes {
  int d = 1, q = 1, t = 0;
  dense_tuning by{};
  bool several = false, unit = true;
};

/// As device::tensor_warp. What is on its way is there at once.
struct emulated_tools : emulated_products {
  static void meet() { emulated_warp::of_caller().meet(); }
  template <int bytes>
  static void copy(void* to, const void* from) {
    std::memcpy(to, from, bytes);
  }
  static void wait() {}
};

template <bool by_warp, class T, class Stored, class Function, class Form, bool Several, bool Unit>
struct dense_share_here {
  using type = device::dense_share<T, Stored, Function, Form, Several, Unit>;
};
template <class T, class Stored, class Function, class Form, bool Several, bool Unit>
struct dense_share_here<true, T, Stored, Function, Form, Several, Unit> {
  using type = device::dense_warp_share<emulated_tools, T, Stored, Function, Form, Several, Unit>;
};

template <class T, class Stored, class Function, dense_share_sizes s>
class dense_share_case {
  static constexpr int dim = Function::dim, tests_of = s.t > 0 ? s.t : s.d;
  using form = device::dense_form<dim, s.d, s.q, tests_of, s.by.lanes, s.by.groups, s.by.elements, s.by.points, 1,
                                  s.by.ahead, s.by.by_warp>;
  using share = typename dense_share_here<s.by.by_warp, T, Stored, Function, form, s.several, s.unit>::type;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr index_t nx = s.d, ny = tests_of, points = s.q, factors = Function::factors;
  static constexpr dense_room room{{s.d, s.q, tests_of, trials, tests, slots_of(Function::trial, dim),
                                    slots_of(Function::test, dim), Function::factors, int(sizeof(T))},
                                   s.by};

 public:
  /// Of elements `which` of `count`; the worst entry's error, 1 being what rounding may do. Whatever is written that
  /// should not be, or differs when threads of a step run in another order, counts as infinite.
  static double worst(index_t count, std::vector<index_t> which, bool listed, bool add) {
    const int repeats = s.several ? 2 : 1, sides = s.several ? 2 : 1;
    const std::vector<Stored> D = seeded<Stored>(points * factors * count, 8);
    const element_layout in = s.unit ? element_layout::conventional(nx, trials * repeats)
                                     : element_layout::interleaved(nx, trials * repeats, 3);
    const element_layout out =
        s.unit ? element_layout::conventional(ny, tests * repeats) : element_layout::by_node(ny, tests * repeats);
    const index_t size = (nx + ny) * (trials + tests) * repeats * (count + 3) + 8;
    const std::vector<T> x = seeded<T>(size * sides, 7);
    const std::vector<T> before = add ? seeded<T>(size * sides, 9) : std::vector<T>(at(size * sides), T(-12345));
    device::element_arguments<T> a{.x = x.data(),
                                   .D = D.data(),
                                   .x_layout = in,
                                   .y_layout = out,
                                   .list = listed ? which.data() : nullptr,
                                   .first = which.empty() ? 0 : which.front(),
                                   .count = index_t(which.size()),
                                   .x_side = size,
                                   .y_side = size,
                                   .repeats = repeats,
                                   .sides = sides,
                                   .add = add};
    std::vector<T> forth = before, back = before, wanted = before;
    a.y = forth.data();
    run(a, false);
    a.y = back.data();
    run(a, true);
    if (forth != back) return std::numeric_limits<double>::infinity();

    worst_error worst;
    const dense_reference<Function> reference(element());
    std::vector<double> own(at(points * factors)), xe(at(nx * trials));
    for (int r = 0; r < sides; ++r)
      for (const index_t e : which)
        for (int repeat = 0; repeat < repeats; ++repeat) {
          for (index_t k = 0; k < points; ++k)
            for (index_t f = 0; f < factors; ++f)
              own[at(f + factors * k)] = double(D[at(k + points * (f + factors * e))]);
          for (int c = 0; c < trials; ++c)
            for (index_t i = 0; i < nx; ++i)
              xe[at(i + nx * c)] = double(x[at(size * r + in.offset(i, repeat * trials + c, e))]);
          const auto y = reference.apply(xe.data(), own.data()), sizes = reference.magnitudes(xe.data(), own.data());
          for (int c = 0; c < tests; ++c)
            for (index_t i = 0; i < ny; ++i) {
              const index_t here = size * r + out.offset(i, repeat * tests + c, e);
              const double old = add ? double(before[at(here)]) : 0;
              worst.count(double(forth[at(here)]), old + y[at(i + ny * c)],
                          (long double)gamma<T>(reference.roundings() + 1) *
                              (sizes[at(i + ny * c)] + std::abs((long double)old)));
              wanted[at(here)] = forth[at(here)];
            }
        }
    return forth == wanted ? worst.of_bound() : std::numeric_limits<double>::infinity();
  }

 private:
  static fem::dense_element element() { return random_tables(dim, {s.d, s.q, s.t}, 21); }

  static void run(const device::element_arguments<T>& a, bool descending) {
    const fem::dense_element e = element();
    const auto trial = device::trial_table_of<T>(room, e.trial, Function::trial, dim);
    const auto test = device::test_table_of<T>(room, e.test ? *e.test : e.trial, Function::test, dim);
    const device::dense_tables<T> tables{trial.data(), test.data()};
    const Function function{};
    struct alignas(16) piece {
      T at[16 / sizeof(T)];
    };
    for (index_t block = 0; block * share::elements_of_block < a.count; ++block) {
      std::vector<piece> memory(at(share::shared_entries * index_t(sizeof(T)) / 16 + 1));
      T* const shared = memory.front().at;
      std::fill_n(shared, share::shared_entries, std::numeric_limits<T>::quiet_NaN());
      std::vector<share> all;
      for (int thread = 0; thread < share::threads; ++thread)
        all.emplace_back(a, tables, function, shared, block,
                         descending && !s.by.by_warp ? share::threads - 1 - thread : thread);
      const auto each = [&](const auto& step) {
        for (share& thread : all) step(thread);
      };
      for (int round = 0; round < all.front().rounds(); ++round) {
        if constexpr (s.by.by_warp) {
          by_warps(all, [&](share& lane) { lane.begin(round); });
          by_warps(all, [&](share& lane) { lane.evaluate(); });
          by_warps(all, [&](share& lane) { lane.gather(); });
          by_warps(all, [&](share& lane) { lane.end(); });
          continue;
        } else {
          each([&](share& thread) { thread.begin(round); });
          for (int part = 0; part < share::parts; ++part) {
            each([&](share& thread) { thread.to_points(part); });
            each([&](share& thread) { thread.from_points(part); });
          }
          each([&](share& thread) { thread.end(); });
        }
      }
    }
  }
  // Lanes of a warp compute together, and so run at once.
  template <class Step>
  static void by_warps(std::vector<share>& all, const Step& step) {
    for (std::size_t first = 0; first < all.size(); first += warp_size)
      run_warp([&](int lane) { step(all[first + std::size_t(lane)]); });
  }
};

}  // namespace tessera::testing
