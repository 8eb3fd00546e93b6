// SPDX-License-Identifier: BSD-3-Clause
// Vectors that are no E-vectors need no kernel of their own: x by a list of indices with signs and masked entries, and
// y to a place of its own for each element's entry, as a sum in a fixed order wants them.
#include "element_program_case.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>

#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;

// Entry i of component c of element e is entry k of the vector, at index[i + nodes (c + components e)]: of x times a
// sign, or zero where k is negative; of y at place[k of the element].
struct indices {
  const int* index = nullptr;
  const signed char* sign = nullptr;
  int nodes = 0, components = 1;

  constexpr index_t first(index_t element, int c) const { return nodes * (c + components * element); }
};

template <class T>
struct indexed_loader {
  using layout = indices;
  static constexpr bool has_pieces = false, has_addresses = false;
  struct loaded {
    const T* data;
    const int* index;
    const signed char* sign;

    constexpr T operator[](int i) const { return index[i] < 0 ? T(0) : T(sign[i]) * data[index[i]]; }
    constexpr loaded starting_at(int i) const { return {data, index + i, sign + i}; }
    template <int n>
    constexpr void load(T (&line)[n], int start, int step) const {
      for (int k = 0; k < n; ++k) line[k] = (*this)[start + k * step];
    }
  };

  const T* data;
  const layout& at;
  index_t side;

  constexpr loaded entries(index_t element, int component, int of_side) const {
    const index_t first = at.first(element, component);
    return {data + of_side * side, at.index + first, at.sign + first};
  }
};

template <class T>
struct indexed_storer {
  using layout = indices;
  static constexpr bool has_pieces = false;
  struct stored {
    T* data;
    const int* index;
    bool add;

    constexpr void put(int i, T value) const {
      T& entry = data[index[i]];
      entry = add ? entry + value : value;
    }
    constexpr stored starting_at(int i) const { return {data, index + i, add}; }
    template <int n>
    constexpr void store(const T (&line)[n], int start, int step) const {
      for (int k = 0; k < n; ++k) put(start + k * step, line[k]);
    }
    template <int n, class Line>
    constexpr void store_if(bool there, const Line& line, int step) const {
      for (int k = 0; k < n && there; ++k) put(k * step, line(k));
    }
  };

  T* data;
  const layout& at;
  index_t side;
  const bool& add;

  constexpr bool adds() const { return add; }
  constexpr stored entries(index_t element, int component, int of_side) const {
    return {data + of_side * side, at.index + at.first(element, component), add};
  }
};

// The same numbers by E-vectors and by indices: the same results, bit for bit.
template <class T, class Function, program_sizes s>
void check() {
  constexpr index_t nx = device::power_of(s.p + 1, Function::dim), ny = device::power_of(s.t(), Function::dim);
  constexpr int trials = Function::trial.components, tests = Function::test.components;
  constexpr index_t elements = 5, points = device::power_of(s.q, Function::dim);
  const index_t all_x = nx * trials * elements, all_y = ny * tests * elements;

  const std::vector<T> x = seeded<T>(all_x, 3), D = seeded<T>(points * Function::factors * elements, 4);
  std::vector<T> gathered(at(all_x));
  std::vector<int> from(at(all_x)), to(at(all_y));
  std::vector<signed char> sign(at(all_x));
  for (index_t i = 0; i < all_x; ++i) {
    from[at(i)] = i % 7 == 0 ? -1 : int(i * i % (all_x / 2));
    sign[at(i)] = i % 3 == 0 ? -1 : 1;
    gathered[at(i)] = from[at(i)] < 0 ? T(0) : T(sign[at(i)]) * x[at(from[at(i)])];
  }
  for (index_t i = 0; i < all_y; ++i) to[at(i)] = int(all_y - 1 - i);

  const std::vector<T> before = seeded<T>(all_y, 5);
  const std::vector<index_t> list{4, 1, 2};
  for (const bool listed : {false, true})
    for (const bool add : {false, true}) {
      std::vector<T> wanted = before, got(before.rbegin(), before.rend());
      const auto by = [&]<class Loader, class Storer>(const T* in, T* out, const typename Loader::layout& in_layout,
                                                      const typename Storer::layout& out_layout) {
        using run = program_run<T, T, Function, s, Loader, Storer>;
        typename run::arguments a{.x = in, .y = out, .D = D.data(), .x_layout = in_layout, .y_layout = out_layout};
        a.list = listed ? list.data() : nullptr;
        a.first = listed ? 0 : 1;
        a.count = listed ? 3 : 4;
        a.add = add;
        run::run(a, false);
      };
      by.template operator()<device::e_vector_loader<T, true>, device::e_vector_storer<T, true>>(
          gathered.data(), wanted.data(), element_layout::conventional(nx, trials),
          element_layout::conventional(ny, tests));
      by.template operator()<indexed_loader<T>, indexed_storer<T>>(
          x.data(), got.data(), {from.data(), sign.data(), int(nx), trials}, {to.data(), nullptr, int(ny), tests});
      CHECK(got == std::vector<T>(wanted.rbegin(), wanted.rend()));
    }
}

}  // namespace

TEST_CASE("gpu element program: x and y by lists of indices", "[fem][element]") {
  check<double, pointwise::mass<3>, program_sizes{.p = 2, .q = 4, .last = 1, .elements = 2}>();
  check<float, pointwise::elasticity<2>, program_sizes{.p = 2, .q = 3, .last = 1, .elements = 2}>();
  check<double, pointwise::diffusion<3>,
        program_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .direct = true, .staged = true}>();
  check<float, pointwise::mass<3>, program_sizes{.p = 3, .q = 4, .last = 2, .elements = 3, .by_plane = true}>();
  check<double, pointwise::diffusion<3>,
        program_sizes{.p = 2, .q = 4, .last = 2, .elements = 4, .direct = true, .by_warp = true}>();
}
