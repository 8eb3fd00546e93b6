// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernel of dense tables on the host: every thread's share, step by step, against the definition.
#pragma once

#include "application_errors.hpp"
#include "dense_checks.hpp"
#include "emulated_warp.hpp"

#include <tessera/gpu/element/dense_share.cuh>
#include <tessera/gpu/element/dense_tables.hpp>
#include <tessera/gpu/element/dense_warp_share.cuh>

#include <algorithm>
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
  static constexpr index_t nx = s.d, ny = tests_of, points = s.q;
  static constexpr dense_room room{{s.d, s.q, tests_of, trials, tests, slots_of(Function::trial, dim),
                                    slots_of(Function::test, dim), Function::factors, int(sizeof(T))},
                                   s.by};

 public:
  /// As worst_of_application.
  static double worst(index_t count, std::vector<index_t> which, bool listed, bool add) {
    const int many = s.several ? 2 : 1;
    return worst_of_application<T, Stored, Function>({nx, ny, points, many, many, s.unit},
                                                     dense_reference<Function>(element()), count, which, listed, add,
                                                     &dense_share_case::run);
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
