// SPDX-License-Identifier: BSD-3-Clause
// What a user's function, layout or allocator throws arrives at the caller, on one thread and on two.
#include <tessera/fem/tessera_fem.h>
#include <tessera/cpu/contract.hpp>
#include <tessera/cpu/element/own_function.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/tessera.hpp>

#include <omp.h>

#include <atomic>
#include <cstdio>

#include "child.hpp"
#include "element_meshes.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::faults;

namespace {

// An exception of the user's, of no type that the library knows.
struct users_own {
  int number;
};

std::atomic<bool> throws{false};
void may_throw() {
  if (throws) throw users_own{7};
}

// What arrived at the caller of `work`, in words; what it does without failures must be as before.
std::string arrives(const std::function<void()>& work) {
  throws = true;
  std::string words = "nothing";
  try {
    work();
  } catch (const users_own& e) {
    words = e.number == 7 ? "" : "another number";
  } catch (const std::exception& e) {
    words = e.what();
  } catch (...) {
    words = "something of another type";
  }
  throws = false;
  return words;
}

// In a child on 1 and on 2 threads: `make` gives the work; then once more without failures.
void check_arrives(const std::function<std::function<void()>()>& make) {
  struct found {
    char words[300];
  };
  for (const int threads : {1, 2}) {
    shared<found> r;
    const std::string end = run_in_child([&] {
      omp_set_num_threads(threads);
      const std::function<void()> work = make();
      work();
      const std::size_t live = live_allocations();
      for (int i = 0; i < 3; ++i) {
        const std::string words = arrives(work);
        if (!words.empty()) std::snprintf(r->words, sizeof r->words, "instead arrives: %s", words.c_str());
        work();
        if (live_allocations() != live) std::snprintf(r->words, sizeof r->words, "memory was lost");
      }
    });
    INFO(threads << " threads: the process " << (end.empty() ? "ended well" : end) << ", " << r->words);
    CHECK(end.empty());
    CHECK(r->words[0] == '\0');
  }
}

// A mass in two dimensions that may throw at a point.
struct throwing_mass {
  static constexpr int dim = 2, factors = 1;
  static constexpr point_shape trial{.value = true}, test{.value = true};
  template <class S>
  void operator()(const at_point<S, 1, 2>& u, const S (&D)[1], at_point<S, 1, 2>& v) const {
    may_throw();
    v.value[0] = D[0] * u.value[0];
  }
};

void at_blocks(const points_block<double>& b, const void*) {
  may_throw();
  for (index_t n = 0; n < b.count; ++n) b.value_out[n] = b.D[n] * b.value[n];
}

extern "C" void from_c(const tessera_point_block* b, void*) {
  may_throw();
  for (index_t n = 0; n < b->count; ++n)
    static_cast<double*>(b->value_out)[n] =
        static_cast<const double*>(b->D)[n] * static_cast<const double*>(b->value)[n];
}

struct mass_memory {
  static constexpr index_t elements = elements_in(2);
  std::vector<double> x = numbers<double>(9 * elements), y = x, D = numbers<double>(16 * elements);
};

std::function<void()> applied(const compiled_function<double>& function) {
  const auto m = std::make_shared<mass_memory>();
  const auto op = std::make_shared<const fem::element_operator<double>>(
      function, m->elements, m->D.data(), fem::element_operator_options{.trial = {.order = 2}, .points = 4});
  return [=] { op->apply(m->x.data(), m->y.data()); };
}

}  // namespace

TEST_CASE("what a compiled function throws arrives", "[faults]") {
  check_arrives([] { return applied(own_function<double>(throwing_mass{}, "throwing mass")); });
}

TEST_CASE("what a function of blocks throws arrives", "[faults]") {
  check_arrives([] {
    return applied({.name = "blocks",
                    .dim = 2,
                    .factors = 1,
                    .trial = {.value = true},
                    .test = {.value = true},
                    .at_points = at_blocks});
  });
}

TEST_CASE("what a C callback throws is an internal error", "[faults]") {
  check_arrives([] {
    const auto m = std::make_shared<mass_memory>();
    tessera_element_options o = tessera_element_defaults("mass", 2, 2);
    tessera_element_function f{};
    f.dim = 2;
    f.components = f.test_components = f.takes_value = f.gives_value = f.factors = 1;
    f.at_points = from_c;
    tessera_element_operator* made = nullptr;
    if (tessera_element_create_from_function(&made, &o, &f, m->elements, m->D.data()) != TESSERA_OK)
      throw std::runtime_error(tessera_last_error());
    return std::function<void()>([=] {
      const tessera_status code = tessera_element_apply(made, m->x.data(), m->y.data(), 0, nullptr);
      if (code == TESSERA_INTERNAL) throw users_own{7};
      if (code != TESSERA_OK) throw std::runtime_error(tessera_last_error());
    });
  });
}

TEST_CASE("what an allocator throws arrives", "[faults]") {
  check_arrives([] {
    const allocator own = {[](space_kind, std::size_t bytes) {
                             may_throw();
                             return std::aligned_alloc(host_alignment, (bytes + 63) / 64 * 64);
                           },
                           [](space_kind, void* memory) { std::free(memory); }};
    set_allocator(own);
    return std::function<void()>([] {
      const auto corners = box_corners<double>(2, 80);
      const fem::element_nodes<double> nodes{.dim = 2, .elements = 80, .coordinates = corners.data()};
      const fem::element_operator<double> op(nodes, {.kind = operator_kind::diffusion, .trial = {.order = 2}});
    });
  });
}

TEST_CASE("what an allocator throws arrives from a tensor and a batch", "[faults]") {
  check_arrives([] {
    set_allocator({[](space_kind, std::size_t bytes) {
                     if (bytes > 64) may_throw();
                     return std::aligned_alloc(host_alignment, (bytes + 63) / 64 * 64);
                   },
                   [](space_kind, void* memory) { std::free(memory); }});
    return std::function<void()>([] {
      const auto small = make_tensor<double>(of_size(2, 2));
      const auto large = make_batch<double>(of_size(5, 3), 9);
    });
  });
}

namespace {

// By rows, and may throw where an offset is asked for.
struct throwing_layout {
  index_t rows, cols;
  constexpr auto extents() const { return of_size(rows, cols); }
  index_t offset(index_t i, index_t j) const {
    may_throw();
    return i * cols + j;
  }
};

}  // namespace

TEST_CASE("what a layout throws arrives", "[faults]") {
  check_arrives([] {
    constexpr index_t count = 301;
    const auto a = std::make_shared<std::vector<double>>(numbers<double>(15 * count));
    const auto c = std::make_shared<std::vector<double>>(std::size_t(25 * count));
    return std::function<void()>([=] {
      contract<"ik,jk->ij">(view_batch(a->data(), throwing_layout{5, 3}, count),
                            view_batch(a->data(), of_size(5, 3), count), view_batch(c->data(), of_size(5, 5), count));
    });
  });
}
