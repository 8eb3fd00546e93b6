// SPDX-License-Identifier: BSD-3-Clause
// A row of Table 1 by a plan, in host or device memory, in any arrangement, against the definition in integers.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>
#include <tessera/plan.hpp>

#include "core/table1_rows.hpp"
#include "testing/arranged.hpp"

namespace tessera::testing {

/// How the operands of a row lie, and which of its inputs the batch shares.
struct row_variant {
  arrangement how[max_inputs + 1];
  bool shared[max_inputs] = {};
};

/// An arranged operand with its gaps and canaries, where it was arranged or in device memory.
template <class T>
class arranged_in {
 public:
  arranged_in(space_kind space, const table1::tensor_shape& sizes, index_t count, const arrangement& how)
      : host_(sizes, count, how), operand_(host_.get()) {
    if (space != space_kind::gpu) return;
    memory_ = buffer(space, host_.memory().size() * sizeof(T));
    operand_.space = space;
    operand_.data = static_cast<T*>(memory_.data()) + host_.start();
  }
  arranged<T>& host() { return host_; }
  const operand& get() const { return operand_; }
  void upload() {
    if (memory_.bytes() > 0)
      device::copy(memory_.data(), host_.memory().data(), memory_.bytes(), device::direction::host_to_device);
  }
  void download() {
    if (memory_.bytes() > 0)
      device::copy(host_.memory().data(), memory_.data(), memory_.bytes(), device::direction::device_to_host);
  }

 private:
  arranged<T> host_;
  buffer memory_;
  operand operand_;
};

/// The wrong entries; many, where something outside the output's entries was written or another target ran. Plans take
/// the GPU by themselves.
template <class T>
index_t count_wrong(const table1::row& r, target where, const row_variant& v, index_t count, const scaling& scale) {
  using values = std::array<T, table1::capacity>;
  constexpr index_t many = 1000000;
  const space_kind space = where == target::cuda ? space_kind::gpu : space_kind::cpu;
  const einsum e = parse_einsum(r.text);
  // Of batch entry b; the two tables of (9) are the same one.
  const auto input = [&](int o, index_t b) {
    const bool repeated = e.inputs == 3 && o == 1;
    return table1::integers<T, table1::capacity>(unsigned((v.shared[o] ? 0 : b) * 5 + (repeated ? 0 : o)),
                                                 r.input[o].size());
  };
  std::vector<std::unique_ptr<arranged_in<T>>> memory;
  std::vector<operand> all;
  for (int o = 0; o < e.inputs; ++o) {
    memory.push_back(std::make_unique<arranged_in<T>>(space, r.input[o], v.shared[o] ? -1 : count, v.how[o]));
    for (index_t b = 0; b < (v.shared[o] ? 1 : count); ++b) {
      const values data = input(o, b);
      for (index_t i = 0; i < r.input[o].size(); ++i) memory.back()->host().at(i, b) = data[std::size_t(i)];
    }
    memory.back()->upload();
    all.push_back(memory.back()->get());
  }
  arranged_in<T> out(space, r.out, count, v.how[output]);
  const auto before = [](index_t i, index_t b) { return T((i + b) % 7 - 3); };
  for (index_t b = 0; b < count; ++b)
    for (index_t i = 0; i < r.out.size(); ++i)
      out.host().at(i, b) = scale.beta == 0 ? std::numeric_limits<T>::quiet_NaN() : before(i, b);
  out.upload();
  all.push_back(out.get());

  const plan p = make_plan_of(contraction(r.text, scale), all.data(), int(all.size()),
                              where == target::cuda ? plan_options{} : plan_options{.on = where});
  if (p.where() != where) return many;
  p.run_operands(all.data(), int(all.size()), {});
  out.download();

  index_t wrong = out.host().gaps_untouched() ? 0 : many;
  for (index_t b = 0; b < count; ++b) {
    values data[max_inputs];
    for (int o = 0; o < e.inputs; ++o) data[o] = input(o, b);
    const values sum = table1::brute_force<T>(e, r.input, data, r.out);
    for (index_t i = 0; i < r.out.size(); ++i) {
      const T old = scale.beta == 0 ? T(0) : T(scale.beta.re) * before(i, b);
      wrong += !(out.host().at(i, b) == T(scale.alpha.re) * sum[std::size_t(i)] + old);
    }
  }
  return wrong;
}

}  // namespace tessera::testing
