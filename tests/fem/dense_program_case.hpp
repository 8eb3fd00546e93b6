// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernel of dense tables on the host: every thread's program, step by step, against the definition.
#pragma once

#include "application_errors.hpp"
#include "dense_checks.hpp"
#include "emulated_warp.hpp"

#include <tessera/gpu/detail/element/dense_program.cuh>
#include <tessera/gpu/detail/element/dense_tables.hpp>
#include <tessera/gpu/detail/element/dense_warp_program.cuh>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace tessera::testing {

/// d functions, q points, t test functions (0: those of u), and how the kernel goes.
struct dense_program_sizes {
  int d = 1, q = 1, t = 0;
  dense_tuning by{};
  bool several = false, unit = true;
};

/// As device::tensor_warp. Copies are complete at once.
struct emulated_tools : emulated_products {
  static void sync() { emulated_warp::of_caller().meet(); }
  template <int bytes>
  static void copy(void* to, const void* from) {
    std::memcpy(to, from, bytes);
  }
  static void wait() {}
};

template <bool by_warp, class T, class Stored, class Function, class Form, bool Several, class Loader, class Storer>
struct dense_program_here {
  using type = device::dense_program<T, Stored, Function, Form, Several, Loader, Storer>;
};
template <class T, class Stored, class Function, class Form, bool Several, class Loader, class Storer>
struct dense_program_here<true, T, Stored, Function, Form, Several, Loader, Storer> {
  using type = device::dense_warp_program<emulated_tools, T, Stored, Function, Form, Several, Loader, Storer>;
};

template <class T, class Stored, class Function, dense_program_sizes s>
class dense_program_case {
  static constexpr int dim = Function::dim, tests_of = s.t > 0 ? s.t : s.d;
  using form = device::dense_form<dim, s.d, s.q, tests_of, s.by.lanes, s.by.groups, s.by.elements, s.by.points, 1,
                                  s.by.ahead, s.by.by_warp>;
  using program =
      typename dense_program_here<s.by.by_warp, T, Stored, Function, form, s.several,
                                  device::e_vector_loader<T, s.unit>, device::e_vector_storer<T, s.unit>>::type;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr index_t nx = s.d, ny = tests_of, points = s.q;
  static constexpr dense_layout layout{{s.d, s.q, tests_of, trials, tests, slots_of(Function::trial, dim),
                                        slots_of(Function::test, dim), Function::factors, int(sizeof(T))},
                                       s.by};

 public:
  /// As worst_of_application.
  static double worst(index_t count, std::vector<index_t> which, bool listed, bool add) {
    const int many = s.several ? 2 : 1;
    return worst_of_application<T, Stored, Function>({nx, ny, points, many, many, s.unit},
                                                     dense_reference<Function>(element()), count, which, listed, add,
                                                     &dense_program_case::run);
  }

 private:
  static fem::dense_element element() { return random_tables(dim, {s.d, s.q, s.t}, 21); }

  static void run(const device::element_arguments<T>& a, bool descending) {
    const fem::dense_element e = element();
    const auto trial = device::trial_table_of<T>(layout, e.trial, Function::trial, dim);
    const auto test = device::test_table_of<T>(layout, e.test ? *e.test : e.trial, Function::test, dim);
    const device::dense_tables<T> tables{trial.data(), test.data()};
    const Function function{};
    struct alignas(16) piece {
      T at[16 / sizeof(T)];
    };
    for (index_t block = 0; block * program::elements_of_block < a.count; ++block) {
      std::vector<piece> memory(at(program::shared_entries * index_t(sizeof(T)) / 16 + 1));
      T* const shared = memory.front().at;
      std::fill_n(shared, program::shared_entries, std::numeric_limits<T>::quiet_NaN());
      std::vector<program> all;
      for (int thread = 0; thread < program::threads; ++thread)
        all.emplace_back(a, tables, function, shared, block,
                         descending && !s.by.by_warp ? program::threads - 1 - thread : thread);
      const auto each = [&](const auto& step) {
        for (program& thread : all) step(thread);
      };
      for (int round = 0; round < all.front().rounds(); ++round) {
        if constexpr (s.by.by_warp) {
          by_warps(all, [&](program& lane) { lane.begin(round); });
          by_warps(all, [&](program& lane) { lane.evaluate(); });
          by_warps(all, [&](program& lane) { lane.gather(); });
          by_warps(all, [&](program& lane) { lane.end(); });
          continue;
        } else {
          each([&](program& thread) { thread.begin(round); });
          for (int part = 0; part < program::parts; ++part) {
            each([&](program& thread) { thread.to_points(part); });
            each([&](program& thread) { thread.from_points(part); });
          }
          each([&](program& thread) { thread.end(); });
        }
      }
    }
  }
  // Lanes of a warp compute together, and so run at once.
  template <class Step>
  static void by_warps(std::vector<program>& all, const Step& step) {
    for (std::size_t first = 0; first < all.size(); first += warp_size)
      run_warp([&](int lane) { step(all[first + std::size_t(lane)]); });
  }
};

}  // namespace tessera::testing
