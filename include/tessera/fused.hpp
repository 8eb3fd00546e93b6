// SPDX-License-Identifier: BSD-3-Clause
// What a contraction does beside products and sums: functions of entries, and other pairs of operations, as values.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/core/scalar_type.hpp>

namespace tessera {

namespace detail {

/// One value for each type that sums are in.
template <template <class> class Of>
using for_each_sum = std::tuple<Of<float>, Of<double>, Of<complex<float>>, Of<complex<double>>, Of<int>, Of<long long>>;

template <class T>
using unary_function = std::function<T(T)>;
template <class T>
using binary_function = std::function<T(T, T)>;

/// A function of the user's.
struct own_unary {
  std::string name, source;
  for_each_sum<unary_function> call;
};
/// A pair of the user's. The neutral element is empty where the pair is not defined.
struct own_binary {
  std::string name, multiply_source, add_source;
  bool is_commutative = false, zero_adds_nothing = false;
  for_each_sum<binary_function> multiply, add;
  for_each_sum<std::optional> neutral;
};

}  // namespace detail

/// A function of one entry: {}, the identity, relu, leaky_relu(slope), elu(alpha), conjugate, or a function of
/// your own. Entries are numbers of the type of the sums when it is applied; tensor cores get what functions of 16-bit
/// inputs give rounded to the inputs' type. NaN stays NaN.
class entry_function {
 public:
  enum class kind { identity, relu, leaky_relu, elu, conjugate, own };

  constexpr entry_function() = default;
  constexpr explicit entry_function(kind of, double parameter = 0) : kind_(of), parameter_(parameter) {}

  /// A function of your own. `source` is for GPUs: C++20 in x, such as "x > 0 ? x : 0", or the text of a struct with
  /// operator()(x), which begins with "struct"; empty: for CPUs only. `call` does the same on a CPU, for the types of
  /// sums that are listed, float and double by default: entry_function::own<float, complex<float>>(...). Several
  /// threads call it at once.
  template <class... Type, class Call>
  static entry_function own(std::string name, std::string source, Call call) {
    auto made = std::make_shared<detail::own_unary>();
    made->name = std::move(name);
    made->source = std::move(source);
    if constexpr (sizeof...(Type) == 0)
      set<float, double>(*made, call);
    else
      set<Type...>(*made, call);
    entry_function function(kind::own);
    function.own_ = std::move(made);
    return function;
  }
  /// For GPUs only, and sums of any type that the text takes.
  static entry_function own(std::string name, std::string source) {
    auto made = std::make_shared<detail::own_unary>();
    made->name = std::move(name);
    made->source = std::move(source);
    entry_function function(kind::own);
    function.own_ = std::move(made);
    return function;
  }

  kind which() const { return kind_; }
  double parameter() const { return parameter_; }
  /// Null unless it is one of your own.
  const detail::own_unary* of_user() const { return own_.get(); }

  friend bool operator==(const entry_function&, const entry_function&) = default;

 private:
  template <class... Type, class Call>
  static void set(detail::own_unary& to, const Call& call) {
    ((std::get<std::function<Type(Type)>>(to.call) = [call](Type x) { return Type(call(x)); }), ...);
  }

  kind kind_ = kind::identity;
  double parameter_ = 0;
  std::shared_ptr<const detail::own_unary> own_;
};

/// 0 for negative entries.
inline constinit const entry_function relu{entry_function::kind::relu};
/// slope x for negative entries.
inline entry_function leaky_relu(double slope = 0.01) {
  return entry_function(entry_function::kind::leaky_relu, slope);
}
/// alpha (exp(x) - 1) for negative entries.
inline entry_function elu(double alpha = 1) { return entry_function(entry_function::kind::elu, alpha); }
/// The complex conjugate; real entries stay as they are.
inline constinit const entry_function conjugate{entry_function::kind::conjugate};

/// "leaky_relu 0.01"; of your own: its name.
std::string text_of(const entry_function& function);
/// The function of this text: "relu", "elu 1". Throws for unknown names.
entry_function entry_function_from(std::string_view text);

/// The functions of a contraction, out = result(alpha sum a(A) b(B) + beta addend(D)), where D is the output's old
/// entry if the contraction has no other addend: contraction("ik,kj->ij").with({.a = relu, .result = elu(1)}).
struct contraction_functions {
  entry_function a, b, addend, result;

  friend bool operator==(const contraction_functions&, const contraction_functions&) = default;
};

/// "leaky_relu 0.01 (A), relu (result)"; empty where there are none.
std::string text_of(const contraction_functions& functions);

/// What of a pair of your own a program has to say beside its functions.
struct own_pair {
  std::string name;
  /// For GPUs: C++20 in a and b, and in c, the sum so far, and x, the product. Empty: for CPUs only.
  std::string multiply, add;
  bool is_commutative = false;     ///< of multiply; add has to be, and associative
  bool zero_adds_nothing = false;  ///< adding multiply(0, b) or multiply(a, 0) changes no sum
};

/// What multiplies two entries and what adds the products up. Values of it are plus_times, min_plus, max_plus,
/// max_times, or_and and pairs of your own. A sum begins with the neutral element of add.
class operations {
 public:
  enum class kind { plus_times, min_plus, max_plus, max_times, or_and, own };

  constexpr operations() = default;
  constexpr explicit operations(kind of) : kind_(of) {}

  /// A pair of your own: multiply(a, b), join(c, x), which adds a product to a sum, and neutral(T()), the neutral
  /// element of T, on CPUs, for the types of sums that are listed, float and double by default.
  template <class... Type, class Multiply, class Add, class Neutral>
  static operations own(const own_pair& what, Multiply multiply, Add join, Neutral neutral) {
    auto made = texts_of(what);
    if constexpr (sizeof...(Type) == 0)
      set<float, double>(*made, multiply, join, neutral);
    else
      set<Type...>(*made, multiply, join, neutral);
    operations pair(kind::own);
    pair.own_ = std::move(made);
    return pair;
  }
  /// For GPUs only.
  template <class... Type, class Neutral>
  static operations own(const own_pair& what, Neutral neutral) {
    auto made = texts_of(what);
    if constexpr (sizeof...(Type) == 0)
      set_neutral<float, double>(*made, neutral);
    else
      set_neutral<Type...>(*made, neutral);
    operations pair(kind::own);
    pair.own_ = std::move(made);
    return pair;
  }

  kind which() const { return kind_; }
  const detail::own_binary* of_user() const { return own_.get(); }
  bool is_commutative() const { return own_ == nullptr || own_->is_commutative; }

  friend bool operator==(const operations&, const operations&) = default;

 private:
  static std::shared_ptr<detail::own_binary> texts_of(const own_pair& what) {
    auto made = std::make_shared<detail::own_binary>();
    made->name = what.name;
    made->multiply_source = what.multiply;
    made->add_source = what.add;
    made->is_commutative = what.is_commutative;
    made->zero_adds_nothing = what.zero_adds_nothing;
    return made;
  }
  template <class... Type, class Neutral>
  static void set_neutral(detail::own_binary& to, const Neutral& neutral) {
    ((std::get<std::optional<Type>>(to.neutral) = Type(neutral(Type()))), ...);
  }
  template <class... Type, class Multiply, class Add, class Neutral>
  static void set(detail::own_binary& to, const Multiply& multiply, const Add& join, const Neutral& neutral) {
    ((std::get<std::function<Type(Type, Type)>>(to.multiply) = [multiply](Type a,
                                                                          Type b) { return Type(multiply(a, b)); }),
     ...);
    ((std::get<std::function<Type(Type, Type)>>(to.add) = [join](Type c, Type x) { return Type(join(c, x)); }), ...);
    set_neutral<Type...>(to, neutral);
  }

  kind kind_ = kind::plus_times;
  std::shared_ptr<const detail::own_binary> own_;
};

inline constinit const operations plus_times{};
/// Sums of two entries, the least of which is taken: shortest paths. Neutral: infinity, or the largest integer.
inline constinit const operations min_plus{operations::kind::min_plus};
/// The largest sum: critical paths. Neutral: -infinity, or the least integer.
inline constinit const operations max_plus{operations::kind::max_plus};
/// The largest product. Neutral: -infinity, or the least integer.
inline constinit const operations max_times{operations::kind::max_times};
/// 1 where both are not 0 for some index, else 0: reachability.
inline constinit const operations or_and{operations::kind::or_and};

/// "min_plus"; of your own: its name.
std::string text_of(const operations& pair);
/// The pair of this name. Throws for unknown ones.
operations operations_from(std::string_view name);

namespace detail {

/// Equal for equal ones only, for keys of containers: appended to `key`.
void append_key(std::vector<long long>& key, const contraction_functions& functions, const operations& pair);

}  // namespace detail

}  // namespace tessera
