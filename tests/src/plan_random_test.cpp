// SPDX-License-Identifier: BSD-3-Clause
// Contractions nobody thought of: random letters, orders and extents, two and three inputs, against the definition.
#include <algorithm>
#include <memory>
#include <string>

#include "testing/arranged.hpp"
#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;
using table1::tensor_shape;

namespace {

class random_source {
 public:
  explicit random_source(unsigned seed) : state_(seed * 2654435761u + 99u) {}
  int below(int n) {
    state_ = state_ * 1664525u + 1013904223u;
    return int((state_ >> 16) % unsigned(n));
  }

 private:
  unsigned state_;
};

struct random_contraction {
  std::string text;
  std::vector<tensor_shape> sizes;  // inputs, then the output
};

random_contraction from_letters(const std::vector<std::string>& operand, const std::vector<index_t>& extent) {
  random_contraction drawn;
  for (std::size_t o = 0; o < operand.size(); ++o) {
    drawn.text += (o == 0 ? "" : o + 1 < operand.size() ? "," : "->") + operand[o];
    tensor_shape sizes;
    sizes.rank = int(operand[o].size());
    for (int d = 0; d < sizes.rank; ++d) sizes.extent[d] = extent[std::size_t(operand[o][std::size_t(d)] - 'a')];
    drawn.sizes.push_back(sizes);
  }
  return drawn;
}

// Every letter is given to two or more operands, in random order.
random_contraction draw(random_source& next, int inputs) {
  const int letters = 1 + next.below(5);
  std::vector<std::string> operand(std::size_t(inputs) + 1);
  std::vector<index_t> extent;
  for (int l = 0; l < letters; ++l) {
    extent.push_back(next.below(12) == 0 ? 0 : 1 + next.below(4));
    int holders = 0;
    while (holders < 2) {
      holders = 0;
      for (std::string& letters_of : operand)
        letters_of.erase(std::remove(letters_of.begin(), letters_of.end(), char('a' + l)), letters_of.end());
      for (std::string& letters_of : operand)
        if (next.below(2) == 0) {
          letters_of.insert(std::size_t(next.below(int(letters_of.size()) + 1)), 1, char('a' + l));
          ++holders;
        }
    }
  }
  return from_letters(operand, extent);
}

// Up to twelve letters an operand, in any roles, with extents small enough for plain loops.
random_contraction draw_wide(random_source& next, int inputs) {
  std::vector<std::string> operand(std::size_t(inputs) + 1);
  std::vector<index_t> extent;
  index_t steps = 1;
  for (int l = 0, letters = 6 + next.below(13); l < letters; ++l) {
    const std::size_t missing = std::size_t(next.below(inputs + 2)), other = std::size_t(next.below(inputs + 2));
    std::vector<std::string*> holders;
    for (std::size_t o = 0; o < operand.size(); ++o)
      if (o != missing && (inputs == 2 || o != other) && int(operand[o].size()) < max_rank)
        holders.push_back(&operand[o]);
    if (holders.size() < 2) continue;
    const index_t wanted = 1 + next.below(3);
    const index_t size = steps * wanted <= 4096 ? wanted : 1;
    steps *= size;
    for (std::string* letters_of : holders)
      letters_of->insert(std::size_t(next.below(int(letters_of->size()) + 1)), 1, char('a' + int(extent.size())));
    extent.push_back(size);
  }
  return from_letters(operand, extent);
}

template <class T>
void check_one(const random_contraction& drawn, random_source& next) {
  const index_t count = 1 + next.below(4);
  const contraction what(drawn.text, {double(next.below(3) - 1), double(next.below(3) - 1)});
  std::vector<std::unique_ptr<arranged<T>>> memory;
  std::vector<entries<T>> held;
  std::vector<operand> all;
  std::string shapes;
  for (std::size_t o = 0; o < drawn.sizes.size(); ++o) {
    const tensor_shape& sizes = drawn.sizes[o];
    const bool is_input = o + 1 < drawn.sizes.size(), shared = is_input && next.below(3) == 0;
    const auto some = [&](int times) { return next.below(times) == 0 ? unsigned(next.below(1 << max_rank)) : 0; };
    const arrangement how{.order = next.below(6),
                          .gap = next.below(2),
                          .start = next.below(3),
                          .lanes = next.below(4) == 0 ? 4 : 1,
                          .table = next.below(6) == 0,
                          .reversed = some(3),
                          .repeated = is_input ? some(4) : 0};
    memory.push_back(std::make_unique<arranged<T>>(sizes, shared ? -1 : count, how));
    entries<T> e{.extent = {sizes.extent, sizes.extent + sizes.rank},
                 .count = shared ? 1 : count,
                 .batched = !shared,
                 .value = {}};
    for (index_t b = 0; b < e.count; ++b)
      for (index_t i = 0; i < sizes.size(); ++i) memory.back()->at(i, b) = T(next.below(9) - 4);
    for (index_t b = 0; b < e.count; ++b)  // of an entry that is repeated the last value remains
      for (index_t i = 0; i < sizes.size(); ++i) e.value.push_back(memory.back()->at(i, b));
    held.push_back(e);
    all.push_back(memory.back()->get());
    shapes += " " + text_of(sizes.extent, sizes.rank);
  }
  const entries<T> before = held.back();
  held.pop_back();
  const wanted_result wanted = by_definition<T>(what, held, before);
  for (target where : cpu_targets()) {
    INFO(drawn.text << " over" << shapes << ", batch of " << count << ", on " << name_of(where));
    entries<T> result = before;
    for (std::size_t i = 0; i < before.value.size(); ++i)
      memory.back()->at(index_t(i) % before.size(), index_t(i) / before.size()) = before.value[i];
    make_plan_of(what, all.data(), int(all.size()), on(where)).run_operands(all.data(), int(all.size()), {});
    for (std::size_t i = 0; i < before.value.size(); ++i)
      result.value[i] = memory.back()->at(index_t(i) % before.size(), index_t(i) / before.size());
    CHECK(count_different(result, wanted) == 0);
    CHECK(memory.back()->gaps_untouched());
  }
}

}  // namespace

TEST_CASE("random contractions of two inputs", "[plan]") {
  random_source next(1);
  for (int i = 0; i < 600; ++i) {
    const random_contraction drawn = draw(next, 2);
    check_one<double>(drawn, next);
    check_one<float>(drawn, next);
  }
}

TEST_CASE("random contractions of three inputs", "[plan]") {
  random_source next(2);
  for (int i = 0; i < 600; ++i) {
    const random_contraction drawn = draw(next, 3);
    check_one<double>(drawn, next);
    check_one<float>(drawn, next);
  }
}

TEST_CASE("random contractions of up to twelve modes a tensor", "[plan]") {
  random_source next(4);
  int widest = 0;
  for (int i = 0; i < 200; ++i)
    for (const int inputs : {2, 2, 3}) {
      const random_contraction drawn = draw_wide(next, inputs);
      for (const tensor_shape& sizes : drawn.sizes) widest = std::max(widest, sizes.rank);
      check_one<double>(drawn, next);
    }
  CHECK(widest == max_rank);
}

TEST_CASE("as many letters as there can be", "[plan]") {
  random_source next(3);
  const auto check = [&](const char* text, std::vector<std::string> operands) {
    random_contraction drawn{text, {}};
    for (const std::string& letters : operands) {
      tensor_shape sizes;
      sizes.rank = int(letters.size());
      for (int d = 0; d < sizes.rank; ++d) sizes.extent[d] = letters[std::size_t(d)] % 3 == 0 ? 2 : 1;
      drawn.sizes.push_back(sizes);
    }
    check_one<double>(drawn, next);
  };
  check("abcdefghijks,abcdefghijks->abcdefghijk", {"abcdefghijks", "abcdefghijks", "abcdefghijk"});
  check("abcdefghijkl,abcdefghijkl->", {"abcdefghijkl", "abcdefghijkl", ""});
  check("abcdefghijkl,lkjihgfedcba->", {"abcdefghijkl", "lkjihgfedcba", ""});
  check("abcdefghijkl,abcdefghijkl->abcdefghijkl", {"abcdefghijkl", "abcdefghijkl", "abcdefghijkl"});
  check("abcdef,ghijkl->agbhcidjekfl", {"abcdef", "ghijkl", "agbhcidjekfl"});
  check("abcdefuvwxyz,ghijklzyxwvu->abcdefghijkl", {"abcdefuvwxyz", "ghijklzyxwvu", "abcdefghijkl"});
  check("sabcdefghijk,slabcdefghij,sklabcdefghi->abcdefghijkl",
        {"sabcdefghijk", "slabcdefghij", "sklabcdefghi", "abcdefghijkl"});
}
