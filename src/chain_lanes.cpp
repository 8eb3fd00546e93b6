// SPDX-License-Identifier: BSD-3-Clause
// Chains with an element a lane: small tensors of plain layouts and one real type, each step a table or pointwise.
#include <tessera/detail/choose.hpp>
#include <tessera/detail/fits.hpp>
#include <tessera/device_facts.hpp>

#include <algorithm>

#include <tessera/cpu/detail/repeats.hpp>

#include "chain_lanes.hpp"
#include "forced_place.hpp"

namespace tessera::detail {

namespace {

// In lanes nothing is lost to tails, but moving elements there and back takes as long as a step or two: the largest
// extent for which that pays, as measured (decision 30). Vectors of 16 bytes have too few lanes.
constexpr int least_vector_bytes = 32;
constexpr index_t largest_extent(scalar_type type, memory_regime in) {
  const bool cached = in == memory_regime::cache;
  return type == scalar_type::f32 ? (cached ? 6 : 3) : (cached ? 3 : 2);
}

// Packed in any order of its indices: moved to lanes and back by whole vectors.
bool is_packed(const operand& o) {
  const bool strided = !o.grouped && o.lanes == 1 && o.facts.affine && !o.offsets;
  return strided && o.facts.before() == 0 && o.entries() > 0 && o.span == o.entries() && o.stride >= o.span;
}

bool is_small(const operand& o, index_t most) {
  return std::all_of(o.facts.extent, o.facts.extent + o.facts.rank, [&](index_t e) { return e <= most; });
}

// Terms of a step's sums.
index_t terms_of(const chain_step& step) {
  const einsum& e = step.what.modes();
  index_t terms = 1;
  for (int d = 0; d < e.operand[0].rank; ++d)
    if (!e.operand[output].has(e.operand[0].letter[d])) terms *= step.inputs.front().facts.extent[d];
  return terms;
}

memory_regime place_of(const std::vector<chain_step>& steps, const operand& in, const operand& out, target on,
                       const plan_options& options) {
  double bytes = 0;  // a sum of what fits 63 bits may not
  const auto add = [&](const operand& o) { bytes += double(o.reach()) * double(o.entry_bytes); };
  add(in), add(out);
  for (const chain_step& step : steps) std::ranges::for_each(step.inputs, add);
  constexpr double most = double(index_t{1} << 62);
  return regime_of({.bytes = index_t(std::min(bytes, most)),
                    .cache_bytes = last_level_cache_bytes(on),
                    .forced = place_forced_by(options).in});
}

}  // namespace

index_t lanes_of_chain(const std::vector<chain_step>& steps, const operand& in, const operand& out,
                       const std::vector<operand>& between, target on, const plan_options& options) {
  const bool typed = in.type == scalar_type::f64 || in.type == scalar_type::f32;
  if (on == target::cuda || on == target::reference || between.empty() || !typed) return 1;
  const int vector_bytes = cpu_limits_of(on).vector_bytes;
  if (vector_bytes < least_vector_bytes || !in.batched || !out.batched || !is_packed(in) || !is_packed(out)) return 1;
  for (const chain_step& step : steps) {
    if (step.inputs.size() != 1 || terms_of(step) > simd::detail::k_chunk) return 1;
    const operand& input = step.inputs.front();
    if (input.grouped || input.type != in.type || (input.batched && !is_packed(input))) return 1;
  }
  const index_t lanes = vector_bytes / index_t(in.entry_bytes);
  const index_t most = largest_extent(*in.type, place_of(steps, in, out, on, options));
  const auto fits = [&](const operand& o) {
    return is_small(o, most) && o.entries() <= simd::detail::lane_entries / lanes;
  };
  const bool all_fit = fits(in) && fits(out) && std::ranges::all_of(between, fits) &&
                       std::ranges::all_of(steps, [&](const chain_step& s) { return fits(s.inputs.front()); });
  return all_fit && out.type == in.type ? lanes : 1;
}

}  // namespace tessera::detail
