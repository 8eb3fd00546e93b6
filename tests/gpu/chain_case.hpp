// SPDX-License-Identifier: BSD-3-Clause
// A chain's operands on host and device: small integers, so that every order of summation gives the same entries.
#pragma once

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include <tessera/chain.hpp>
#include <tessera/copy.hpp>

#include "gpu/products.hpp"
#include "testing/catch.hpp"

namespace tessera::testing {

/// One array on host and device, and operands over it.
template <class T>
struct both_sides {
  explicit both_sides(std::vector<T> values) : host(std::move(values)), device(host) {}

  /// The entries of `like` on one side; facts, count and stride are like's.
  operand on(bool gpu_side, operand like, index_t first = 0) {
    like.type = scalar_of<T>;
    like.entry_bytes = sizeof(T);
    like.space = gpu_side ? space_kind::gpu : space_kind::cpu;
    like.data = (gpu_side ? device.data() : host.data()) + first;
    return like;
  }

  std::vector<T> host;
  device_entries<T> device;
};

/// A packed tensor of these extents, or a batch of them `gap` entries apart.
inline operand packed_operand(const std::vector<index_t>& extents, index_t count = 0, index_t gap = 0) {
  operand o;
  o.facts.rank = int(extents.size());
  index_t stride = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    o.facts.extent[d] = extents[d];
    o.facts.stride[d] = stride;
    stride *= extents[d];
  }
  o.span = stride;
  o.batched = count > 0;
  o.count = std::max<index_t>(count, 1);
  o.stride = o.batched ? stride + gap : 0;
  return o;
}

/// -1, 0 and 1: exact in float up to p = 8.
template <class T>
std::vector<T> signs(index_t size, unsigned seed) {
  std::vector<T> values;
  for (index_t i = 0; i < size; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(T(int(seed >> 24) % 3 - 1));
  }
  return values;
}

/// y = B^T D B x over elements of unequal extents a direction, in 2-D or 3-D.
struct mass_sizes {
  std::vector<index_t> d, q;
  index_t count = 1;
  double alpha = 1, beta = 0;
  index_t gap = 0;    // between elements of y
  index_t shift = 0;  // entries by which x and y are moved
};

template <class T>
class mass_case {
 public:
  explicit mass_case(const mass_sizes& s)
      : s_(s),
        x_(signs<T>(s.shift + s.count * size(s.d), 1)),
        D_(signs<T>(s.count * size(s.q), 2)),
        y_(signs<T>(s.shift + s.count * (size(s.d) + s.gap), 3)) {
    for (std::size_t a = 0; a < s.d.size(); ++a) tables_.emplace_back(signs<T>(s.q[a] * s.d[a], unsigned(4 + a)));
    // beta = 0 does not read y.
    if (s.beta == 0) {
      for (index_t e = 0; e < s.count; ++e)
        std::fill_n(y_.host.begin() + s.shift + e * (size(s.d) + s.gap), size(s.d),
                    std::numeric_limits<T>::quiet_NaN());
      y_.device.write(y_.host);
    }
  }

  std::vector<chain_step> steps(bool gpu_side) {
    std::vector<operand> B;
    for (std::size_t a = 0; a < s_.d.size(); ++a)
      B.push_back(tables_[a].on(gpu_side, packed_operand({s_.q[a], s_.d[a]})));
    const operand D = D_.on(gpu_side, packed_operand(s_.q, s_.count));
    if (s_.d.size() == 2)
      return {{contraction("kj,aj->ak"), {B[1]}},
              {contraction("kj,jb->kb"), {B[0]}},
              {contraction("ab,ab->ab"), {D}},
              {contraction("ki,ak->ai").scaled(2, 0), {B[1]}},
              {contraction("ki,kb->ib").scaled(s_.alpha, s_.beta), {B[0]}}};
    return {{contraction("kj,abj->abk"), {B[2]}},
            {contraction("kj,ajc->akc"), {B[1]}},
            {contraction("kj,jbc->kbc"), {B[0]}},
            {contraction("abc,abc->abc"), {D}},
            {contraction("ki,abk->abi"), {B[2]}},
            {contraction("ki,akc->aic"), {B[1]}},
            {contraction("ki,kbc->ibc").scaled(s_.alpha, s_.beta), {B[0]}}};
  }
  operand x(bool gpu_side) { return x_.on(gpu_side, packed_operand(s_.d, s_.count), s_.shift); }
  operand y(bool gpu_side) { return y_.on(gpu_side, packed_operand(s_.d, s_.count, s_.gap), s_.shift); }

  /// Runs on that side and gives all of y's memory, gaps included; y is as before afterwards.
  std::vector<T> result(bool gpu_side, const plan_options& options = {}) {
    const chain c(steps(gpu_side), x(gpu_side), y(gpu_side), options);
    const std::vector<T> before = y_.host;
    buffer workspace(gpu_side ? space_kind::gpu : space_kind::cpu, c.workspace_bytes(s_.count));
    c.run(x(gpu_side), y(gpu_side), workspace);
    std::vector<T> found = gpu_side ? y_.device.read() : y_.host;
    y_.host = before;
    y_.device.write(before);
    return found;
  }
  chain on_gpu(const plan_options& options = {}) { return chain(steps(true), x(true), y(true), options); }

 private:
  static index_t size(const std::vector<index_t>& extents) {
    index_t product = 1;
    for (const index_t e : extents) product *= e;
    return product;
  }

  mass_sizes s_;
  both_sides<T> x_, D_, y_;
  std::deque<both_sides<T>> tables_;
};

}  // namespace tessera::testing
