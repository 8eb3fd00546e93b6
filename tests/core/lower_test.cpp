// SPDX-License-Identifier: BSD-3-Clause
// lower: every row of Table 1 at compile time, in exact integers, against the definition and the paper's own kernels.
#include "core/table1_rows.hpp"

#include <tessera/core/address.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using table1::packed_facts;
using table1::row;
using table1::tensor_shape;

namespace {

using values = std::array<int, table1::capacity>;

constexpr lowered lower_row(const row& r) {
  const einsum e = parse_einsum(r.text);
  operand_facts facts[max_inputs + 1];
  for (int o = 0; o < e.inputs; ++o) facts[o] = r.input[o].facts();
  facts[output] = r.out.facts();
  return lower(e, facts);
}

// What a kernel does with a lowered contraction: nothing but (row, column, loop) loops over address functors.
constexpr values run_lowered(const row& r, const values* data) {
  const lowered form = lower_row(r);
  const bool pointwise = form.form == canonical::pointwise;
  const run_time_map out = strided_map_of(form, output);
  run_time_map map[max_inputs];
  for (int o = 0; o < parse_einsum(r.text).inputs; ++o) map[o] = strided_map_of(form, o);
  values result{};
  for (index_t l = 0; l < form.loop.size(); ++l)
    for (index_t c = 0; c < form.cols.size(); ++c)
      for (index_t i = 0; i < form.rows.size(); ++i) {
        int sum = 0;
        for (index_t k = 0; k < form.inner.size(); ++k) {
          int term = 1;
          for (int f = 0; f < 2; ++f) {
            const int left = form.left[f], right = form.right[f];
            if (left >= 0) term *= data[left][std::size_t(map[left].offset(i, k, l))];
            if (right >= 0)
              term *= data[right][std::size_t(pointwise ? map[right].offset(i, 0, l) : map[right].offset(k, c, l))];
          }
          sum += term;
        }
        result[std::size_t(out.offset(i, c, l))] = sum;
      }
  return result;
}

constexpr bool row_holds(const row& r) {
  const einsum e = parse_einsum(r.text);
  values data[3]{};
  tensor_shape shapes[3];
  for (int o = 0; o < e.inputs; ++o) {
    // In (9) both factors are the same table.
    const bool repeated = e.inputs == 3 && o == 1;
    data[o] = table1::integers<int, table1::capacity>(unsigned(repeated ? 1 : o + 1), r.input[o].size());
    shapes[o] = r.input[o];
  }
  const lowered form = lower_row(r);
  if (form.fault != lower_fault::none || form.form != r.form) return false;
  const values wanted = table1::brute_force<int>(e, shapes, data, r.out);
  if (run_lowered(r, data) != wanted) return false;
  if (r.kernel == nullptr) return true;

  // The paper's identity: the canonical kernel over reshaped operands gives the row's memory, entry for entry.
  const einsum kernel = parse_einsum(r.kernel);
  values kernel_data[3]{};
  operand_facts facts[max_inputs + 1];
  for (int o = 0; o < kernel.inputs; ++o) {
    kernel_data[o] = data[r.kernel_input[o]];
    facts[o] = r.kernel_shape[o].facts();
    if (r.kernel_shape[o].size() != r.input[r.kernel_input[o]].size()) return false;
  }
  const operand_facts result = result_facts(kernel, facts);
  tensor_shape out;
  out.rank = result.rank;
  for (int d = 0; d < out.rank; ++d) out.extent[d] = result.extent[d];
  return out.size() == r.out.size() && table1::brute_force<int>(kernel, r.kernel_shape, kernel_data, out) == wanted;
}

template <int I>
constexpr bool row_holds_at() {
  static_assert(row_holds(table1::rows[I]));
  return true;
}

template <int... I>
constexpr bool all_rows_hold(sequence<I...>) {
  return (row_holds_at<I>() && ...);
}
constexpr int row_count = int(std::size(table1::rows));
static_assert(all_rows_hold(iota<row_count>{}));

template <class... Facts>
constexpr lowered lower_of(const char* text, const Facts&... given) {
  const operand_facts list[] = {given...};
  constexpr int count = int(sizeof...(Facts));
  operand_facts facts[max_inputs + 1];
  for (int i = 0; i + 1 < count; ++i) facts[i] = list[i];
  facts[output] = list[count - 1];
  return lower(parse_einsum(text), facts);
}

// Merging: (ab) of 4a is one digit, the c of 4b a loop; a leading dimension that leaves gaps keeps b apart.
constexpr lowered merged = lower_of("kj,abj->abk", packed_facts(5, 4), packed_facts(2, 3, 4), packed_facts(2, 3, 5));
static_assert(merged.rows.size() == 6 && merged.rows.count == 1 && merged.loop.size() == 1);
constexpr auto gapped = facts_of(column_major(of_size<2, 3, 4>(), 8));
constexpr lowered apart = lower_of("kj,abj->abk", packed_facts(5, 4), gapped, packed_facts(2, 3, 5));
static_assert(apart.rows.size() == 2 && apart.loop.size() == 3);

// General order, several summed letters, no column letters, no row letters.
static_assert(lower_of("akbl,lk->ab", packed_facts(5, 3, 2, 4), packed_facts(4, 3), packed_facts(5, 2)).form ==
              canonical::general);
static_assert(lower_of("ij,j->i", packed_facts(5, 3), packed_facts(3), packed_facts(5)).cols.size() == 1);

// Faults name what disagrees.
constexpr lowered wrong_extent = lower_of("kj,jb->kb", packed_facts(5, 3), packed_facts(4, 2), packed_facts(5, 2));
static_assert(wrong_extent.fault == lower_fault::extent && wrong_extent.offender == 'j');
static_assert(lower_of("kj,jb->kb", packed_facts(5), packed_facts(3, 2), packed_facts(5, 2)).fault ==
              lower_fault::rank);

constexpr chain_link link(const char* text, operand_facts first) { return {parse_einsum(text), {first, {}}}; }

// The evaluation chain (4a)-(4c) sizes its intermediates.
constexpr chain_link forward[] = {link("kj,abj->abk", table1::b3.facts()), link("kj,ajc->akc", table1::b2.facts()),
                                  link("kj,jbc->kbc", table1::b1.facts())};
constexpr lowered_chain interpolated_chain = lower_chain(forward, 3, packed_facts(table1::d1, table1::d2, table1::d3),
                                                         packed_facts(table1::q1, table1::q2, table1::q3));
static_assert(interpolated_chain.failed_step == -1);
static_assert(interpolated_chain.result[0].extent[2] == table1::q3 &&
              interpolated_chain.result[1].extent[1] == table1::q2);
static_assert(interpolated_chain.step[1].form == canonical::eq8b);
constexpr lowered_chain broken =
    lower_chain(forward, 3, packed_facts(table1::d1, 7, table1::d3), packed_facts(table1::q1, table1::q2, table1::q3));
static_assert(broken.failed_step == 1);

}  // namespace

TEST_CASE("every row of Table 1 lowers to its canonical kernel, exactly in integers", "[lower]") {
  for (const row& r : table1::rows) {
    INFO(r.name << " " << r.text);
    CHECK(lower_row(r).form == r.form);
    CHECK(row_holds(r));
  }
}

TEST_CASE("a wrong lowering would be noticed", "[lower]") {
  // The same data under an exchanged pair of letters gives other numbers: the check above can fail.
  row wrong = table1::rows[10];
  wrong.text = "kj,baj->abk";
  wrong.input[1] = tensor_shape(table1::d2, table1::d1, table1::d3);
  values data[3]{};
  for (int o = 0; o < 2; ++o) data[o] = table1::integers<int, table1::capacity>(unsigned(o + 1), wrong.input[o].size());
  const values right =
      table1::brute_force<int>(parse_einsum(table1::rows[10].text), table1::rows[10].input, data, wrong.out);
  CHECK(run_lowered(wrong, data) != right);
}
