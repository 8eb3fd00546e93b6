// SPDX-License-Identifier: BSD-3-Clause
// The targets and types that kernel tests are repeated for, as types, and their rows on this machine.
#pragma once

#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/detail/cpu_isas.hpp>

#include "testing/skip.hpp"

namespace tessera::testing {

template <target where, class T>
struct isa_type {
  static constexpr target isa = where;
  using type = T;

  /// nullptr, with the test case counted as skipped, where the build or the machine lacks the target.
  static const isa_rows* rows() {
    const isa_rows* found = rows_of(where);
    if (found != nullptr && is_available(where)) return found;
    skip(std::string(name_of(where)) + (found == nullptr ? " is not in this build" : " is not on this machine"));
    return nullptr;
  }
};

template <class... Before, std::size_t... I>
auto with_all_isas(std::index_sequence<I...>)
    -> std::tuple<Before..., isa_type<detail::cpu_isas[I / 2].isa, std::conditional_t<I % 2 == 0, float, double>>...>;

/// Each instruction set in float and double, test i of a list being of set i / 2; and before them the reference.
using isa_types = decltype(with_all_isas<>(std::make_index_sequence<2 * std::size(detail::cpu_isas)>()));
using target_types = decltype(with_all_isas<isa_type<target::reference, float>, isa_type<target::reference, double>>(
    std::make_index_sequence<2 * std::size(detail::cpu_isas)>()));

}  // namespace tessera::testing
