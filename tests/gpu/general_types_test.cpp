// SPDX-License-Identifier: BSD-3-Clause
// General contractions on a GPU in every type and by every instruction, with functions, pairs of operations and an
// addend of its own: exact in integers, drawn at random, several tiles of each.
#include <tessera/detail/general_candidates.hpp>
#include <tessera/gpu/detail/general/general_kernel.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>
#include <tessera/scalar.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include "testing/catch.hpp"
#include "testing/general_case.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::general_by;
using tessera::detail::general_kind;
using tessera::detail::general_tile;

namespace {

using exact = std::complex<double>;
using exact_numbers = std::vector<exact>;

template <class T>
T entry_of(const exact& z) {
  if constexpr (is_complex<T>)
    return T(typename T::value_type(z.real()), typename T::value_type(z.imag()));
  else if constexpr (sizeof(T) == 2)
    return T(float(z.real()));
  else
    return T(z.real());
}
template <class T>
exact exact_of(const T& x) {
  if constexpr (is_complex<T>)
    return {double(x.re), double(x.im)};
  else
    return double(x);
}

// With imaginary parts for complex types.
exact_numbers exact_numbers_of(const std::vector<double>& from, bool is_complex_one) {
  exact_numbers made;
  for (std::size_t i = 0; i < from.size(); ++i)
    made.emplace_back(from[i], is_complex_one ? double(i * 7 % 5) - 2 : 0.0);
  return made;
}

template <class T>
class on_gpu {
 public:
  on_gpu(const exact_numbers& of, index_t shift) : shift_(shift), count_(of.size()) {
    std::vector<T> numbers;
    numbers.reserve(of.size() + std::size_t(shift));
    for (index_t i = 0; i < shift; ++i) numbers.push_back(entry_of<T>(77));
    for (const exact& z : of) numbers.push_back(entry_of<T>(z));
    memory_ = buffer(space_kind::gpu, std::max<std::size_t>(numbers.size(), 1) * sizeof(T));
    copy_memory(memory_.data(), numbers.data(), numbers.size() * sizeof(T));
  }
  T* data() const { return static_cast<T*>(memory_.data()) + shift_; }
  std::vector<T> read() const {
    std::vector<T> numbers(count_);
    copy_memory(numbers.data(), data(), count_ * sizeof(T));
    return numbers;
  }

 private:
  index_t shift_;
  std::size_t count_;
  buffer memory_;
};

// What the kernel makes of a drawn case is what `wanted` says, from an aligned place and from any.
template <class Left, class Right, class Out>
void check_by(const general_case& of, const general_form& form, const general_kind& kind, const general_tile& tile,
              const exact_numbers (&numbers)[3], const exact_numbers& wanted, const void* addend = nullptr) {
  const device::general_kernel kernel(form, kind, tile);
  INFO(of.text << ": " << kernel.name());
  for (const index_t shift : {0, 1}) {
    INFO("from entry " << shift);
    const on_gpu<Left> left(numbers[0], shift);
    const on_gpu<Right> right(numbers[1], shift);
    const on_gpu<Out> out(numbers[2], shift);
    kernel.run({.left = left.data(),
                .right = right.data(),
                .addend = addend,
                .out = out.data(),
                .alpha = of.alpha,
                .beta = of.beta},
               1, nullptr);
    const std::vector<Out> found = out.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) wrong += exact_of(found[i]) != exact_of(entry_of<Out>(wanted[i]));
    CHECK(wrong == 0);
  }
}

bool cannot_run(const general_kind& kind) {
  if (absent()) return true;
  if (device::has_general_kernel(kind)) return false;
  skip("a GPU without the instructions");
  return true;
}

// So many tiles of a form, from the cheapest to the dearest: with one stage, with parts of the sum, with panels, too.
std::vector<general_tile> tiles_of(const general_form& form, const general_kind& kind, std::size_t count) {
  const auto found = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200, kind).found;
  REQUIRE(!found.empty());
  std::vector<general_tile> tiles;
  for (std::size_t i = 0; i < count; ++i) {
    general_tile tile = found[found.size() * i / count].tile;
    const general_tile plain = tile;
    if (i % 4 == 1) tile.stages = 1;
    if (i % 4 == 2) tile.splits = 2;
    if (i % 4 == 3) tile.panel = 2;
    const device::general_code made = device::general_source(form, kind, tile);
    tiles.push_back(made.shared_bytes > tessera::detail::rates_of_h200.shared_of_block ? plain : tile);
  }
  return tiles;
}

general_case drawn_for(unsigned seed, int most, general_kind& kind) {
  general_case of = drawn_case(seed, most);
  kind.reads_out = of.beta != 0;
  return of;
}

template <class In, class Out, class Sum>
void check_type(general_by by, unsigned seed, std::size_t tiles) {
  general_kind kind{
      .left = scalar_of<In>, .right = scalar_of<In>, .out = scalar_of<Out>, .sum = scalar_of<Sum>, .by = by};
  const general_case of = drawn_for(seed, 17, kind);
  kind.left_conjugated = seed % 2 == 0;
  kind.right_conjugated = seed % 3 == 0;
  const bool is_complex_one = is_complex<In>;
  const exact_numbers numbers[3] = {exact_numbers_of(of.left, is_complex_one),
                                    exact_numbers_of(of.right, is_complex_one),
                                    exact_numbers_of(of.out, is_complex_one)};
  const auto term = [&](exact sum, exact a, exact b) {
    return sum + (kind.left_conjugated ? std::conj(a) : a) * (kind.right_conjugated ? std::conj(b) : b);
  };
  const exact_numbers wanted = of.after(numbers[0], numbers[1], numbers[2], exact(0), term,
                                        [&](exact sum, exact old, index_t) { return of.alpha * sum + of.beta * old; });
  const general_form form = lower_general(of.modes(), of.facts);
  for (const general_tile& tile : tiles_of(form, kind, tiles))
    check_by<In, In, Out>(of, form, kind, tile, numbers, wanted);
}

void check_all_types(unsigned seed, std::size_t tiles) {
  INFO("seed " << seed);
  check_type<double, double, double>(general_by::mma_f64, seed, tiles);
  check_type<float, float, float>(general_by::mma_tf32, seed, tiles);
  check_type<float, float, float>(general_by::mma_3xtf32, seed, tiles);
  check_type<half, half, float>(general_by::mma_16, seed, tiles);
  check_type<bfloat16, float, float>(general_by::mma_16, seed, tiles);
  check_type<half, half, float>(general_by::fma, seed, tiles);
  check_type<float, float, float>(general_by::fma, seed, tiles);
  check_type<float, float, double>(general_by::fma, seed, tiles);
  check_type<double, double, double>(general_by::fma, seed, tiles);
  check_type<complex<float>, complex<float>, complex<float>>(general_by::fma, seed, tiles);
  check_type<complex<double>, complex<double>, complex<double>>(general_by::fma, seed, tiles);
}

constexpr const char* own_functions = R"(
struct general_functions {
  template <class T> __device__ static T left(const T& x) { return x > T(0) ? x : T(2) * x; }
  template <class T> __device__ static T right(const T& x) { return x + T(1); }
  template <class T> __device__ static T addend(const T& x) { return -x; }
  template <class T> __device__ static T result(const T& x) { return x > T(0) ? x : T(0); }
  template <class T> __device__ static T multiply(const T& a, const T& b) { return a * b; }
  template <class T> __device__ static T add(const T& sum, const T& x) { return sum + x; }
  template <class T> __device__ static T neutral() { return T(0); }
};
)";
// The smallest difference, which depends on the order of the operands.
constexpr const char* own_pair = R"(
struct general_functions {
  template <class T> __device__ static T left(const T& x) { return x; }
  template <class T> __device__ static T right(const T& x) { return x; }
  template <class T> __device__ static T addend(const T& x) { return x; }
  template <class T> __device__ static T result(const T& x) { return x; }
  template <class T> __device__ static T multiply(const T& a, const T& b) { return a - b; }
  template <class T> __device__ static T add(const T& sum, const T& x) { return sum < x ? sum : x; }
  template <class T> __device__ static T neutral() { return T(1e6); }
};
)";

// 1 added to entries outside of a tensor would count: they must be left out of sums.
template <class T>
void check_functions(general_by by, unsigned seed, std::size_t tiles) {
  const scalar_type type = scalar_of<T>;
  general_kind kind{.left = type, .right = type, .out = type, .sum = usual_sum(type), .by = by};
  const general_case of = drawn_for(seed, 13, kind);
  kind.functions = own_functions;
  kind.functions_name = "own";
  kind.zero_adds_nothing = false;
  const exact_numbers numbers[3] = {exact_numbers_of(of.left, false), exact_numbers_of(of.right, false),
                                    exact_numbers_of(of.out, false)};
  const exact_numbers wanted = of.after(
      numbers[0], numbers[1], numbers[2], exact(0),
      [](exact sum, exact a, exact b) { return sum + (a.real() > 0 ? a : 2.0 * a) * (b + 1.0); },
      [&](exact sum, exact old, index_t) {
        return exact(std::max(0.0, (of.alpha * sum - (of.beta == 0 ? 0 : of.beta * old)).real()));
      });
  const general_form form = lower_general(of.modes(), of.facts);
  for (const general_tile& tile : tiles_of(form, kind, tiles)) check_by<T, T, T>(of, form, kind, tile, numbers, wanted);
}

template <class T>
void check_pair(unsigned seed, std::size_t tiles) {
  const scalar_type type = scalar_of<T>;
  general_kind kind{.left = type, .right = type, .out = type, .sum = type, .by = general_by::fma};
  general_case of = drawn_for(seed, 13, kind);
  of.alpha = 1;
  of.beta = seed % 2;
  kind.reads_out = seed % 2 == 1;
  kind.functions = own_pair;
  kind.functions_name = "smallest difference";
  kind.zero_adds_nothing = kind.scales = false;
  const exact_numbers numbers[3] = {exact_numbers_of(of.left, false), exact_numbers_of(of.right, false),
                                    exact_numbers_of(of.out, false)};
  const auto smaller = [](exact a, exact b) { return a.real() < b.real() ? a : b; };
  const exact_numbers wanted = of.after(
      numbers[0], numbers[1], numbers[2], exact(1e6), [&](exact sum, exact a, exact b) { return smaller(sum, a - b); },
      [&](exact sum, exact old, index_t) { return of.beta == 0 ? sum : smaller(sum, old); });
  const general_form form = lower_general(of.modes(), of.facts);
  for (const general_tile& tile : tiles_of(form, kind, tiles)) check_by<T, T, T>(of, form, kind, tile, numbers, wanted);
}

// A float tensor of the output's letters in reverse order is added to products of half by float, in double.
void check_addend(unsigned seed, std::size_t tiles) {
  general_kind kind{.left = scalar_type::f16,
                    .right = scalar_type::f32,
                    .out = scalar_type::f64,
                    .sum = scalar_type::f64,
                    .by = general_by::fma,
                    .addend = scalar_type::f32};
  general_case of = drawn_case(seed, 13);
  of.beta = 3;
  const modes letters = of.modes().out();
  const operand_facts& out = of.facts[output];
  general_addend added{letters, out};
  index_t next = 1;
  for (int d = letters.rank - 1; d >= 0; --d) {
    added.facts.stride[d] = next;
    next *= out.extent[d];
  }
  const exact_numbers numbers[3] = {exact_numbers_of(of.left, false), exact_numbers_of(of.right, false),
                                    exact_numbers_of(of.out, false)};
  // Of an entry of the output, by its place: each place belongs to one.
  std::map<index_t, index_t> place;
  for (index_t n = 0; n < next; ++n) {
    index_t rest = n, at = 0, there = 0;
    for (int d = 0; d < letters.rank; ++d) {
      at += rest % out.extent[d] * out.stride[d];
      there += rest % out.extent[d] * added.facts.stride[d];
      rest /= out.extent[d];
    }
    place[at] = there;
  }
  const exact_numbers wanted = of.after(
      numbers[0], numbers[1], numbers[2], exact(0), [](exact sum, exact a, exact b) { return sum + a * b; },
      [&](exact sum, exact, index_t at) { return of.alpha * sum + 3.0 * double(place[at] % 9 - 4); });
  std::vector<float> values;
  for (index_t n = 0; n < next; ++n) values.push_back(float(n % 9 - 4));
  buffer memory(space_kind::gpu, values.size() * sizeof(float));
  copy_memory(memory.data(), values.data(), memory.bytes());
  const general_form form = lower_general(of.modes(), of.facts, &added);
  for (const general_tile& tile : tiles_of(form, kind, tiles))
    check_by<half, float, double>(of, form, kind, tile, numbers, wanted, memory.data());
}

void check_fused(unsigned seed, std::size_t tiles) {
  INFO("seed " << seed);
  check_functions<double>(general_by::mma_f64, seed, tiles);
  check_functions<float>(general_by::mma_3xtf32, seed, tiles);
  check_functions<half>(general_by::mma_16, seed, tiles);
  check_functions<float>(general_by::fma, seed, tiles);
  check_pair<float>(seed, tiles);
  check_pair<double>(seed, tiles);
  check_addend(seed, tiles);
}

}  // namespace

TEST_CASE("gpu general contractions: every type and instruction", "[gpu][general]") {
  if (cannot_run({})) return;
  for (unsigned seed = 0; seed < 3; ++seed) check_all_types(seed, 2);
}
TEST_CASE("gpu general contractions: functions, pairs and addends", "[gpu][general]") {
  if (cannot_run({})) return;
  for (unsigned seed = 0; seed < 3; ++seed) check_fused(seed, 2);
}
TEST_CASE("gpu general contractions: a drawn one of each type", "[gpu][general][sanitize]") {
  if (cannot_run({})) return;
  check_all_types(30, 2);
  check_fused(31, 2);
}
// In parts, so that several processes share the compilations.
TEMPLATE_TEST_CASE_SIG("gpu general contractions: 500 drawn ones of all kinds", "[.long]", ((unsigned Part), Part), 0,
                       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14) {
  if (cannot_run({})) return;
  for (unsigned seed = 100 + 2 * Part; seed < 102 + 2 * Part; ++seed) {
    check_all_types(seed, 1 + seed % 4);
    check_fused(seed, 1 + seed % 4);
  }
}
