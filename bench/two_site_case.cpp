// SPDX-License-Identifier: BSD-3-Clause
// Counts, calls and checks two-site updates.
#include "two_site_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/trust.hpp"
#include "models/two_site.hpp"

namespace tessera::bench {

namespace {

constexpr int checked_entries = 6;
constexpr index_t most_copies = 4096;
constexpr const char *first_stage = "qp,cq->cp", *second_stage = "rc,cp->rp";

operand one_of(const operand& all, index_t copy, index_t count) {
  operand one = slice(all, copy * count, count);
  one.batched = count > 1;
  return one;
}

// By G: of each entry. By M: of all entries as one product.
pass stages_by_gemm(const peer& p, const one_update& update, const operand& T, const setting& s, first_factor order) {
  const index_t chi = update.X.facts.extent[0], dp = update.X.facts.extent[1], count = update.X.count;
  const bool by_g_first = order == first_factor::G;
  void *const between = const_cast<void*>(T.data), *const out = const_cast<void*>(update.Y.data);
  const gemm_call common{.type = *update.X.type, .space = update.X.space, .threads = s.with.threads};
  gemm_call by_g = common, by_m = common;
  by_g.m = by_g.lda = by_g.ldc = chi;
  by_g.n = by_g.k = by_g.ldb = dp;
  by_g.batch = count, by_g.stride_a = by_g.stride_c = chi * dp;
  by_g.a = by_g_first ? update.X.data : T.data, by_g.b = update.G.data, by_g.c = by_g_first ? between : out;
  by_m.m = by_m.k = by_m.lda = by_m.ldb = by_m.ldc = chi;
  by_m.n = dp * count;
  by_m.a = update.M.data, by_m.b = by_g_first ? T.data : update.X.data, by_m.c = by_g_first ? out : between;
  const pass one = p.prepare(by_g_first ? by_g : by_m), two = p.prepare(by_g_first ? by_m : by_g);
  if (!one || !two) return {};
  return [one, two] { one(), two(); };
}

pass stages_by_contractions(const peer& p, const one_update& update, const operand& T, const setting& s,
                            first_factor order) {
  const index_t chi = update.X.facts.extent[0], dp = update.X.facts.extent[1], count = update.X.count;
  const bool by_g_first = order == first_factor::G;
  void *const between = const_cast<void*>(T.data), *const out = const_cast<void*>(update.Y.data);
  contraction_call by_g{.type = *update.X.type, .space = update.X.space, .threads = s.with.threads};
  contraction_call by_m = by_g;
  const auto set = [](contraction_call& call, int tensor, const char* letters, std::vector<index_t> extents) {
    call.letters[tensor] = letters;
    call.extents[tensor] = std::move(extents);
  };
  set(by_g, 0, "cqb", {chi, dp, count}), set(by_g, 1, "qp", {dp, dp}), set(by_g, 2, "cpb", {chi, dp, count});
  by_g.a = by_g_first ? update.X.data : T.data, by_g.b = update.G.data, by_g.c = by_g_first ? between : out;
  set(by_m, 0, "rc", {chi, chi}), set(by_m, 1, "cpb", {chi, dp, count}), set(by_m, 2, "rpb", {chi, dp, count});
  by_m.a = update.M.data, by_m.b = by_g_first ? T.data : update.X.data, by_m.c = by_g_first ? out : between;
  const contraction_pass one = p.prepare_contraction(by_g_first ? by_g : by_m),
                         two = p.prepare_contraction(by_g_first ? by_m : by_g);
  if (!one.run || !two.run) return {};
  return [one = one.run, two = two.run] { one(), two(); };
}

using numbers = std::vector<long double>;

// Of one entry; with `sizes`, of absolute values. T[p][c], then Y[p][r].
numbers exact(const two_site_sizes& s, const workload& work, index_t entry, bool sizes) {
  const auto value = [&](int operand, index_t i, index_t at) {
    const data& d = work.operands[std::size_t(operand)];
    const long double v = d.initial(d.host().offset(i, at)).re;
    return sizes ? std::abs(v) : v;
  };
  const index_t copy = entry / s.count;
  numbers T(std::size_t(s.dp * s.chi)), Y(T.size());
  for (index_t p = 0; p < s.dp; ++p)
    for (index_t q = 0; q < s.dp; ++q) {
      const long double g = value(0, q + s.dp * p, copy);
      for (index_t c = 0; c < s.chi; ++c) T[std::size_t(c + s.chi * p)] += g * value(2, c + s.chi * q, entry);
    }
  for (index_t c = 0; c < s.chi; ++c)
    for (index_t r = 0; r < s.chi; ++r) {
      const long double m = value(1, r + s.chi * c, copy);
      for (index_t p = 0; p < s.dp; ++p) Y[std::size_t(r + s.chi * p)] += m * T[std::size_t(c + s.chi * p)];
    }
  return Y;
}

long double found(const operand& y, index_t offset) {
  if (y.type == scalar_type::f32) return static_cast<const float*>(y.data)[offset];
  return static_cast<const double*>(y.data)[offset];
}

}  // namespace

double two_site_sizes::flops() const { return 2.0 * double(count) * double(dp) * double(chi) * double(dp + chi); }

double two_site_sizes::bytes(std::size_t entry) const {
  return double(entry) * (double(dp * dp) + double(chi * chi) + 2.0 * double(count) * double(dp * chi));
}

bool is_done_directly(const two_site_sizes& sizes) {
  constexpr double most_terms = 1 << 24;
  constexpr index_t most_entries = 16;
  return sizes.count <= most_entries && models::direct_terms({sizes.count, sizes.dp, sizes.chi}) <= most_terms;
}

index_t copies_for(const two_site_sizes& sizes, std::size_t entry, double cache_bytes) {
  const double wanted = std::ceil(2 * cache_bytes / sizes.bytes(entry));
  return index_t(std::clamp(wanted, 1.0, double(most_copies)));
}

bool is_beyond_cache(const two_site_sizes& sizes, std::size_t entry, double cache_bytes) {
  return double(sizes.copies) * sizes.bytes(entry) >= 2 * cache_bytes;
}

workload two_site_workload(const two_site_sizes& sizes, const setting& s) {
  const scalar_type type = s.with.type.in;
  workload work{.label = "dp=" + std::to_string(sizes.dp) + " chi=" + std::to_string(sizes.chi) +
                         " B=" + std::to_string(sizes.count),
                .what = contraction(second_stage)};
  const auto add = [&](index_t rows, index_t cols, index_t count, int seed) {
    work.operands.emplace_back(type, std::vector{rows, cols}, storage_order{}, count, 0, seed);
  };
  add(sizes.dp, sizes.dp, sizes.copies, 1);
  add(sizes.chi, sizes.chi, sizes.copies, 2);
  add(sizes.chi, sizes.dp, sizes.count * sizes.copies, 3);
  add(sizes.chi, sizes.dp, sizes.count * sizes.copies, 4);
  work.facts = {{"dp", sizes.dp}, {"chi", sizes.chi}, {"batch", sizes.count}, {"updates", sizes.copies}};
  work.flops = double(sizes.copies) * sizes.flops();
  work.bytes = double(sizes.copies) * sizes.bytes(size_of(type));
  return work;
}

std::vector<one_update> updates_of(const two_site_sizes& sizes, const std::vector<operand>& operands) {
  std::vector<one_update> all;
  for (index_t copy = 0; copy < sizes.copies; ++copy) {
    one_update one{one_of(operands[0], copy, 1), one_of(operands[1], copy, 1), one_of(operands[2], copy, sizes.count),
                   one_of(operands[3], copy, sizes.count)};
    one.X.batched = one.Y.batched = true;
    all.push_back(one);
  }
  return all;
}

std::vector<chain_step> steps_of(const one_update& update) {
  return {{contraction(first_stage), {update.G}}, {contraction(second_stage), {update.M}}};
}

contraction direct_update() { return contraction("qp,cq,rc->rp"); }

pass two_stages_by(const peer& p, const one_update& update, const operand& T, const setting& s, first_factor first) {
  return p.prepare_contraction ? stages_by_contractions(p, update, T, s, first)
                               : stages_by_gemm(p, update, T, s, first);
}

verdict check_two_site(const two_site_sizes& sizes, const workload& work) {
  verdict v;
  v.bound = gamma_bound(sizes.dp + sizes.chi + 4, work.types().in);
  for (const index_t entry : sample_positions(work.batch(), checked_entries)) {
    work.out().fetch(entry);
    const numbers wanted = exact(sizes, work, entry, false), magnitudes = exact(sizes, work, entry, true);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const long double y = found(work.out().host(), work.out().host().offset(index_t(i), entry));
      const double error = double(std::abs(y - wanted[i]) / magnitudes[i]);
      v.error = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(v.error, error);
    }
  }
  return v;
}

}  // namespace tessera::bench
