// SPDX-License-Identifier: BSD-3-Clause
// Meshes and lists of tests of operators between L-vectors, and y by its definition.
#pragma once

#include "dot_check.hpp"
#include "seeded.hpp"
#include "testing/catch.hpp"

#include <omp.h>

#include <tessera/fem/global_operator.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace tessera::testing {

using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;
using fem::global_operator;

struct thread_count {
  int before = omp_get_max_threads();
  explicit thread_count(int n) { omp_set_num_threads(n); }
  ~thread_count() { omp_set_num_threads(before); }
};

// Sheared boxes of different sizes, apart from each other: D does not depend on what elements share.
template <class T>
std::vector<T> corners(int dim, index_t elements) {
  const int n = 1 << dim;
  std::vector<T> all;
  for (index_t e = 0; e < elements; ++e)
    for (int c = 0; c < dim; ++c)
      for (int i = 0; i < n; ++i) {
        double x = 0;
        for (int a = 0; a < dim; ++a)
          x += double(i >> a & 1) * (a == c ? 1 + 0.125 * double(e % 5) : 0.0625 * double(e % 3));
        all.push_back(T(x));
      }
  return all;
}

struct unknowns {
  index_t elements, entries, size;
  int components = 1;
  index_t stride = 0;
  std::vector<std::int32_t> offsets;
  negative_offset negative = negative_offset::refused;
  std::vector<index_t> constrained{};

  restriction made() const {
    return restriction({.elements = elements,
                        .entries = entries,
                        .components = components,
                        .size = size,
                        .offsets = offsets.data(),
                        .component_stride = stride,
                        .negative = negative,
                        .constrained = constrained});
  }
};

// Of a box, shuffled as meshes of codes are; some numbers belong to no element.
inline unknowns shuffled_box(int dim, index_t cells, int order, int components, bool interleaved, std::uint32_t seed) {
  const restriction box = restriction::box({.dim = dim, .cells = {cells, cells + 1, cells}, .order = order});
  const index_t nodes = box.size() + 3;
  std::vector<std::int32_t> name(at(nodes));
  std::iota(name.begin(), name.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(name.begin(), name.end(), random);
  std::vector<index_t> elements(at(box.elements()));
  std::iota(elements.begin(), elements.end(), index_t(0));
  std::shuffle(elements.begin(), elements.end(), random);
  unknowns u{box.elements(), box.entries(), nodes * components, components};
  u.stride = components == 1 ? 0 : interleaved ? 1 : nodes;
  for (const index_t e : elements)
    for (index_t i = 0; i < u.entries; ++i)
      u.offsets.push_back(name[at(box.offset(i, e))] * (interleaved ? components : 1));
  return u;
}

// Numbers at random: several elements, or entries of one, have the same.
inline unknowns random_unknowns(index_t elements, index_t entries, index_t size, std::uint32_t seed) {
  unknowns u{elements, entries, size};
  std::mt19937 random(seed);
  for (index_t j = 0; j < elements * entries; ++j) u.offsets.push_back(std::int32_t(random() % std::uint32_t(size)));
  return u;
}

// y (+)= G^T A G x by its definition, terms in that order of elements.
template <class T>
std::vector<T> expected(const element_operator<T>& A, const unknowns& in, const unknowns& out,
                        std::span<const index_t> order, const std::vector<T>& x, const std::vector<T>& y_before,
                        bool add, constrained_rows rows) {
  const auto fixed = [](const unknowns& u, index_t k) {
    return std::find(u.constrained.begin(), u.constrained.end(), k) != u.constrained.end();
  };
  const auto number = [](const unknowns& u, index_t i, index_t c, index_t e) {
    const index_t k = u.offsets[at(i + u.entries * e)];
    return (k < 0 ? -1 - k : k) + c * u.stride;
  };
  const auto sign = [](const unknowns& u, index_t i, index_t e) {
    return u.negative == negative_offset::sign && u.offsets[at(i + u.entries * e)] < 0 ? T(-1) : T(1);
  };
  std::vector<T> of_x, of_y(at(out.elements * out.entries * out.components));
  for (index_t e = 0; e < in.elements; ++e)
    for (int c = 0; c < in.components; ++c)
      for (index_t i = 0; i < in.entries; ++i) {
        const index_t k = number(in, i, c, e);
        of_x.push_back(fixed(in, k) ? T(0) : sign(in, i, e) * x[at(k)]);
      }
  A.apply(of_x.data(), of_y.data());
  std::vector<T> sums(at(out.size)), y = y_before;
  for (const index_t e : order)
    for (int c = 0; c < out.components; ++c)
      for (index_t i = 0; i < out.entries; ++i)
        sums[at(number(out, i, c, e))] += sign(out, i, e) * of_y[at(i + out.entries * (c + out.components * e))];
  for (index_t k = 0; k < out.size; ++k) {
    const T here = !fixed(out, k) ? sums[at(k)] : rows == constrained_rows::identity ? x[at(k)] : T(0);
    y[at(k)] = add ? y[at(k)] + here : here;
  }
  return y;
}

template <class T>
void check_sums(const element_operator_options& o, int dim, const unknowns& in, const unknowns& out,
                constrained_rows rows = constrained_rows::identity, bool once = false) {
  const std::vector<T> nodes = corners<T>(dim, in.elements);
  const fem::element_nodes<T> mesh{
      .dim = dim, .order = 1, .elements = in.elements, .coordinates = nodes.data(), .coefficients = {}};
  const element_operator<T> A(mesh, o);
  const restriction to_x = in.made(), to_y = &in == &out ? to_x : out.made();
  const std::vector<T> x = seeded<T>(in.size, 5), before = seeded<T>(out.size, 6);
  std::vector<int> split(at(in.elements));
  std::mt19937 random(9);
  for (int& part : split) part = int(random() % 3);
  std::optional<double> first_dot;
  for (const element_order order : {element_order::close, element_order::as_given}) {
    if (once && order != element_order::close) continue;
    std::vector<T> wanted[2];
    for (const index_t most : {0, 1, 24}) {
      if (once && most != 0) continue;
      for (const bool parts : {false, true}) {
        const patch_options patches{.order = order,
                                    .patch_elements = most,
                                    .part = parts ? std::span<const int>(split) : std::span<const int>()};
        const global_operator<T> global(mesh, to_x, to_y, o, patches);
        for (const bool add : {false, true}) {
          // Sums go by the order without parts.
          if (wanted[add].empty()) wanted[add] = expected(A, in, out, global.kernel().order(), x, before, add, rows);
          for (const int threads : {1, 2, 5}) {
            if (once && threads != 2) continue;
            const thread_count running(threads);
            std::vector<T> y = before;
            global.apply({.x = x.data(), .y = y.data(), .add = add, .rows = rows});
            INFO(global.describe() << ", " << threads << " threads, " << (parts ? "in parts" : "whole"));
            CHECK(y == wanted[add]);
            if (add || in.size != out.size) continue;
            double dot = std::nan("");
            y = before;
            global.apply({.x = x.data(), .y = y.data(), .rows = rows, .dot = &dot});
            CHECK(y == wanted[false]);
            CHECK(is_dot(dot, x, y));
            if (&in == &out && !first_dot) first_dot = dot;
            if (&in == &out) CHECK(dot == *first_dot);
          }
        }
      }
    }
  }
}

inline element_operator_options options_of(operator_kind kind, int order, target on, element_form form) {
  return {.kind = kind, .trial = {.order = order}, .points = order + 2, .form = form, .on = on};
}

}  // namespace tessera::testing
