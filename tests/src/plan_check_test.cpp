// SPDX-License-Identifier: BSD-3-Clause
// Every mistake that a plan or a run can be given: its status, a text with contraction and extents, nothing written.
#include <tessera/batch.hpp>
#include <tessera/group.hpp>
#include <tessera/plan.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction product("ij,jk->ik");

// Memory in which a refused run would leave its mark.
class canaries {
 public:
  canaries() : memory_(400, -99) {}
  double* data() { return memory_.data(); }
  bool untouched() const { return std::count(memory_.begin(), memory_.end(), -99) == 400; }

 private:
  std::vector<double> memory_;
};

// What a good call looks like; each test spoils one thing.
struct good_call {
  std::vector<double> memory = std::vector<double>(400, 1.0);
  canaries out;
  tensor_view<double, cpu, column_major<extents<dynamic, dynamic>>> a = view(memory.data(), of_size(5, 3));
  batch_view<double, cpu, column_major<extents<dynamic, dynamic>>> x =
      view_batch(memory.data() + 100, of_size(3, 4), 6);
  batch_view<double, cpu, column_major<extents<dynamic, dynamic>>> y = view_batch(out.data(), of_size(5, 4), 6);
  plan made = make_plan(product, a, x, y);

  // make_plan must fail so, and, where the operands are given to a plan made for the good ones, so must run.
  template <class A, class X, class Y>
  void check_plan_and_run(status code, std::initializer_list<std::string_view> words, A&& bad_a, X&& bad_x, Y&& bad_y) {
    check_failure(code, {"plan \"ij,jk->ik\""}, [&] { make_plan(product, bad_a, bad_x, bad_y); });
    check_failure(code, words, [&] { make_plan(product, bad_a, bad_x, bad_y); });
    check_run(code, words, bad_a, bad_x, bad_y);
  }
  template <class A, class X, class Y>
  void check_run(status code, std::initializer_list<std::string_view> words, A&& bad_a, X&& bad_x, Y&& bad_y) {
    check_failure(code, {"run \"ij,jk->ik\""}, [&] { made.run(bad_a, bad_x, bad_y); });
    check_failure(code, words, [&] { made.run(bad_a, bad_x, bad_y); });
    CHECK(out.untouched());
  }
};

}  // namespace

TEST_CASE("the good call is good", "[errors]") {
  good_call c;
  c.made.run(c.a, c.x, c.y);
  CHECK_FALSE(c.out.untouched());
}

TEST_CASE("extents that disagree", "[errors]") {
  good_call c;
  double* const p = c.memory.data();
  c.check_plan_and_run(status::shape_mismatch, {"5x3", "4x4", "5x4"}, c.a, view_batch(p, of_size(4, 4), 6), c.y);
  c.check_plan_and_run(status::shape_mismatch, {"6x3", "3x4", "5x4"}, view(p, of_size(6, 3)), c.x, c.y);
  c.check_plan_and_run(status::shape_mismatch, {"5x3", "3x4", "5x5"}, c.a, c.x,
                       view_batch(c.out.data(), of_size(5, 5), 6));
  check_failure(status::shape_mismatch, {"input 1 and input 2", "'j'"},
                [&] { make_plan(product, c.a, view_batch(p, of_size(4, 4), 6), c.y); });
}

TEST_CASE("ranks that disagree", "[errors]") {
  good_call c;
  c.check_plan_and_run(status::shape_mismatch, {"5x3", "12", "5x4"}, c.a, view_batch(c.memory.data(), of_size(12), 6),
                       c.y);
  check_failure(status::shape_mismatch, {"input 2 has rank 1", "2 letters"},
                [&] { make_plan(product, c.a, view_batch(c.memory.data(), of_size(12), 6), c.y); });
  // The letter of the batch is not written.
  auto many = make_batch<double>(of_size(2, 3), 4), out = make_batch<double>(of_size(2, 5), 4);
  auto one = make_tensor<double>(of_size(3, 5));
  check_failure(status::shape_mismatch, {"input 1 has rank 2", "3 letters (that of the batch is not written)"},
                [&] { make_plan(contraction("ike,kj->ije"), many, one, out); });
}

TEST_CASE("sizes that fit each other, but not the plan", "[errors]") {
  good_call c;
  double* const p = c.memory.data();
  c.check_run(status::shape_mismatch, {"input 1 has extents 5x2", "made for 5x3"}, view(p, of_size(5, 2)),
              view_batch(p, of_size(2, 4), 6), c.y);
  c.check_run(status::shape_mismatch, {"input 1", "layout", "5x3"}, view(p, row_major(of_size(5, 3))), c.x, c.y);
  c.check_run(status::shape_mismatch, {"input 2", "layout"}, c.a, view_batch(p, tile_by<2, 2>(of_size(3, 4)), 6), c.y);
  c.check_run(status::shape_mismatch, {"the output", "layout"}, c.a, c.x,
              view_batch(c.out.data(), interleave<2>(of_size(5, 4)), 6));
}

TEST_CASE("batches that disagree", "[errors]") {
  good_call c;
  double* const p = c.memory.data();
  c.check_run(status::shape_mismatch, {"input 2 is a batch of 5", "output of 6", "5x3, 3x4 -> 5x4"}, c.a,
              view_batch(p, of_size(3, 4), 5), c.y);
  c.check_run(status::shape_mismatch, {"input 1 is a batch of 7"}, view_batch(p, of_size(5, 3), 7), c.x, c.y);
  c.check_run(status::shape_mismatch, {"input 2 is a batch of 6", "one tensor"}, c.a, c.x,
              view(c.out.data(), of_size(5, 4)));
  c.check_run(status::shape_mismatch, {"input 2 is a batch of 0"}, c.a, view_batch(p, of_size(3, 4), 0), c.y);
}

TEST_CASE("views of nothing", "[errors]") {
  good_call c;
  const auto null = [](auto v) {
    operand o = operand_of(v);
    o.data = nullptr;
    return o;
  };
  c.check_run(status::null_pointer, {"input 1 is a null pointer", "5x3, 3x4 -> 5x4"}, null(c.a), c.x, c.y);
  c.check_run(status::null_pointer, {"input 2 is a null pointer"}, c.a, null(c.x), c.y);
  c.check_run(status::null_pointer, {"the output is a null pointer"}, c.a, c.x, null(c.y));
}

TEST_CASE("an output that overlaps an input", "[errors]") {
  good_call c;
  double* const q = c.out.data();
  c.check_run(status::overlap, {"overlaps input 1", "5x3, 3x4 -> 5x4"}, view(q + 119, of_size(5, 3)), c.x, c.y);
  c.check_run(status::overlap, {"overlaps input 2"}, c.a, view_batch(q + 40, of_size(3, 4), 6), c.y);
  c.check_run(status::overlap, {"overlaps input 2"}, c.a, view_batch(q, of_size(3, 4), 6, 20), c.y);
  // Side by side is fine.
  std::fill(q + 120, q + 120 + 15, 1.0);
  CHECK(failure_of([&] { c.made.run(view(q + 120, of_size(5, 3)), c.x, c.y); }).code == status::ok);
}

TEST_CASE("a pointwise product in place is fine, one shifted by an entry is not", "[errors]") {
  std::vector<double> memory(100, 2);
  const contraction pointwise("ab,ab->ab");
  const auto x = view_batch(memory.data(), of_size(5, 3), 4);
  const auto d = view(memory.data() + 80, of_size(5, 3));
  const plan p = make_plan(pointwise, d, x, x);
  p.run(d, x, x);
  CHECK(memory[59] == 4);
  const std::vector<double> before = memory;
  check_failure(status::overlap, {"run \"ab,ab->ab\"", "5x3"},
                [&] { p.run(d, view_batch(memory.data() + 1, of_size(5, 3), 4), x); });
  check_failure(status::overlap, {"run \"ab,ab->ab\"", "5x3"},
                [&] { p.run(d, view_batch(memory.data(), of_size(5, 3), 4, 16), x); });
  // A shared input inside the output would change under the batch.
  check_failure(status::overlap, {"run \"ab,ab->ab\"", "5x3"},
                [&] { p.run(view(memory.data(), of_size(5, 3)), x, x); });
  CHECK(memory == before);
}

TEST_CASE("an output that overlaps itself", "[errors]") {
  good_call c;
  double* const q = c.out.data();
  const auto spoiled = [&](auto layout) {
    check_failure(status::overlap, {"plan \"ij,jk->ik\"", "5x3, 3x4 -> 5x4"},
                  [&] { make_plan(product, c.a, c.x, view_batch(q, layout, 6)); });
  };
  spoiled(column_major(of_size(5, 4), 4));
  spoiled(row_major(of_size(5, 4), 3));
  spoiled(strided(of_size(5, 4), 1, 0));
  spoiled(strided(of_size(5, 4), 2, 4));
  c.check_run(status::overlap, {"batch entries of the output overlap", "stride 0"}, c.a, c.x,
              view_batch(q, of_size(5, 4), 6, 0));
  c.check_run(status::overlap, {"batch entries of the output overlap", "stride 19"}, c.a, c.x,
              view_batch(q, of_size(5, 4), 6, 19));
  // Strides that interleave without meeting are fine: (2, 5) over 5 x 2 is not nested, and distinct.
  const auto woven = strided(of_size(5, 4), 4, 1);
  CHECK(failure_of([&] { make_plan(product, c.a, c.x, view_batch(q, woven, 6)); }).code == status::ok);
  std::vector<double> components(20 * 6);
  const auto component = view_batch(components.data(), strided(of_size(5, 4), 6, 30), 6, 1);
  const plan p = make_plan(product, c.a, c.x, component);
  CHECK(failure_of([&] { p.run(c.a, c.x, component); }).code == status::ok);
}

TEST_CASE("an output that overlaps itself between lanes", "[errors]") {
  good_call c;
  operand lanes = operand_of(view_batch(c.out.data(), interleave<4>(of_size(5, 4)), 6));
  lanes.facts.stride[0] = 1;  // inside the four lanes
  check_failure(status::overlap, {"plan \"ij,jk->ik\"", "5x4"}, [&] { make_plan(product, c.a, c.x, lanes); });
}

TEST_CASE("negative and overflowing numbers", "[errors]") {
  good_call c;
  const auto with_extent = [](auto v, index_t e) {
    operand o = operand_of(v);
    o.facts.extent[1] = e;
    return o;
  };
  check_failure(status::overflow, {"plan \"ij,jk->ik\"", "3x-4"},
                [&] { make_plan(product, c.a, with_extent(c.x, -4), c.y); });
  check_failure(status::overflow, {"plan \"ij,jk->ik\"", "3x4611686018427387904"},
                [&] { make_plan(product, c.a, with_extent(c.x, index_t{1} << 62), c.y); });
  operand negative = operand_of(c.x);
  negative.count = -6;
  c.check_run(status::overflow, {"batch of -6"}, c.a, negative, c.y);
  operand backwards = operand_of(c.x);
  backwards.stride = -12;
  c.check_run(status::overflow, {"stride -12"}, c.a, backwards, c.y);
  operand endless = operand_of(c.x);
  endless.stride = index_t{1} << 61;
  c.check_run(status::overflow, {"stride 2305843009213693952"}, c.a, endless, c.y);
}

TEST_CASE("a group whose list of addresses no memory holds", "[errors]") {
  double one = 2, *list[] = {&one};
  operand many = operand_of(view_group(list, of_size(1, 1), 1));
  many.count = index_t{1} << 58;  // its entries would fit
  check_failure(status::overflow, {"plan \"ij,jk->ik\"", "a group of 288230376151711744"},
                [&] { make_plan(product, view(&one, of_size(1, 1)), many, many); });
}

TEST_CASE("offsets that have to be listed: none where a letter is empty", "[errors]") {
  const contraction what("beDc,be,acDe->ac");
  constexpr index_t many = index_t{1} << 47;
  double some[2]{};
  const auto shape = [&](auto... extents) {
    operand o = operand_of(view(some, of_size(extents...)));
    o.data = nullptr;
    return o;
  };
  // The operand "be" lacks the letters D and c; counted in turn they would take hours.
  CHECK_NOTHROW(
      make_plan(what, shape(2, 1, 0, many), shape(2, 1), shape(1, many, 0, 1), shape(1, many), on(target::reference)));
}

TEST_CASE("leading dimensions: every extent counts", "[errors]") {
  const index_t extent[] = {3, 5};
  CHECK_NOTHROW(check_leading("view", extent, 2, 0, 3));
  for (const index_t leading : {index_t{-1}, max_reach})
    check_failure(status::overflow, {"view", "leading dimension " + std::to_string(leading), "3x5"},
                  [&] { check_leading("view", extent, 2, 0, leading); });
}

TEST_CASE("strides of an operand that are too long, in either direction", "[errors]") {
  good_call c;
  for (const index_t stride : {index_t{1} << 62, -(index_t{1} << 62), std::numeric_limits<index_t>::min()}) {
    operand endless = operand_of(c.x);
    endless.facts.stride[1] = stride;
    check_failure(status::overflow, {"plan \"ij,jk->ik\"", "stride " + std::to_string(stride), "3x4"},
                  [&] { make_plan(product, c.a, endless, c.y); });
  }
}

TEST_CASE("an output that repeats an entry along a dimension is refused by name", "[errors]") {
  good_call c;
  operand repeated = operand_of(c.y);
  repeated.facts.stride[1] = 0;
  check_failure(
      status::overlap,
      {"plan \"ij,jk->ik\"", "two entries of the output share one address", "its dimension 1 of extent 4 has stride 0"},
      [&] { make_plan(product, c.a, c.x, repeated); });
}

TEST_CASE("memory in the wrong space", "[errors]") {
  good_call c;
  const auto gpu_a = view(gpu, c.memory.data(), of_size(5, 3));
  const auto gpu_y = view_batch(gpu, c.out.data(), of_size(5, 4), 6);
  c.check_plan_and_run(status::wrong_space, {"input 1 is in gpu memory", "cpu", "5x3, 3x4 -> 5x4"}, gpu_a, c.x, c.y);
  c.check_plan_and_run(status::wrong_space, {"5x3, 3x4 -> 5x4", "gpu memory"}, c.a, c.x, gpu_y);
  check_failure(status::wrong_space, {"plan \"ij,jk->ik\"", "cuda", "cpu memory"},
                [&] { make_plan(product, c.a, c.x, c.y, on(target::cuda)); });
  check_failure(status::wrong_space, {"plan \"ij,jk->ik\"", "reference", "gpu memory"}, [&] {
    make_plan(product, gpu_a, view_batch(gpu, c.memory.data(), of_size(3, 4), 6), gpu_y, on(target::reference));
  });
}

TEST_CASE("no device, no such target", "[errors]") {
  good_call c;
  const auto a = view(gpu, c.memory.data(), of_size(5, 3));
  const auto x = view_batch(gpu, c.memory.data(), of_size(3, 4), 6);
  const auto y = view_batch(gpu, c.out.data(), of_size(5, 4), 6);
  if (!is_available(target::cuda))
    check_failure(status::no_device, {"plan \"ij,jk->ik\"", "cuda", "5x3, 3x4 -> 5x4"},
                  [&] { make_plan(product, a, x, y); });
  for (target t : all_targets)
    if (!is_available(t) && t != target::cuda)
      check_failure(status::no_target, {"plan \"ij,jk->ik\"", name_of(t), "5x3, 3x4 -> 5x4"},
                    [&] { make_plan(product, c.a, c.x, c.y, on(t)); });
}

TEST_CASE("scalar types that disagree, or that no kernel knows", "[errors]") {
  good_call c;
  std::vector<float> floats(120, 1);
  std::vector<unsigned> integers(100, 1);
  c.check_plan_and_run(status::wrong_type, {"input 1", "5x3, 3x4 -> 5x4"}, view(floats.data(), of_size(5, 3)), c.x,
                       c.y);
  c.check_plan_and_run(status::wrong_type, {"5x3, 3x4 -> 5x4"}, c.a, c.x, view_batch(floats.data(), of_size(5, 4), 6));
  check_failure(status::wrong_type, {"input 1 is f32", "output f64"},
                [&] { make_plan(product, view(floats.data(), of_size(5, 3)), c.x, c.y); });
  check_failure(status::wrong_type, {"input 2 is of a type without kernels"},
                [&] { make_plan(product, c.a, view(integers.data(), of_size(3, 4)), c.y); });
}

TEST_CASE("an output that must not be written", "[errors]") {
  good_call c;
  const double* fixed = c.out.data();
  c.check_plan_and_run(status::invalid_argument, {"the output is const", "5x3, 3x4 -> 5x4"}, c.a, c.x,
                       view_batch(fixed, of_size(5, 4), 6));
}

TEST_CASE("another number of operands", "[errors]") {
  good_call c;
  check_failure(status::invalid_argument, {"contraction \"ij,jk->ik\"", "4 operands given, 3 needed", "5x3"},
                [&] { make_plan(product, c.a, c.x, c.x, c.y); });
  check_failure(status::invalid_argument, {"contraction \"ij,jk->ik\"", "4 operands given, 3 needed"},
                [&] { c.made.run(c.a, c.x, c.x, c.y); });
  CHECK(c.out.untouched());
}

TEST_CASE("null lists of operands and extents", "[errors]") {
  good_call c;
  check_failure(status::null_pointer, {"contraction \"ij,jk->ik\"", "3 operands"},
                [&] { c.made.run_operands(nullptr, 3, {}); });
  check_failure(status::null_pointer, {"contraction \"ij,jk->ik\"", "3 operands"},
                [&] { make_plan_of(product, nullptr, 3, {}); });
  check_failure(status::invalid_argument, {"2 operands given, 3 needed"},
                [&] { make_plan_of(product, nullptr, 2, {}); });
  check_failure(status::null_pointer, {"shape", "3 extents"}, [] { shape(nullptr, 3); });
  CHECK(shape(nullptr, 0).rank() == 0);
}

TEST_CASE("memory that is not aligned to its numbers", "[errors]") {
  good_call c;
  const auto off = [](double* p) { return reinterpret_cast<double*>(reinterpret_cast<char*>(p) + 4); };
  c.check_run(status::invalid_argument, {"the output", "no multiple of 8 bytes", "5x3, 3x4 -> 5x4"}, c.a, c.x,
              view_batch(off(c.out.data()), of_size(5, 4), 6));
  c.check_run(status::invalid_argument, {"input 1", "no multiple of 8 bytes"},
              view(off(c.memory.data()), of_size(5, 3)), c.x, c.y);
}

TEST_CASE("the text of a long einsum is cut short", "[errors]") {
  try {
    contraction(std::string(1000000, 'i'));
    FAIL("no error");
  } catch (const error& e) {
    CHECK(e.code() == status::bad_einsum);
    CHECK(std::string(e.what()).size() < 500);
  }
}
