// SPDX-License-Identifier: BSD-3-Clause
// Writes general_functions: the functions that the library has, and around them those of a contraction.
#include "function_text.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <tessera/error.hpp>

namespace tessera::detail {

namespace {

// What all texts share. 16-bit numbers are floats between their loads and stores.
constexpr const char* shared_text = R"(
  static __device__ constexpr float number_of(tessera::half x) { return x; }
  static __device__ constexpr float number_of(tessera::bfloat16 x) { return x; }
  template <class S>
  static __device__ constexpr S number_of(S x) {
    return x;
  }
  template <class S>
  static __device__ constexpr S relu(S x) {
    return x < S(0) ? S(0) : x;
  }
  template <class S>
  static __device__ constexpr S leaky_relu(S x, double slope) {
    return x < S(0) ? S(slope) * x : x;
  }
  template <class S>
  static __device__ constexpr S elu(S x, double alpha) {
    return x < S(0) ? S(alpha) * S(expm1(x)) : x;
  }
  template <class S>
  static __device__ constexpr S conjugate(S x) {
    if constexpr (tessera::is_complex<S>)
      return conj(x);
    else
      return x;
  }
  static __device__ float least(float a, float b) { return fminf(a, b); }
  static __device__ double least(double a, double b) { return fmin(a, b); }
  template <class S>
  static __device__ constexpr S least(S a, S b) {
    return b < a ? b : a;
  }
  static __device__ float largest(float a, float b) { return fmaxf(a, b); }
  static __device__ double largest(double a, double b) { return fmax(a, b); }
  template <class S>
  static __device__ constexpr S largest(S a, S b) {
    return a < b ? b : a;
  }
)";

std::string hexadecimal_text(std::uint64_t bits, const char* suffix) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0x%llx%s", static_cast<unsigned long long>(bits), suffix);
  return text.data();
}

// A constant with exactly these bits, infinities and NaN included.
std::string constant_text(float x) {
  return "__builtin_bit_cast(float, " + hexadecimal_text(std::bit_cast<std::uint32_t>(x), "u") + ")";
}
std::string constant_text(double x) {
  return "__builtin_bit_cast(double, " + hexadecimal_text(std::bit_cast<std::uint64_t>(x), "ull") + ")";
}
std::string constant_text(int x) {
  return "__builtin_bit_cast(int, " + hexadecimal_text(std::bit_cast<std::uint32_t>(x), "u") + ")";
}
std::string constant_text(long long x) {
  return "__builtin_bit_cast(long long, " + hexadecimal_text(std::bit_cast<std::uint64_t>(x), "ull") + ")";
}
template <class T>
std::string constant_text(const complex<T>& z) {
  return std::string("tessera::complex<") + (sizeof(T) == sizeof(float) ? "float" : "double") + ">(" +
         constant_text(z.re) + ", " + constant_text(z.im) + ")";
}

constexpr std::array<const char*, 6> sum_names{
    "float", "double", "tessera::complex<float>", "tessera::complex<double>", "int", "long long"};

// The neutral element of each type of sums that has one.
template <template <class> class Of, std::size_t... I>
std::string neutral_text(
    const std::tuple<Of<float>, Of<double>, Of<complex<float>>, Of<complex<double>>, Of<int>, Of<long long>>& values,
    std::index_sequence<I...>) {
  std::string text;
  const auto append = [&](const char* type, const auto& value) {
    if (value)
      text +=
          std::string("    if constexpr (tessera::same_type<S, ") + type + ">) return " + constant_text(*value) + ";\n";
  };
  (append(sum_names[I], std::get<I>(values)), ...);
  return text;
}

for_each_sum<std::optional> neutral_values(const operations& pair) {
  using kind = operations::kind;
  if (pair.of_user() != nullptr) return pair.of_user()->neutral;
  for_each_sum<std::optional> values;
  const double infinity = std::numeric_limits<double>::infinity();
  const bool is_least = pair.which() == kind::min_plus;
  if (is_least || pair.which() == kind::max_plus || pair.which() == kind::max_times) {
    std::get<0>(values) = float(is_least ? infinity : -infinity);
    std::get<1>(values) = is_least ? infinity : -infinity;
    std::get<4>(values) = is_least ? std::numeric_limits<int>::max() : std::numeric_limits<int>::lowest();
    std::get<5>(values) = is_least ? std::numeric_limits<long long>::max() : std::numeric_limits<long long>::lowest();
  } else {
    std::get<0>(values) = 0.0f;
    std::get<1>(values) = 0.0;
    std::get<4>(values) = 0;
    std::get<5>(values) = 0;
    if (pair.which() == kind::plus_times) std::get<2>(values) = 0, std::get<3>(values) = 0;
  }
  return values;
}

std::string blanks_cut(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  return first == std::string::npos ? "" : text.substr(first);
}

// The name of the struct that a text begins with; empty for expressions.
std::string struct_name(const std::string& source) {
  const std::string text = blanks_cut(source);
  constexpr std::string_view word = "struct ";
  if (text.compare(0, word.size(), word) != 0) return "";
  const std::size_t first = text.find_first_not_of(" \t\n\r", word.size());
  if (first == std::string::npos) return "";
  std::size_t last = first;
  while (last < text.size() && (std::isalnum(static_cast<unsigned char>(text[last])) != 0 || text[last] == '_')) ++last;
  return text.substr(first, last - first);
}

void check_source(const std::string& name, const std::string& source) {
  if (blanks_cut(source).empty())
    throw error("function " + name + ": it has no source, which GPUs need; it is for CPUs only");
}

// One function of entries.
std::string entry_text(const char* name, const entry_function& function) {
  using kind = entry_function::kind;
  const std::string parameter = constant_text(function.parameter());
  std::string value = "x", before;
  switch (function.which()) {
    case kind::identity: break;
    case kind::relu: value = "relu(x)"; break;
    case kind::leaky_relu: value = "leaky_relu(x, " + parameter + ")"; break;
    case kind::elu: value = "elu(x, " + parameter + ")"; break;
    case kind::conjugate: value = "conjugate(x)"; break;
    case kind::own: {
      const own_unary& own = *function.of_user();
      check_source(own.name, own.source);
      const std::string called = struct_name(own.source);
      value = own.source;
      if (!called.empty()) {
        // Two functions may bring structs of one name.
        before = std::string("  struct ") + name + "_source {\n" + own.source + "\n;\n  };\n";
        value = std::string("typename ") + name + "_source::" + called + "{}(x)";
      }
    }
  }
  return before + "  template <class T>\n  static __device__ constexpr T " + name + "(T entry) {\n" +
         (function.which() == kind::identity ? "    return entry;\n"
                                             : "    const auto x = number_of(entry);\n    return T(" + value + ");\n") +
         "  }\n";
}

std::string pair_text(const operations& pair) {
  using kind = operations::kind;
  std::string multiply = "a * b", add = "c + x";
  switch (pair.which()) {
    case kind::plus_times: break;
    case kind::min_plus: multiply = "a + b", add = "least(c, x)"; break;
    case kind::max_plus: multiply = "a + b", add = "largest(c, x)"; break;
    case kind::max_times: add = "largest(c, x)"; break;
    case kind::or_and: multiply = "a != S(0) && b != S(0)", add = "c != S(0) || x != S(0)"; break;
    case kind::own: {
      const own_binary& own = *pair.of_user();
      check_source(own.name + " (multiply)", own.multiply_source);
      check_source(own.name + " (add)", own.add_source);
      multiply = own.multiply_source, add = own.add_source;
    }
  }
  return "  template <class S>\n  static __device__ constexpr S multiply(S a, S b) {\n    return S(" + multiply +
         ");\n  }\n  template <class S>\n  static __device__ constexpr S add(S c, S x) {\n    return S(" + add +
         ");\n  }\n  template <class S>\n  static __device__ constexpr S neutral() {\n" +
         neutral_text(neutral_values(pair), std::make_index_sequence<sum_names.size()>{}) + "  }\n";
}

}  // namespace

std::string function_name(const contraction_functions& functions, const operations& pair) {
  std::string of_entries = text_of(functions);
  if (pair == plus_times) return of_entries;
  return text_of(pair) + (of_entries.empty() ? "" : ", ") + of_entries;
}

std::string function_text(const contraction_functions& functions, const operations& pair) {
  if (functions == contraction_functions{} && pair == plus_times) return "";
  const auto flag = [](const char* name, bool value) {
    return value ? std::string("  static constexpr bool ") + name + " = true;\n" : std::string();
  };
  return std::string("struct general_functions {\n") + flag("left_is_plain", functions.a == entry_function{}) +
         flag("right_is_plain", functions.b == entry_function{}) + flag("is_plain_pair", pair == plus_times) +
         flag("result_is_own", functions.result.of_user() != nullptr) + shared_text + entry_text("left", functions.a) +
         entry_text("right", functions.b) + entry_text("addend", functions.addend) +
         entry_text("result", functions.result) + pair_text(pair) + "};\n";
}

}  // namespace tessera::detail
