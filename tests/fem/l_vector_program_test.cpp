// SPDX-License-Identifier: BSD-3-Clause
// Kernels from and to L-vectors, on the host: elements, some at a time, then the sums of their terms. The same bits for
// any parts, and what gather, elements and scatter give.
#include "element_program_case.hpp"
#include "global_sums.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/l_vector.cuh>

#include <random>
#include <vector>

#include "src/element/l_vector_lists.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::l_vector_lists;
using tessera::detail::l_vector_lists_of;
using tessera::detail::patch_request;
using tessera::detail::restriction_state;

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

// Lanes of a warp of sums that have a number.
index_t lanes_of(const std::vector<std::uint32_t>& numbers, index_t warp) {
  constexpr index_t width = tessera::detail::shared_sums::warp;
  const auto first = numbers.begin() + width * warp;
  return std::count_if(first, first + width,
                       [](std::uint32_t n) { return device::number_code<std::uint32_t>::is_there(n); });
}

// y of the second kernel.
template <class T>
void add_up(const l_vector_lists& p, const restriction_state& r, const std::vector<T>& terms, const std::vector<T>& x,
            bool add, std::vector<T>& y) {
  using code = device::number_code<std::uint32_t>;
  constexpr index_t warp = tessera::detail::shared_sums::warp;
  for (std::size_t s = 0; s < p.sums.numbers.narrow.size(); ++s) {
    const std::uint32_t number = p.sums.numbers.narrow[s];
    const index_t lane = index_t(s) % warp, lanes = lanes_of(p.sums.numbers.narrow, index_t(s) / warp);
    const index_t from = p.sums.first[s / at(warp)], end = p.sums.first[s / at(warp) + 1];
    for (int c = 0; c < p.sums.components && code::is_there(number); ++c) {
      T& there = y[at(index_t(number) + c * r.stride)];
      for (index_t t = from + lane; t < end; t += lanes) {
        const std::uint32_t place = p.sums.terms.narrow[at(t)];
        const T term = code::signed_as(place, terms[at(index_t(code::number(place)) + c * p.terms)]);
        there = t < from + lanes && !add ? term : there + term;
      }
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
      for (const index_t at_once : {1, 3, 100})
        for (const int parts : {1, 3}) {
          const std::vector<T> y = by_lists(add, at_once, parts);
          if (first.empty()) {
            first = y;
            CHECK(is_near(y, wanted));
          }
          CHECK(y == first);
        }
    }
  }

 private:
  std::vector<T> by_lists(bool add, index_t at_once, int parts) {
    std::vector<int> part;
    std::vector<index_t> counts(at(parts));
    for (index_t e = 0; e < u_.elements && parts > 1; ++e) part.push_back(int(e * e % parts));
    for (index_t e = 0; e < u_.elements; ++e) ++counts[at(parts > 1 ? part[at(e)] : 0)];
    const patch_request request{state_, state_, {.part = part, .parts = parts}, counts};
    const std::shared_ptr<const l_vector_lists> p = l_vector_lists_of(request);
    std::vector<T> D, y = before_, terms(at(p->terms * components), std::numeric_limits<T>::quiet_NaN());
    for (const index_t e : p->order) D.insert(D.end(), D_.begin() + of_D * e, D_.begin() + of_D * (e + 1));
    typename run::arguments a{.x = x_.data(), .y = y.data(), .D = D.data()};
    a.x_layout = device::l_vector_codes<code>{p->y.codes.narrow.data(), u_.stride, int(n), p->y.lists};
    a.y_layout =
        device::l_vector_target<T, code>{a.x_layout, p->places.data(), terms.data(), p->terms, p->element_terms};
    a.add = add;
    for (a.first = 0; a.first < u_.elements; a.first += at_once) {
      a.count = std::min(at_once, u_.elements - a.first);
      run::run(a, a.first % 2 == 1);
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

TEST_CASE("gpu element program: from and to L-vectors", "[fem][element][global]") {
  check_lists<double, pointwise::mass<3>, program_sizes{.p = 2, .q = 4, .last = 1, .elements = 2}>();
  check_lists<float, pointwise::elasticity<2>, program_sizes{.p = 2, .q = 3, .last = 1, .elements = 2}>();
  check_lists<double, pointwise::diffusion<3>,
              program_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .direct = true, .staged = true}>();
  check_lists<float, pointwise::mass<3>, program_sizes{.p = 3, .q = 4, .last = 2, .elements = 3, .by_plane = true}>();
  check_lists<double, pointwise::diffusion<3>,
              program_sizes{.p = 2, .q = 4, .last = 2, .elements = 4, .direct = true, .by_warp = true}>();
}
