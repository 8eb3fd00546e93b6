// SPDX-License-Identifier: BSD-3-Clause
// The 48 contractions of TCCG by plans on CPUs: right at small extents, and without tables at full ones.
#include <tessera/plan.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/general_case.hpp"
#include "testing/targets.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// The row with other extents, packed.
general_case case_of(const tccg_row& row, const index_t (&extent)[7]) {
  tccg_row sized = row;
  std::copy(extent, extent + 7, sized.extents);
  general_case made;
  made.text = einsum_of(row);
  const row_facts facts = packed_facts(sized);
  std::copy(facts.at, facts.at + max_inputs + 1, made.facts);
  return made;
}

// Small, unequal, in the order of the published ones; 2 * product(extent) is `flops` at least.
general_case scaled_case(const tccg_row& row, double flops) {
  index_t extent[7]{};
  for (double power = 0.2;; power += 0.02) {
    double all = 2;
    for (int c = 0; c < 7; ++c) {
      extent[c] = row.extents[c] == 0 ? 0 : index_t(std::pow(double(row.extents[c]), power)) + 1 + c % 3;
      if (extent[c] > 0) all *= double(extent[c]);
    }
    if (all >= flops) return case_of(row, extent);
  }
}

void fill_case(general_case& c, unsigned seed) {
  integer_source next(seed);
  std::vector<double>* const memory[] = {&c.left, &c.right, &c.out};
  for (int t = 0; t < 3; ++t) {
    index_t entries = 1;
    for (int d = 0; d < c.of(t).rank; ++d) entries *= c.of(t).extent[d];
    for (index_t i = 0; i < entries; ++i) memory[t]->push_back(next());
  }
}

template <class T>
operand operand_with(const operand_facts& facts, T* data) {
  operand o;
  o.type = scalar_of<T>;
  o.entry_bytes = sizeof(T);
  o.facts = facts;
  o.data = data;
  o.span = 1;
  for (int d = 0; d < facts.rank; ++d) o.span += (facts.extent[d] - 1) * facts.stride[d];
  return o;
}

template <class T, class Out = T>
void check_row(const general_case& c, const std::vector<double>& wanted, const plan_options& options) {
  std::vector<T> left(c.left.begin(), c.left.end()), right(c.right.begin(), c.right.end());
  std::vector<Out> out(c.out.begin(), c.out.end());
  const operand all[] = {operand_with(c.facts[0], left.data()), operand_with(c.facts[1], right.data()),
                         operand_with(c.facts[output], out.data())};
  const plan made = make_plan_of(contraction(c.text, {c.alpha, c.beta}), all, 3, options);
  made.run_operands(all, 3, {});
  INFO(made.describe());
  index_t wrong = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) wrong += out[i] != Out(wanted[i]);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every contraction of TCCG is right on every CPU target and in every type", "[plan][tccg]") {
  for (const tccg_row& row : tccg_rows) {
    INFO("row " << row.id << ", " << row.text);
    general_case c = scaled_case(row, 2e4);
    c.alpha = 2, c.beta = -1;
    fill_case(c, unsigned(row.id));
    const std::vector<double> wanted = c.after();
    for (const target where : cpu_targets()) {
      check_row<double>(c, wanted, on(where));
      check_row<float>(c, wanted, on(where));
      check_row<complex<double>>(c, wanted, on(where));
      check_row<half, float>(c, wanted, on(where));
    }
  }
}

// One row of each kind, and each with a sum over one index and over two.
TEST_CASE("large contractions of TCCG run in pieces, by any number of threads", "[plan][tccg]") {
  for (const int id : {1, 6, 9, 12, 13, 20, 29, 31, 40}) {
    const tccg_row& row = tccg_rows[id - 1];
    INFO("row " << row.id << ", " << row.text);
    general_case c = scaled_case(row, 2e7);
    fill_case(c, unsigned(id));
    const std::vector<double> wanted = c.after();
    for (const int threads : {1, 3}) {
      check_row<double>(c, wanted, {.threads = threads});
      check_row<bfloat16, float>(c, wanted, {.threads = threads});
    }
  }
}

TEST_CASE("no contraction of TCCG needs a table of offsets, at full extents", "[plan][tccg]") {
  int in_pieces = 0;
  for (const tccg_row& row : tccg_rows) {
    const general_case c = case_of(row, row.extents);
    double* const nowhere = nullptr;
    const operand all[] = {operand_with(c.facts[0], nowhere), operand_with(c.facts[1], nowhere),
                           operand_with(c.facts[output], nowhere)};
    for (const target where : cpu_targets()) {
      const std::string text = make_plan_of(contraction(c.text), all, 3, on(where)).describe();
      INFO("row " << row.id << ": " << text);
      CHECK(text.find("table") == std::string::npos);
      in_pieces += text.find(" pieces") != std::string::npos;
    }
  }
  CHECK(in_pieces == 48 * int(cpu_targets().size()));
}
