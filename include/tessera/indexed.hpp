// SPDX-License-Identifier: BSD-3-Clause
// Contractions in index notation, of parts of tensors: A(i, j, m(1, 8)) -= B(i, k, m) * C(k, j), as figure 2 of paper
// 004.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/error.hpp>
#include <tessera/plan.hpp>

namespace tessera {

namespace detail {

template <class T>
inline constexpr bool is_character_or_flag =
    std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> || std::same_as<T, char16_t> ||
    std::same_as<T, char32_t> || std::same_as<T, bool>;

}  // namespace detail

/// What stands at a dimension: an index, all of it or a range, or a number.
struct subscript {
  char letter = 0;  // 0: a number, `first`
  bool ranged = false;
  index_t first = 0, last = 0;

  template <std::integral Number>
    requires(!detail::is_character_or_flag<Number>)
  constexpr subscript(Number at) : first(index_t(at)) {}  // NOLINT: A(i, 0)
  /// Neither a character, which is no index, nor a truth value is a number: A('i', j) does not compile.
  template <class Other>
    requires detail::is_character_or_flag<Other> subscript(Other)
  = delete;  // NOLINT
  constexpr subscript(char name, bool with_range, index_t from, index_t to)
      : letter(name), ranged(with_range), first(from), last(to) {}
};

/// A named index. Two with one letter are the same.
class index_name {
 public:
  /// a to z or A to Z.
  constexpr explicit index_name(char letter)
      : letter_(detail::is_letter(letter) ? letter : throw error("index_name: a to z or A to Z")) {}
  constexpr operator subscript() const { return {letter_, false, 0, 0}; }  // NOLINT: A(i, j)
  /// From `first` to `last`, both included; empty where last is first - 1.
  constexpr subscript operator()(index_t first, index_t last) const { return {letter_, true, first, last}; }

 private:
  char letter_;
};

/// For `using namespace tessera::index_names`.
namespace index_names {
inline constexpr index_name a{'a'}, b{'b'}, c{'c'}, d{'d'}, e{'e'}, f{'f'}, i{'i'}, j{'j'}, k{'k'}, l{'l'}, m{'m'},
    n{'n'}, o{'o'}, p{'p'}, q{'q'}, r{'r'}, s{'s'}, t{'t'};
}  // namespace index_names

/// Where and how a statement runs: those of its left side count.
struct indexed_options {
  stream_view in{};  ///< on a GPU work is queued there
  plan_options plan{};
};

class indexed_product;

/// A tensor with its subscripts. A statement runs where it is assigned to:
///   =   alpha (product)             +=   old + product             -=   old - product
/// An index that two factors have, and the left side has not, is summed. An index has the range that it is given
/// anywhere in the statement, else the whole extent; ranges are the same wherever they are given. A batch does the
/// statement for each tensor. Throws tessera::error, before anything is written, for sizes that differ, numbers
/// outside, and results that overlap what is read: that is decided by the entries, not by the tensors, but of groups by
/// whole members.
class indexed_part {
 public:
  indexed_part(operand of, std::vector<subscript> at, const indexed_options& how)
      : of_(std::move(of)), at_(std::move(at)), how_(how) {}
  indexed_part(const indexed_part&) = default;

  void operator=(const indexed_product& product) const;
  void operator+=(const indexed_product& product) const;
  void operator-=(const indexed_product& product) const;
  /// A part is no product: `copy` moves entries.
  indexed_part& operator=(const indexed_part&) = delete;

  const operand& of() const { return of_; }
  const std::vector<subscript>& at() const { return at_; }

 private:
  operand of_;
  std::vector<subscript> at_;
  indexed_options how_;
};

/// factor * A(i, k) * B(k, j), of two or, for the sums of kernel (9), three tensors.
class indexed_product {
 public:
  indexed_product(complex<double> factor, std::vector<indexed_part> parts)
      : factor_(factor), parts_(std::move(parts)) {}
  complex<double> factor() const { return factor_; }
  const std::vector<indexed_part>& parts() const { return parts_; }

 private:
  complex<double> factor_;
  std::vector<indexed_part> parts_;
};

inline indexed_product operator*(const indexed_part& a, const indexed_part& b) { return {1, {a, b}}; }
inline indexed_product operator*(double factor, const indexed_part& a) { return {factor, {a}}; }
inline indexed_product operator*(complex<double> factor, const indexed_part& a) { return {factor, {a}}; }
inline indexed_product operator*(const indexed_product& a, const indexed_part& b) {
  std::vector<indexed_part> parts = a.parts();
  parts.push_back(b);
  return {a.factor(), std::move(parts)};
}
inline indexed_product operator*(complex<double> factor, const indexed_product& a) {
  return {factor * a.factor(), a.parts()};
}
inline indexed_product operator*(double factor, const indexed_product& a) { return complex<double>(factor) * a; }
inline indexed_product operator-(const indexed_product& a) { return -1.0 * a; }

/// A tensor, batch, group or view that takes subscripts. It refers to their memory.
class indexed_tensor {
 public:
  indexed_tensor(operand of, const indexed_options& how) : of_(std::move(of)), how_(how) {}

  template <class... At>
  indexed_part operator()(At... at) const {
    static_assert((... && !detail::is_character_or_flag<At>),
                  "tessera: index notation: a character is neither an index nor a number; i of index_names is, or "
                  "index_name('i')");
    static_assert((... && std::convertible_to<At, subscript>),
                  "tessera: index notation: subscripts are indices, indices with ranges, and integers");
    if constexpr ((... && std::convertible_to<At, subscript>)) return {of_, {subscript(at)...}, how_};
  }

 private:
  operand of_;
  indexed_options how_;
};

/// const auto A = indexed(a); A(i, j) += B(i, k) * C(k, j);
template <class Tensor>
  requires(std::is_lvalue_reference_v<Tensor> || any_view<std::remove_cvref_t<Tensor>>)
indexed_tensor indexed(Tensor&& of, const indexed_options& how = {}) { return {operand_of(of), how}; }

}  // namespace tessera
