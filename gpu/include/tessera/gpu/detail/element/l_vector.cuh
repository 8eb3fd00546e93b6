// SPDX-License-Identifier: BSD-3-Clause
// Loaders and storers of L-vectors.
//
// src/element/l_vector_lists.hpp says what the lists hold. A number of y that is no other entry's is written in place;
// terms of the others go where `Shared` puts them.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/gpu/detail/element/l_vector_layout.hpp>
#include <tessera/gpu/detail/element/number_codes.hpp>

namespace tessera::device {

/// Terms have places of their own, to be added up in order later.
struct terms_in_places {
  static constexpr bool in_places = true;
};

/// x.
template <class T, class Code>
struct l_vector_loader {
  using layout = l_vector_codes<Code>;
  using code = number_code<Code>;
  static constexpr bool has_pieces = false, has_addresses = false;

  struct loaded {
    const T* data;  // component's
    const Code* codes;

    constexpr T operator[](int i) const {
      T one[1];
      load(one, i, 0);
      return one[0];
    }
    constexpr loaded starting_at(int i) const { return {data, codes + i}; }
    template <int n>
    constexpr void load(T (&line)[n], int start, int step) const {
      // All codes before the numbers, which need them: so many loads are on their way at once.
      Code at[n];
#pragma unroll
      for (int i = 0; i < n; ++i) at[i] = codes[start + i * step];
#pragma unroll
      for (int i = 0; i < n; ++i) line[i] = code::is_there(at[i]) ? data[code::number(at[i])] : T(0);
#pragma unroll
      for (int i = 0; i < n; ++i) line[i] = code::signed_as(at[i], line[i]);
    }
  };

  const T* data;
  const layout& at;
  index_t side;

  constexpr loaded entries(index_t element, int c, int) const { return {data + at.component * c, at.of(element, c)}; }
};

/// y.
template <class T, class Code, class Shared>
struct l_vector_storer {
  using layout = l_vector_target<T, Code>;
  using code = number_code<Code>;
  static constexpr bool has_pieces = false;

  struct stored {
    T* data;  // component's
    const Code* codes;
    const int* places;
    T* terms;  // element's
    const bool& add;

    constexpr void put(int i, T value) const {
      const T line[1]{value};
      starting_at(i).template store_if<1>(
          true, [&](int) -> const T& { return line[0]; }, 0);
    }
    constexpr stored starting_at(int i) const { return {data, codes + i, places + i, terms, add}; }
    template <int n>
    constexpr void store(const T (&line)[n], int start, int step) const {
      starting_at(start).template store_if<n>(
          true, [&](int i) -> const T& { return line[i]; }, step);
    }
    // All that is added to is read before anything is written.
    template <int n, class Line>
    constexpr void store_if(bool there, const Line& line, int step) const {
      if (!there) return;
      int place[n];
      Code at[n];
      T before[n];
#pragma unroll
      for (int i = 0; i < n; ++i) place[i] = places[i * step];
        // Sums know the signs of terms in places, and leave out what is left out.
#pragma unroll
      for (int i = 0; i < n; ++i) at[i] = place[i] < 0 || !Shared::in_places ? codes[i * step] : code::left_out;
#pragma unroll
      for (int i = 0; i < n; ++i)
        before[i] = add && place[i] < 0 && code::is_there(at[i]) ? data[code::number(at[i])] : T(0);
#pragma unroll
      for (int i = 0; i < n; ++i) {
        const T term = code::signed_as(at[i], line(i));
        if constexpr (Shared::in_places) {
          T* const to = place[i] < 0 ? data + code::number(at[i]) : terms + place[i];
          if (place[i] >= 0 || code::is_there(at[i])) *to = place[i] < 0 && add ? before[i] + term : term;
        } else if (code::is_there(at[i])) {
          T* const to = data + code::number(at[i]);
          if (place[i] < 0)
            *to = add ? before[i] + term : term;
          else
            Shared::put(term, to);
        }
      }
    }
  };

  T* data;
  const layout& at;
  index_t side;
  const bool& add;

  constexpr bool adds() const { return add; }
  constexpr stored entries(index_t element, int c, int) const {
    return {data + at.component * c, at.of(element, c), at.places,
            at.terms + at.component_terms * c + at.element_terms * element, add};
  }
};

}  // namespace tessera::device
