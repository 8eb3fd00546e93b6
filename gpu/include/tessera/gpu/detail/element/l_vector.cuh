// SPDX-License-Identifier: BSD-3-Clause
// Loaders and storers of L-vectors, for kernels that take a patch of elements step by step (patch.cuh).
//
// src/element/patch_steps.hpp says what the lists hold. Numbers that a patch has to itself are added to in place, which
// needs no atomic operation, since elements of a step have none in common; terms of the others go where `Shared` puts
// them.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/gpu/detail/element/number_codes.hpp>
#include <tessera/gpu/detail/element/patch_arguments.hpp>

namespace tessera::device {

/// Terms of shared numbers go to places of their own, to be added up in order later.
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
    const Code *codes, *outer;

    constexpr T operator[](int i) const {
      T one[1];
      load(one, i, 0);
      return one[0];
    }
    constexpr loaded starting_at(int i) const { return {data, codes + i, outer}; }
    template <int n>
    constexpr void load(T (&line)[n], int start, int step) const {
      // All loads of a kind before the next one, which needs them: so many are on their way at once.
      Code at[n], number[n];
#pragma unroll
      for (int i = 0; i < n; ++i) at[i] = codes[start + i * step];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        number[i] = code::number(at[i]);
        if ((at[i] & code::shared) != 0) number[i] = outer[number[i]];
      }
#pragma unroll
      for (int i = 0; i < n; ++i) line[i] = code::is_there(at[i]) ? data[number[i]] : T(0);
#pragma unroll
      for (int i = 0; i < n; ++i) line[i] = (at[i] & code::opposite) != 0 ? -line[i] : line[i];
    }
  };

  const T* data;
  const layout& at;
  index_t side;

  constexpr loaded entries(index_t element, int c, int) const {
    return {data + at.component * c, at.of(element, c), at.outer};
  }
};

/// y.
template <class T, class Code, class Shared>
struct l_vector_storer {
  using layout = l_vector_target<T, Code>;
  using code = number_code<Code>;
  static constexpr bool has_pieces = false;

  struct stored {
    T* data;  // component's
    const Code *codes, *outer;
    T* terms;
    const bool& add;

    // Whether y is read.
    constexpr bool adds_to(Code at) const {
      return code::is_there(at) && (at & code::shared) == 0 && (add || (at & code::first) == 0);
    }
    constexpr void put(Code at, T before, T value) const {
      const T term = (at & code::opposite) != 0 ? -value : value;
      const Code number = code::number(at);
      if constexpr (!Shared::in_places) {
        if (code::is_there(at) && (at & code::shared) != 0)
          Shared::put(term, number, data, outer);
        else if (code::is_there(at))
          data[number] = adds_to(at) ? before + term : term;
        return;
      }
      T* const to = ((at & code::shared) != 0 ? terms : data) + number;
      if (code::is_there(at)) *to = adds_to(at) ? before + term : term;
    }
    constexpr void put(int i, T value) const {
      const Code at = codes[i];
      put(at, adds_to(at) ? data[code::number(at)] : T(0), value);
    }
    constexpr stored starting_at(int i) const { return {data, codes + i, outer, terms, add}; }
    template <int n>
    constexpr void store(const T (&line)[n], int start, int step) const {
      starting_at(start).template store_if<n>(
          true, [&](int i) -> const T& { return line[i]; }, step);
    }
    // All that is added to is read before anything is written.
    template <int n, class Line>
    constexpr void store_if(bool there, const Line& line, int step) const {
      if (!there) return;
      Code at[n];
      T before[n];
#pragma unroll
      for (int i = 0; i < n; ++i) at[i] = codes[i * step];
#pragma unroll
      for (int i = 0; i < n; ++i) before[i] = adds_to(at[i]) ? data[code::number(at[i])] : T(0);
#pragma unroll
      for (int i = 0; i < n; ++i) put(at[i], before[i], line(i));
    }
  };

  T* data;
  const layout& at;
  index_t side;
  const bool& add;

  constexpr bool adds() const { return add; }
  constexpr stored entries(index_t element, int c, int) const {
    return {data + at.component * c, at.of(element, c), at.outer, at.terms + at.places * c, add};
  }
};

}  // namespace tessera::device
