// SPDX-License-Identifier: BSD-3-Clause
// What contractions with functions, pairs, addends and integers refuse, and their texts; nothing is written then.
#include <algorithm>
#include <vector>

#include <tessera/chain.hpp>
#include <tessera/target.hpp>
#include <tessera/tessera.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction plain_product("ik,kj->ij");

// Matrices of 2x3, 3x2 and 2x2, of any types.
template <class A, class B = A, class D = A, class Out = A>
struct operands_of_types {
  std::vector<A> a = std::vector<A>(6, A(1));
  std::vector<B> b = std::vector<B>(6, B(1));
  std::vector<D> d = std::vector<D>(4, D(1));
  std::vector<Out> out = std::vector<Out>(4, Out(7));

  void make(const contraction& what, const plan_options& options = {}) {
    const auto left = view(a.data(), of_size(2, 3));
    const auto right = view(b.data(), of_size(3, 2));
    const auto to = view(out.data(), of_size(2, 2));
    if (what.addend())
      make_plan(what, left, right, view(d.data(), of_size(2, 2)), to, options);
    else
      make_plan(what, left, right, to, options);
  }
};

}  // namespace

TEST_CASE("fused errors: texts with an addend that is none", "[fused][errors]") {
  const auto refuse = [](const char* text, std::initializer_list<std::string_view> words) {
    INFO(text);
    check_failure(status::bad_einsum, {"contraction \"", text}, [&] { contraction{text}; });
    check_failure(status::bad_einsum, words, [&] { contraction{text}; });
  };
  refuse("ik,kj+ik->ij", {"letter 'k' of the addend is not in the output"});
  refuse("ik,kj+i->ij", {"output letter 'j' is not in the addend"});
  refuse("ik,kj+iij->ij", {"letter 'i' is repeated in the addend"});
  refuse("ik,kj+ij+ij->ij", {"unexpected character '+'"});
  refuse("ik,kj+i1->ij", {"unexpected character '1'"});
  refuse("ik+kj,kj->ij", {"it needs two or three inputs"});
  refuse("ik,kj->ij+ij", {"unexpected character '+'"});
  refuse("ik,kl,lj+ij->ij", {"3 inputs and an addend", "two inputs"});
  CHECK(contraction("i k, k j + j i -> i j").addend()->rank == 2);
  CHECK(contraction("i,j+ij->ij").scale().beta == complex<double>(1));
  CHECK(contraction("i,j->ij").scale().beta == complex<double>(0));
  CHECK(contraction("i,i+->").addend()->rank == 0);
}

TEST_CASE("fused errors: three inputs take no functions and no other pair", "[fused][errors]") {
  const contraction three("ki,kj,ck->cij");
  check_failure(status::invalid_argument, {"\"ki,kj,ck->cij\"", "3 inputs and functions of entries", "two inputs"},
                [&] { three.with({.a = relu}); });
  check_failure(status::invalid_argument, {"3 inputs and another pair of operations"}, [&] { three.over(min_plus); });
  CHECK_NOTHROW(three.with({}).over(plus_times));
}

TEST_CASE("fused errors: names of functions and pairs", "[fused][errors]") {
  for (const entry_function& f : {entry_function{}, relu, leaky_relu(0.0625), elu(1e-300), conjugate})
    CHECK(entry_function_from(text_of(f)) == f);
  for (const operations& p : {plus_times, min_plus, max_plus, max_times, or_and})
    CHECK(operations_from(text_of(p)) == p);
  CHECK(entry_function_from("leaky_relu") == leaky_relu());
  check_failure(status::invalid_argument, {"no function of entries is called 'rellu'", "did you mean 'relu'", "elu"},
                [] { entry_function_from("rellu"); });
  check_failure(status::invalid_argument, {"relu has no parameter"}, [] { entry_function_from("relu 1"); });
  check_failure(status::invalid_argument, {"function \"elu\"", "\"one\" is not a number"},
                [] { entry_function_from("elu one"); });
  check_failure(status::invalid_argument, {"no pair of operations is called 'minplus'", "min_plus"},
                [] { operations_from("minplus"); });
}

TEST_CASE("fused errors: types that do not go together", "[fused][types][errors]") {
  using z = complex<double>;
  const auto in = [](scalar_type sum) { return contraction("ik,kj->ij", assign, sum); };
  check_failure(status::wrong_type,
                {"input 1 is f32, input 2 f64, the output f32", "2x3, 3x2 -> 2x2", "sums_in<double>"},
                [&] { operands_of_types<float, double, float, float>().make(plain_product.with({.a = relu})); });
  check_failure(status::wrong_type, {"input 1 is i32, input 2 i16", "f64, c32", "products of integers"},
                [&] { operands_of_types<int, short>().make(plain_product); });
  check_failure(status::wrong_type, {"input 2 is c64, and sums in f64 do not take it"},
                [&] { operands_of_types<double, z, double, double>().make(in(scalar_type::f64)); });
  check_failure(status::wrong_type, {"input 1 is f32, and sums in i32 do not take it"},
                [&] { operands_of_types<float, int, int, int>().make(in(scalar_type::i32)); });
  check_failure(status::wrong_type, {"the output is i32, which sums in f32 do not become"},
                [&] { operands_of_types<int, int, int, int>().make(in(scalar_type::f32)); });
  check_failure(status::wrong_type, {"the output is f64, which sums in c64 do not become"},
                [&] { operands_of_types<z, z, z, double>().make(in(scalar_type::c64)); });
  check_failure(status::wrong_type, {"the addend f64, the output i32", "the addend is f64, and sums in i32"},
                [&] { operands_of_types<int, int, double, int>().make(contraction("ik,kj+ij->ij")); });
  check_failure(status::wrong_type, {"sums in f16", "f32, f64, c32, c64, i32 or i64"},
                [&] { operands_of_types<half>().make(in(scalar_type::f16)); });
  check_failure(status::wrong_type, {"relu (A) is of real numbers, and sums are in c64"},
                [&] { operands_of_types<z>().make(plain_product.with({.a = relu})); });
  check_failure(status::wrong_type, {"elu 1 (result) is of floating numbers, and sums are in i32"},
                [&] { operands_of_types<int>().make(plain_product.with({.result = elu(1)})); });
  check_failure(status::wrong_type, {"min_plus is of real numbers, and sums are in c64"},
                [&] { operands_of_types<z>().make(plain_product.over(min_plus)); });
  const entry_function own = entry_function::own<float>("mine", "x", [](auto x) { return x; });
  check_failure(status::wrong_type, {"mine (B) has no function for sums in f64", "entry_function::own<type>"},
                [&] { operands_of_types<double>().make(plain_product.with({.b = own})); });
  const auto first = [](auto a, auto) { return a; };
  const operations pair = operations::own<float>({.name = "left_one", .multiply = "a", .add = "c"}, first, first,
                                                 [](auto zero) { return zero; });
  check_failure(status::wrong_type, {"the pair left_one has no functions for sums in f64"},
                [&] { operands_of_types<double>().make(plain_product.over(pair)); });
}

TEST_CASE("fused errors: what is for GPUs only", "[fused][errors]") {
  const entry_function text = entry_function::own("mine", "x + 1");
  check_failure(status::wrong_type, {"mine (B) has no function for sums in f64 on CPUs", "its text is for GPUs"},
                [&] { operands_of_types<double>().make(plain_product.with({.b = text})); });
  const entry_function nothing = entry_function::own("nothing", "");
  check_failure(status::wrong_type, {"nothing (A) has no function for sums in f64 on CPUs"},
                [&] { operands_of_types<double>().make(plain_product.with({.a = nothing})); });
  const operations pair =
      operations::own<double>({.name = "left_one", .multiply = "a", .add = "c"}, [](auto zero) { return zero; });
  check_failure(status::wrong_type, {"the pair left_one has no functions for sums in f64 on CPUs", "text is for GPUs"},
                [&] { operands_of_types<double>().make(plain_product.over(pair)); });
}

TEST_CASE("fused errors: factors", "[fused][errors]") {
  const auto scaled = [](double alpha, complex<double> beta) { return contraction("ik,kj->ij", {alpha, beta}); };
  check_failure(status::wrong_type, {"min_plus takes alpha = 1 and beta = 0 or 1, not 2.000000 and 0.000000"},
                [&] { operands_of_types<double>().make(scaled(2, 0).over(min_plus)); });
  check_failure(status::wrong_type, {"max_plus takes alpha = 1", "not 1.000000 and -1.000000"},
                [&] { operands_of_types<double>().make(scaled(1, -1).over(max_plus)); });
  check_failure(status::wrong_type, {"imaginary part, sums are in f64"}, [&] {
    operands_of_types<double>().make(scaled(1, {0, 1}).with({.a = relu}));
  });
  check_failure(status::wrong_type, {"0.500000, no integer of i32"},
                [&] { operands_of_types<int>().make(scaled(0.5, 0)); });
  check_failure(status::wrong_type, {"no integer of i32"}, [&] { operands_of_types<int>().make(scaled(0x1p31, 0)); });
  CHECK_NOTHROW(operands_of_types<long long>().make(scaled(0x1p31, 1)));
}

TEST_CASE("fused errors: sizes and ranks of an addend", "[fused][errors]") {
  std::vector<double> memory(30, 1), out(6, 7);
  const contraction what("ik,kj+ji->ij");
  const auto a = view(memory.data(), of_size(3, 4)), b = view(memory.data(), of_size(4, 2));
  const auto to = view(out.data(), of_size(3, 2));
  const auto d = view(memory.data(), of_size(2, 3));
  CHECK_NOTHROW(make_plan(what, a, b, d, to));
  check_failure(status::shape_mismatch, {"3x4, 4x2 + 3x2 -> 3x2", "the addend and the output", "extent of 'j'"},
                [&] { make_plan(what, a, b, to, to); });
  check_failure(status::shape_mismatch, {"the addend has rank 1, the einsum gives it 2 letters"},
                [&] { make_plan(what, a, b, view(memory.data(), of_size(6)), to); });
  check_failure(status::invalid_argument, {"3 operands given, 4 needed"}, [&] { make_plan(what, a, b, to); });
  check_failure(status::shape_mismatch, {"run \"ik,kj+ji->ij\"", "the addend has extents 3x2", "made for 2x3"},
                [&] { make_plan(what, a, b, d, to).run(a, b, to, to); });
  operand null = operand_of(d);
  null.data = nullptr;
  check_failure(status::null_pointer, {"the addend is a null pointer"},
                [&] { make_plan(what, a, b, d, to).run(a, b, null, to); });
  const double* fixed = out.data();
  check_failure(status::invalid_argument, {"3x4, 4x2 + 2x3 -> 3x2", "the output is const"},
                [&] { make_plan(what, a, b, d, view(fixed, of_size(3, 2))); });
  CHECK(std::count(out.begin(), out.end(), 7) == 6);
}

TEST_CASE("fused errors: an addend shares all addresses with the output, or none", "[fused][errors]") {
  std::vector<double> memory(20, 1);
  const auto a = view(memory.data(), of_size(2, 3)), b = view(memory.data() + 6, of_size(3, 2));
  const auto at = [&](int first) { return view(memory.data() + first, of_size(2, 2)); };
  const auto run = [&](const char* text, const auto& d, const auto& to) {
    make_plan(contraction(text), a, b, d, to).run(a, b, d, to);
  };
  run("ik,kj+ij->ij", at(12), at(12));
  CHECK(memory[12] == 4);
  CHECK(memory[15] == 4);
  check_failure(status::overlap, {"run \"ik,kj+ij->ij\"", "overlaps the addend, and is not at its addresses"},
                [&] { run("ik,kj+ij->ij", at(13), at(12)); });
  check_failure(status::overlap, {"overlaps the addend"}, [&] { run("ik,kj+ji->ij", at(12), at(12)); });
  // As another type it would be read after some of it is written.
  check_failure(status::overlap, {"overlaps the addend"}, [&] {
    run("ik,kj+ij->ij", view(reinterpret_cast<float*>(memory.data() + 12), of_size(2, 2)), at(12));
  });
  check_failure(status::overlap, {"the output overlaps input 1"}, [&] { run("ik,kj+ij->ij", at(12), at(0)); });
  CHECK(std::count(memory.begin(), memory.end(), 4) == 4);
  // Entries that are multiplied one by one are read before they are replaced, as in plain contractions.
  make_plan(contraction("ij,ij->ij").with({.a = leaky_relu(2)}), at(12), at(0), at(12)).run(at(12), at(0), at(12));
}

TEST_CASE("fused errors: a run with another addend than the plan's", "[fused][errors]") {
  std::vector<double> memory(30, 1);
  std::vector<float> floats(4, 1);
  const auto square = [&](int first) { return view(memory.data() + first, of_size(2, 2)); };
  const plan made = make_plan(contraction("ik,kj+ij->ij"), square(0), square(4), square(8), square(12));
  check_failure(status::wrong_type, {"the addend has another scalar type"},
                [&] { made.run(square(0), square(4), view(floats.data(), of_size(2, 2)), square(12)); });
  check_failure(status::shape_mismatch, {"the addend has another layout"}, [&] {
    made.run(square(0), square(4), view(memory.data() + 16, row_major(of_size(2, 2))), square(12));
  });
}

TEST_CASE("fused errors: groups in device memory, and steps of chains", "[fused][errors]") {
  std::vector<double> memory(12, 1);
  if (is_available(target::cuda)) {
    operand group = operand_of(view(gpu, memory.data(), of_size(2, 2)));
    group.batched = group.grouped = true;
    const operand all[] = {group, group, group};
    check_failure(status::wrong_type, {"has functions of entries", "that strides describe", "members of a group"},
                  [&] { make_plan_of(plain_product.with({.a = relu}), all, 3, {}); });
  }
  const auto on_cpu = [&](int first) { return operand_of(view(memory.data() + first, of_size(2, 2))); };
  check_failure(status::wrong_type, {"chain: step \"ik,kj->ij\" has functions of entries", "a plan does"}, [&] {
    chain({{plain_product, {on_cpu(0)}}, {plain_product.with({.result = relu}), {on_cpu(0)}}}, on_cpu(4), on_cpu(8));
  });
}
