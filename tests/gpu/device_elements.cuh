// SPDX-License-Identifier: BSD-3-Clause
// Kernels that contract inside: every group of a block takes one element of a batch, in global or in shared memory.
#pragma once

#include "testing/catch.hpp"
#include "testing/definition.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <tessera/gpu/device.cuh>
#include <tessera/tessera.hpp>

#include "gpu/products.hpp"

namespace tessera::testing {

enum class place { global, shared };

/// Packed tensors, one element behind the other.
template <class T>
struct element_data {
  const T* in[max_inputs];
  T* out;
  int elements;
  bool plain;  // calls contract without a scaling
  scaling scale;
};

/// The contraction of a case (see table1_case), whatever its number of inputs.
template <class Case, class T, class Group, class View>
__device__ void contract_case(const Group& g, const element_data<T>& d, const View& input, T* out) {
  const device::view o(out, typename Case::template layout<output>{});
  if constexpr (Case::inputs == 2) {
    const auto a = input(constant<0>{});
    const auto b = input(constant<1>{});
    d.plain ? device::contract<Case::text>(g, a, b, o) : device::contract<Case::text>(g, a, b, o, d.scale);
  } else {
    const auto a = input(constant<0>{});
    const auto b = input(constant<1>{});
    const auto c = input(constant<2>{});
    d.plain ? device::contract<Case::text>(g, a, b, c, o) : device::contract<Case::text>(g, a, b, c, o, d.scale);
  }
}

template <class Case, int O>
inline constexpr index_t entries_of = typename Case::template layout<O>{}.extents().size();

/// Entries of shared memory that one group needs.
template <class Case>
inline constexpr index_t entries_of_group = entries_of<Case, output> + [] {
  return []<int... O>(sequence<O...>) { return (entries_of<Case, O> + ...); }
  (iota<Case::inputs>{});
}();

template <class Case, class T, class Group, place Where>
__global__ void contract_elements(const __grid_constant__ element_data<T> d) {
  extern __shared__ __align__(16) unsigned char memory[];
  const Group g;
  const int groups = int(blockDim.x) / g.size(), e = int(blockIdx.x) * groups + g.index();
  if (e >= d.elements) return;
  const auto in_global = [&]<index_t O>(constant<O>) {
    return device::view(d.in[O] + e * entries_of<Case, int(O)>, typename Case::template layout<int(O)>{});
  };
  T* const out = d.out + e * entries_of<Case, output>;
  if constexpr (Where == place::global) {
    contract_case<Case, T>(g, d, in_global, out);
  } else {
    T* const own = reinterpret_cast<T*>(memory) + g.index() * entries_of_group<Case>;
    const auto in_shared = [&]<index_t O>(constant<O>) {
      index_t before = entries_of<Case, output>;
      [&]<int... I>(sequence<I...>) { ((before += entries_of<Case, I>), ...); }
      (iota<int(O)>{});
      return device::view(own + before, typename Case::template layout<int(O)>{});
    };
    [&]<int... O>(sequence<O...>) { (device::load(g, in_global(constant<O>{}), in_shared(constant<O>{})), ...); }
    (iota<Case::inputs>{});
    const device::view in_out(out, typename Case::template layout<output>{});
    const device::view staged(own, typename Case::template layout<output>{});
    if (!d.plain) device::load(g, in_out, staged);
    g.sync();
    contract_case<Case, T>(g, d, in_shared, own);
    g.sync();
    device::store(g, staged, in_out);
  }
}

/// An input for all elements, on both sides.
template <class T>
struct element_input {
  std::vector<T> host;
  device_entries<T> device;
  explicit element_input(std::vector<T> values) : host(values), device(host) {}
};

inline constexpr int threads_of_test = 96, elements_of_test = 29;

template <class T>
std::vector<T> integers(index_t count, unsigned seed) {
  integer_source next(seed);
  std::vector<T> values;
  for (index_t i = 0; i < count; ++i) values.push_back(T(next()));
  return values;
}

template <class Case, class T, class Group, place Where>
void launch_elements(const element_data<T>& d, int group_size) {
  const int groups = threads_of_test / group_size, blocks = (d.elements + groups - 1) / groups;
  const std::size_t bytes = Where == place::shared ? sizeof(T) * std::size_t(groups * entries_of_group<Case>) : 0;
  contract_elements<Case, T, Group, Where><<<blocks, threads_of_test, bytes>>>(d);
}

/// Runs a case with several scalings and compares with the definition, exactly: the entries are small integers. What
/// lies before and behind the output must not change, and beta = 0 must not read it.
template <class Case, class T, int... O>
void check_launch(void (*launch)(const element_data<T>&, int), int group_size, sequence<O...>) {
  constexpr index_t size = entries_of<Case, output>;
  const auto batch = [](auto* data, auto layout) { return read(view_batch(data, layout, elements_of_test)); };
  const auto out_layout = typename Case::template layout<output>{};
  element_input<T> in[] = {element_input<T>(integers<T>(elements_of_test * entries_of<Case, O>, unsigned(O + 1)))...};
  const std::vector<entries<T>> inputs{batch(in[O].host.data(), typename Case::template layout<O>{})...};
  for (const scaling s : {assign, scaling{2, -3}, scaling{-1, 0}}) {
    std::vector<T> before = integers<T>(canary + elements_of_test * size + canary, 9);
    const auto wanted =
        by_definition<T>(contraction(Case::text.text, s), inputs, batch(before.data() + canary, out_layout));
    const auto first = before.begin() + canary, last = before.end() - canary;
    if (s.beta == 0) std::fill(first, last, std::numeric_limits<T>::quiet_NaN());
    device_entries<T> out(before);
    launch({{in[O].device.data()...}, out.data() + canary, elements_of_test, s.alpha == 1 && s.beta == 0, s},
           group_size);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<T> after = out.read();
    CHECK(count_different(batch(after.data() + canary, out_layout), wanted) == 0);
    CHECK(std::equal(before.begin(), first, after.begin()));
    CHECK(std::equal(last, before.end(), after.end() - canary));
  }
}

template <class Case, class T, class Group, place Where>
void check_elements(int group_size) {
  INFO(Case::text.text << " by groups of " << group_size << (Where == place::shared ? " in shared" : " in global")
                       << " memory");
  check_launch<Case, T>(&launch_elements<Case, T, Group, Where>, group_size, iota<Case::inputs>{});
}

}  // namespace tessera::testing
