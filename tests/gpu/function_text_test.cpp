// SPDX-License-Identifier: BSD-3-Clause
// The functions and pairs of contractions as CUDA: NVRTC takes them for all types, and their values are right where a
// compiler can know them. No GPU is needed.
#include "src/function_text.hpp"

#include <limits>
#include <string>
#include <vector>

#include <tessera/gpu/detail/loaded_code.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Every function of the struct, for entries of T and sums of S.
constexpr const char* kernel = R"(
template <class T, class S>
__global__ void call_all(const T* x, const S* s, T* entries, S* sums) {
  using f = general_functions;
  entries[0] = f::left(x[0]);
  entries[1] = f::right(x[1]);
  entries[2] = f::addend(x[2]);
  entries[3] = f::result(x[3]);
  sums[0] = f::add(f::neutral<S>(), f::multiply(s[0], s[1]));
  sums[1] = f::result(s[2]);
}
)";

constexpr const char* real_kernels[] = {"call_all<float, float>",          "call_all<double, double>",
                                        "call_all<tessera::half, float>",  "call_all<tessera::bfloat16, float>",
                                        "call_all<tessera::half, double>", "call_all<float, double>"};
constexpr const char* integer_kernels[] = {"call_all<short, int>", "call_all<int, int>", "call_all<int, long long>",
                                           "call_all<long long, long long>"};
constexpr const char* complex_kernels[] = {"call_all<tessera::complex<float>, tessera::complex<float>>",
                                           "call_all<tessera::complex<double>, tessera::complex<double>>"};

template <std::size_t N>
void append(std::vector<std::string>& to, const char* const (&names)[N]) {
  to.insert(to.end(), names, names + N);
}

jit_code compiled(const contraction_functions& functions, const operations& pair,
                  const std::vector<std::string>& kernels, const std::string& facts = "") {
  const std::string text = "#include <tessera/core/complex.hpp>\n#include <tessera/core/half.hpp>\n" +
                           tessera::detail::function_text(functions, pair) + kernel + facts;
  return device::compile_source({text, kernels}, {.cache_folder = {}, .threads = 1}, 90);
}

index_t count_of(const std::string& word, const std::string& in) {
  index_t count = 0;
  for (std::size_t at = in.find(word); at != std::string::npos; at = in.find(word, at + 1)) ++count;
  return count;
}

void check_taken(const contraction_functions& functions, const operations& pair,
                 const std::vector<std::string>& kernels, const std::string& facts = "") {
  const jit_code code = compiled(functions, pair, kernels, facts);
  INFO(tessera::detail::function_name(functions, pair) << "\n" << code.log);
  CHECK_FALSE(code.machine_code.empty());
  CHECK(count_of("warning #", code.log) == count_of("warning #1097-D: unknown attribute", code.log));
  CHECK(code.entries.size() == kernels.size());
}

}  // namespace

TEST_CASE("gpu function text: nothing for products and sums of entries as they are") {
  CHECK(tessera::detail::function_text({}, plus_times).empty());
  CHECK(tessera::detail::function_name({}, plus_times).empty());
  CHECK(tessera::detail::function_name({.a = leaky_relu(0.25), .result = relu}, min_plus) ==
        "min_plus, leaky_relu 0.25 (A), relu (result)");
}

TEST_CASE("gpu function text: functions and pairs compile for all types that they are of", "[nvrtc]") {
  if (no_jit()) return;
  std::vector<std::string> real;
  append(real, real_kernels);
  check_taken({.a = leaky_relu(0.25), .b = elu(2), .addend = relu, .result = conjugate}, plus_times, real,
              "static_assert(general_functions::left(-2.0f) == -0.5f && general_functions::left(2.0) == 2);\n"
              "static_assert(general_functions::left(tessera::half(-2.0f)) == -0.5f);\n"
              "static_assert(general_functions::addend(-3.0) == 0 && general_functions::addend(3.0f) == 3);\n"
              "static_assert(general_functions::neutral<double>() == 0);\n");
  append(real, integer_kernels);
  check_taken({.a = relu, .result = relu}, min_plus, real,
              "static_assert(general_functions::multiply(3, 4) == 7 && general_functions::add(3, 4) == 3);\n"
              "static_assert(general_functions::neutral<int>() == 2147483647);\n"
              "static_assert(general_functions::neutral<float>() > 3.0e38f);\n");
  check_taken({.b = relu}, max_plus, real,
              "static_assert(general_functions::multiply(3, 4) == 7 && general_functions::add(3, 4) == 4);\n"
              "static_assert(general_functions::neutral<long long>() == -9223372036854775807ll - 1);\n"
              "static_assert(general_functions::neutral<double>() < -1.0e308);\n");
  check_taken({}, max_times, real,
              "static_assert(general_functions::multiply(3, 4) == 12 && general_functions::add(3, 4) == 4);\n");
  check_taken({}, or_and, real,
              "static_assert(general_functions::multiply(3, 4) == 1 && general_functions::multiply(0.0, 2.0) == 0);\n"
              "static_assert(general_functions::add(0, 0) == 0 && general_functions::add(0, 7) == 1);\n");
  std::vector<std::string> complex_numbers;
  append(complex_numbers, complex_kernels);
  check_taken({.a = conjugate, .result = conjugate}, plus_times, complex_numbers,
              "static_assert(general_functions::left(tessera::complex<float>(1, 2)) == "
              "tessera::complex<float>(1, -2));\n");
}

TEST_CASE("gpu function text: functions and pairs of the user's, as expressions and as structs", "[nvrtc]") {
  if (no_jit()) return;
  std::vector<std::string> real;
  append(real, real_kernels);
  const auto nothing = [](auto x) { return x; };
  const entry_function expression = entry_function::own("cut", "x > 1 ? 1 : x", nothing);
  const entry_function structure = entry_function::own("gate", R"(
struct gate {
  template <class T>
  __device__ constexpr T operator()(T x) const { return x * 2; }
})",
                                                       nothing);
  const entry_function other = entry_function::own("gate", R"(struct gate {
  __device__ constexpr float operator()(float x) const { return x * 3; }
};)",
                                                   nothing);
  check_taken({.a = expression, .b = structure, .result = other}, plus_times, real,
              "static_assert(general_functions::left(3.5f) == 1 && general_functions::left(0.5) == 0.5);\n"
              "static_assert(general_functions::left(tessera::half(0.5f)) == 0.5f);\n"
              "static_assert(general_functions::right(2.0f) == 4 && general_functions::result(2.0f) == 6);\n");
  check_taken({.a = entry_function::own("text alone", "x + 1")},
              operations::own({.name = "difference", .multiply = "a - b", .add = "c + x"}, nothing), real,
              "static_assert(general_functions::left(2.0) == 3 && general_functions::multiply(3.0, 4.0) == -1);\n"
              "static_assert(general_functions::neutral<float>() == 0);\n");
  const operations least_difference = operations::own<float, double>(
      {.name = "least_difference", .multiply = "a - 2 * b", .add = "x < c ? x : c"},
      [](auto a, auto b) { return a - 2 * b; }, [](auto c, auto x) { return x < c ? x : c; },
      [](auto zero) { return zero + std::numeric_limits<decltype(zero)>::infinity(); });
  check_taken({}, least_difference, real,
              "static_assert(general_functions::multiply(3.0, 4.0) == -5 && general_functions::add(3.0, 4.0) == 3);\n"
              "static_assert(general_functions::neutral<float>() > 3.0e38f);\n");
  const jit_code wrong = compiled({.a = entry_function::own("typo", "x +", nothing)}, plus_times, real);
  CHECK(wrong.machine_code.empty());
  CHECK(wrong.first_error().find("error") != std::string::npos);
}

TEST_CASE("gpu function text: what is for CPUs only has no text", "[errors]") {
  const auto nothing = [](auto x) { return x; };
  const auto first = [](auto a, auto) { return a; };
  check_failure(status::invalid_argument, {"function hidden", "CPUs only"}, [&] {
    tessera::detail::function_text({.b = entry_function::own("hidden", " ", nothing)}, plus_times);
  });
  check_failure(status::invalid_argument, {"function left_one (add)", "CPUs only"}, [&] {
    tessera::detail::function_text(
        {}, operations::own({.name = "left_one", .multiply = "a", .add = ""}, first, first, nothing));
  });
}
