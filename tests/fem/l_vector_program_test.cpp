// SPDX-License-Identifier: BSD-3-Clause
// Kernels from and to L-vectors, on the host: patches step by step, then the sums of what they share. The same bits for
// any patches, steps and parts, and what gather, elements and scatter give.
#include "element_program_case.hpp"
#include "global_sums.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/l_vector.cuh>

#include <random>
#include <vector>

#include "src/element/patch_steps.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::patch_request;
using tessera::detail::patch_steps;
using tessera::detail::restriction_state;
using tessera::detail::steps_of;

std::shared_ptr<const restriction_state> state_of(const unknowns& u) {
  auto made = std::make_shared<restriction_state>();
  made->elements = u.elements;
  made->entries = u.entries;
  made->size = u.size;
  made->stride = u.stride;
  made->components = u.components;
  made->signs = u.negative == negative_offset::sign;
  made->narrow = u.offsets;
  made->constrained = u.constrained;
  return made;
}

// y of the second kernel.
template <class T>
void add_up(const patch_steps& p, const restriction_state& r, const std::vector<T>& terms, const std::vector<T>& x,
            bool add, std::vector<T>& y) {
  for (const auto& g : p.sums.groups)
    for (index_t s = g.first; s < g.last; ++s)
      for (int c = 0; c < p.sums.components; ++c) {
        T& there = y[at(p.sums.numbers[at(s)] + c * r.stride)];
        for (index_t t = 0; t < g.count; ++t) {
          const T term = terms[at(p.sums.terms[at(g.term + s - g.first + t * (g.last - g.first))] + c * p.terms)];
          there = t == 0 && !add ? term : there + term;
        }
      }
  for (const index_t k : p.untouched)
    if (!add) y[at(k)] = T(0);
  for (const index_t k : r.constrained) y[at(k)] = add ? y[at(k)] + x[at(k)] : x[at(k)];
}

template <class T, class Function, program_sizes s>
class l_vector_case {
  using code = std::uint32_t;
  using loader = device::l_vector_loader<T, code>;
  using storer = device::l_vector_storer<T, code, device::terms_in_places>;
  using run = program_run<T, T, Function, s, loader, storer>;
  static constexpr int components = Function::trial.components;
  static constexpr index_t n = device::power_of(s.p + 1, Function::dim), points = device::power_of(s.q, Function::dim);
  static constexpr index_t of_D = points * Function::factors;

 public:
  explicit l_vector_case(const unknowns& u)
      : u_(u), state_(state_of(u)), x_(seeded<T>(u.size, 3)), before_(seeded<T>(u.size, 5)) {}

  void check() {
    for (const bool add : {false, true}) {
      const std::vector<T> wanted = by_elements(add);
      std::vector<T> first;
      for (const index_t most : {1, 3, 8, 100})
        for (const index_t step : {1, 2, 5})
          for (const int parts : {1, 3}) {
            const std::vector<T> y = by_patches(add, most, step, parts);
            if (first.empty()) {
              first = y;
              CHECK(is_near(y, wanted));
            }
            CHECK(y == first);
          }
    }
  }

 private:
  std::vector<T> by_patches(bool add, index_t most, index_t step, int parts) {
    std::vector<int> part;
    std::vector<index_t> counts(at(parts));
    for (index_t e = 0; e < u_.elements && parts > 1; ++e) part.push_back(int(e * e % parts));
    for (index_t e = 0; e < u_.elements; ++e) ++counts[at(parts > 1 ? part[at(e)] : 0)];
    const patch_request request{state_, state_, {.patch_elements = most, .part = part, .parts = parts}, counts};
    const std::shared_ptr<const patch_steps> p = steps_of(request, step);
    CHECK(p->most <= most);
    std::vector<T> D, y = before_, terms(at(p->terms * components), std::numeric_limits<T>::quiet_NaN());
    for (const index_t e : p->order) D.insert(D.end(), D_.begin() + of_D * e, D_.begin() + of_D * (e + 1));
    std::vector<code> outer(p->outer.begin(), p->outer.end());
    typename run::arguments a{.x = x_.data(), .y = y.data(), .D = D.data()};
    a.x_layout = device::l_vector_codes<code>{p->y.codes.narrow.data(), outer.data(), u_.stride, int(n), p->y.lists};
    a.y_layout = device::l_vector_target<T, code>{a.x_layout, terms.data(), p->terms};
    a.add = add;
    for (std::size_t k = 0; k + 1 < p->first_element.size(); ++k) {
      a.first = p->first_element[k];
      a.count = p->first_element[k + 1] - a.first;
      CHECK(index_t(a.count) <= step);
      run::run(a, k % 2 == 1);
    }
    add_up(*p, *state_, terms, x_, add, y);
    return y;
  }

  // By E-vectors.
  std::vector<T> by_elements(bool add) {
    using by = program_run<T, T, Function, s, device::e_vector_loader<T, true>, device::e_vector_storer<T, true>>;
    const restriction r = u_.made();
    std::vector<T> masked = x_, ex(at(n * components * u_.elements)), ey(ex.size()), sums(at(u_.size)), y = before_;
    for (const index_t k : u_.constrained) masked[at(k)] = T(0);
    r.to_elements(masked.data(), ex.data());
    typename by::arguments a{.x = ex.data(), .y = ey.data(), .D = D_.data()};
    a.x_layout = a.y_layout = element_layout::conventional(n, components);
    a.count = u_.elements;
    by::run(a, false);
    r.add_from_elements(ey.data(), sums.data());
    for (const index_t k : u_.constrained) sums[at(k)] = x_[at(k)];
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = add ? y[k] + sums[k] : sums[k];
    return y;
  }

  static bool is_near(const std::vector<T>& a, const std::vector<T>& b) {
    T largest(0), worst(0);
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(b[k]));
      if (!(std::abs(a[k] - b[k]) <= worst)) worst = std::abs(a[k] - b[k]);
    }
    return worst <= 100 * std::numeric_limits<T>::epsilon() * largest;
  }

  unknowns u_;
  std::shared_ptr<const restriction_state> state_;
  std::vector<T> x_, before_, D_ = seeded<T>(of_D * u_.elements, 4);
};

template <class T, class Function, program_sizes s>
void check_lists() {
  constexpr int components = Function::trial.components;
  const int order = s.p;
  unknowns box = shuffled_box(Function::dim, 2, order, components, false, 3);
  l_vector_case<T, Function, s>(box).check();
  for (index_t k = 0; k < box.size; k += 4) box.constrained.push_back(k);
  l_vector_case<T, Function, s>(box).check();
  unknowns any = random_unknowns(11, box.entries, 60, 7);
  any.components = components;
  any.size *= components;
  any.stride = components > 1 ? 60 : 0;
  any.negative = negative_offset::sign;
  for (std::size_t j = 0; j < any.offsets.size(); j += 3) any.offsets[j] = -1 - any.offsets[j];
  l_vector_case<T, Function, s>(any).check();
}

}  // namespace

TEST_CASE("gpu element program: from and to L-vectors, patch by patch", "[fem][element][global]") {
  check_lists<double, pointwise::mass<3>, program_sizes{.p = 2, .q = 4, .last = 1, .elements = 2}>();
  check_lists<float, pointwise::elasticity<2>, program_sizes{.p = 2, .q = 3, .last = 1, .elements = 2}>();
  check_lists<double, pointwise::diffusion<3>,
              program_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .direct = true, .staged = true}>();
  check_lists<float, pointwise::mass<3>, program_sizes{.p = 3, .q = 4, .last = 2, .elements = 3, .by_plane = true}>();
  check_lists<double, pointwise::diffusion<3>,
              program_sizes{.p = 2, .q = 4, .last = 2, .elements = 4, .direct = true, .by_warp = true}>();
}
