// SPDX-License-Identifier: BSD-3-Clause
// A distributed operator against one of all elements.
#pragma once

#include "processes.hpp"

#include <cmath>

namespace tessera::testing {

template <class T>
void check_near_whole(const std::vector<T>& got, const std::vector<T>& wanted, const char* what) {
  T most(0), off(0);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    most = std::max(most, std::abs(wanted[k]));
    off = std::max(off, std::isfinite(got[k]) ? std::abs(got[k] - wanted[k]) : T(1e30));
  }
  INFO(what << ": off by " << off << " of " << most);
  CHECK(off <= (sizeof(T) == 4 ? T(2e-6) : T(1e-14)) * most);
}

/// Numbers of `apart` are kept as they are: constrained in the whole.
template <class T>
void check_distributed(element_operator_options o, int dim, const unknowns& u, const std::vector<int>& owner, int count,
                       const std::set<index_t>& apart = {}) {
  const bool gpu = o.on == target::cuda;
  const std::vector<T> nodes = corners<T>(dim, u.elements), x = seeded<T>(u.size, 5), before = seeded<T>(u.size, 6);
  const index_t each = dim << dim;
  const auto mesh_of = [&](const std::vector<T>& coordinates) {
    return fem::element_nodes<T>{.dim = dim,
                                 .order = 1,
                                 .elements = index_t(coordinates.size()) / each,
                                 .coordinates = coordinates.data(),
                                 .coefficients = {}};
  };
  unknowns fixed = u;
  fixed.constrained.insert(fixed.constrained.end(), apart.begin(), apart.end());
  element_operator_options on_host = o;
  if (gpu) on_host.on = {};
  const global_operator<T> whole(mesh_of(nodes), fixed.made(), on_host), free(mesh_of(nodes), u.made(), on_host);
  std::vector<T> wanted(x.size()), wanted_sum = before, wanted_diagonal(x.size()), wanted_outside(x.size());
  whole.apply(x.data(), wanted.data());
  whole.add(x.data(), wanted_sum.data());
  whole.diagonal(wanted_diagonal.data());
  std::vector<T> given(x.size(), T(0));
  for (const index_t k : apart) given[at(k)] = x[at(k)];
  free.apply(given.data(), wanted_outside.data());
  for (const index_t k : apart) {
    for (auto* const of : {&wanted, &wanted_diagonal, &wanted_outside}) (*of)[at(k)] = T(0);
    wanted_sum[at(k)] = before[at(k)];
  }

  processes all(u, owner, count, apart);
  std::vector<T> y(x.size()), sum = before, again(x.size()), diagonal(x.size()), outside(x.size());
  std::vector<index_t> outer(at(count)), elements(at(count));
  all.run([&](int r) {
    omp_set_num_threads(1 + r);
    const processes::one& p = all[r];
    const std::vector<T> own_nodes = of_elements(nodes, p.elements, each);
    const fem::distributed_operator<T> A(mesh_of(own_nodes), all.made(r), p.numbers(), o, all.exchange<T>(r));
    outer[at(r)] = A.outer_elements();
    elements[at(r)] = A.outer_elements() + A.inner_elements();
    const placed<T> of_x(part_of(x, p.owned), gpu), of_y(part_of(before, p.owned), gpu),
        of_sum(part_of(before, p.owned), gpu);
    const auto keep = [&](std::vector<T>& to) { put_part(to, p.owned, of_y.read()); };
    A.apply(of_x.data(), of_y.data());
    if (gpu) stream_view().synchronize();
    keep(y);
    A.add(of_x.data(), of_sum.data());
    if (gpu) stream_view().synchronize();
    put_part(sum, p.owned, of_sum.read());
    A.diagonal(of_y.data());
    keep(diagonal);
    std::vector<T> received(p.received.size(), T(0));
    for (const index_t k : p.outside) received.push_back(x[at(k)]);
    A.apply_received(received.data(), of_y.data());
    keep(outside);
    A.apply(of_x.data(), of_y.data());
    if (gpu) stream_view().synchronize();
    keep(again);
  });
  check_near_whole(y, wanted, "y = A x");
  check_near_whole(sum, wanted_sum, "y += A x");
  check_near_whole(diagonal, wanted_diagonal, "the diagonal");
  if (u.constrained.empty()) check_near_whole(outside, wanted_outside, "received from no one");
  CHECK(again == y);
  index_t total = 0;
  for (const index_t n : elements) total += n;
  CHECK(total == u.elements);
  if (count == 1 && apart.empty()) CHECK(outer[0] == 0);
}

/// A box whose elements are as a mesh generator leaves them, in `count` slabs, or dealt at random.
inline std::vector<int> slabs(index_t elements, int count) {
  std::vector<int> owner;
  for (index_t e = 0; e < elements; ++e) owner.push_back(int(e * count / elements));
  return owner;
}
inline std::vector<int> dealt(index_t elements, int count) {
  std::vector<int> owner;
  std::mt19937 random(3);
  for (index_t e = 0; e < elements; ++e) owner.push_back(int(random() % std::uint32_t(count)));
  return owner;
}

inline unknowns plain_box(int dim, index_t cells, int order, int components) {
  const restriction box = restriction::box({.dim = dim, .cells = {cells, cells + 1, 2 * cells}, .order = order});
  unknowns u{box.elements(), box.entries(), box.size() * components, components};
  u.stride = components == 1 ? 0 : 1;
  for (index_t e = 0; e < box.elements(); ++e)
    for (index_t i = 0; i < u.entries; ++i) u.offsets.push_back(std::int32_t(box.offset(i, e) * components));
  return u;
}

}  // namespace tessera::testing
