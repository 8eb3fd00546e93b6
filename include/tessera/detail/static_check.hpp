// SPDX-License-Identifier: BSD-3-Clause
// Compile-time checks of a contraction's arguments, with messages that show the shapes. No standard library, since
// device code compiled by NVRTC has the same checks.
#pragma once

#include <tessera/core/einsum.hpp>
#include <tessera/core/offset.hpp>
#include <tessera/core/product_types.hpp>

namespace tessera::detail {

/// Layouts that are fully described by their type.
template <class Layout>
inline constexpr bool is_fixed_layout = __is_empty(Layout) && requires {
  Layout{};
};

/// The arguments of these templates, the shapes that disagree, are shown in the compiler's message.
template <class LeftExtents, class RightExtents, char letter, bool agree>
struct shapes_disagree {
  static_assert(agree, "tessera: contract: the two shapes above disagree on the extent of the letter above");
};
template <class Extents, int letters>
struct rank_disagrees {
  static_assert(Extents::rank() == letters, "tessera: contract: the einsum gives the shape above another rank");
};
template <class Left, class Right, class Out, class Sum, bool exist>
struct kernels_of_types {
  static_assert(exist,
                "tessera: contract: there are no kernels that multiply the first two types above into the third "
                "with sums in the fourth");
};
template <einsum_fault fault, char letter>
struct einsum_is_wrong {
  static_assert(fault == einsum_fault::none, "tessera: contract: not a contraction, for the reason above");
};

struct static_disagreement {
  int first = -1, second = -1;
  char letter = 0;
};

template <class View>
constexpr index_t static_extent_of(const modes& letters, char c) {
  const int d = letters.find(c);
  return d < 0 ? dynamic : extents_of<typename View::layout_kind>::static_extent(d);
}

// The first letter on whose static extents two operands disagree; the output comes last.
template <class... View>
constexpr static_disagreement find_disagreement(const einsum& e) {
  constexpr int count = int(sizeof...(View));
  for (int letter = 'A'; letter <= 'z'; ++letter) {
    index_t extent[count];
    int o = 0;
    ((extent[o] = static_extent_of<View>(e.operand[o == count - 1 ? output : o], char(letter)), ++o), ...);
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b)
        if (extent[a] != dynamic && extent[b] != dynamic && extent[a] != extent[b]) return {a, b, char(letter)};
  }
  return {};
}

template <int I, class First, class... Rest>
struct nth_type : nth_type<I - 1, Rest...> {};
template <class First, class... Rest>
struct nth_type<0, First, Rest...> : plain<First> {};
template <int I, class... All>
using nth = typename nth_type<I, All...>::type;

template <class T>
inline constexpr bool is_const = false;
template <class T>
inline constexpr bool is_const<const T> = true;

template <fixed_string text, class... View, int... O>
constexpr void check_ranks(sequence<O...>) {
  constexpr einsum e = parse_einsum(text.text);
  constexpr int last = int(sizeof...(View)) - 1;
  (void(sizeof(rank_disagrees<extents_of<typename View::layout_kind>, e.operand[O == last ? output : O].rank>)), ...);
}

/// Types with compiled kernels are multiplied as known_products lists; others (integers, long double, users' own) only
/// if all three are one type.
template <class In, class Out, class Sum>
constexpr bool are_multiplied() {
  if constexpr (is_kernel_scalar<In> && is_kernel_scalar<Out> && is_kernel_scalar<Sum>)
    return is_known({scalar_of<In>, scalar_of<Out>, scalar_of<Sum>});
  else
    return same_type<In, Out> && same_type<In, Sum>;
}

template <class Sum, class... View, int... I>
constexpr void check_inputs(sequence<I...>) {
  using in = typename nth<0, View...>::value_type;
  using out = typename nth<int(sizeof...(View)) - 1, View...>::value_type;
  (void(sizeof(kernels_of_types < in, typename nth<I, View...>::value_type, out, Sum,
               same_type<in, typename nth<I, View...>::value_type> && are_multiplied<in, out, Sum>() >)),
   ...);
}

/// Checks the types of entries, the output's last, and of the sums.
template <class Sum, class... View>
constexpr void check_types() {
  check_inputs<Sum, View...>(tessera::iota<int(sizeof...(View)) - 1>{});
}

/// The type of conj of a view of complex entries.
template <class View>
inline constexpr bool reads_conjugated = requires {
  requires View::reads_conjugated;
};

/// All checks of types, with the views in the order of the call, the output last.
template <fixed_string text, class... View>
constexpr void check_statically() {
  constexpr einsum e = parse_einsum(text.text);
  constexpr int count = int(sizeof...(View));
  [[maybe_unused]] constexpr einsum_is_wrong<e.fault, e.offender> reason{};
  static_assert(e.inputs + 1 == count, "tessera: contract: the einsum names another number of operands");
  check_ranks<text, View...>(tessera::iota<count>{});
  constexpr static_disagreement found = find_disagreement<View...>(e);
  if constexpr (found.first >= 0) [[maybe_unused]]
    constexpr shapes_disagree<extents_of<typename nth<found.first, View...>::layout_kind>,
                              extents_of<typename nth<found.second, View...>::layout_kind>, found.letter, false>
        shapes{};
  using last = nth<count - 1, View...>;
  static_assert(!is_const<typename last::element_type>, "tessera: contract: the output is const");
}

}  // namespace tessera::detail
