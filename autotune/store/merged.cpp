// SPDX-License-Identifier: BSD-3-Clause
// Merges earlier records with new ones.
#include <algorithm>
#include <tuple>

#include <tessera/error.hpp>

#include "record.hpp"
#include "store/record_text.hpp"

namespace tessera::tune {

record_file merged(record_file older, const record_file& newer) {
  if (older.device != newer.device || older.target != newer.target)
    throw error("records of " + newer.device + ", " + newer.target + " do not belong in the file of " + older.device +
                ", " + older.target + "; write them to a file of their own");
  record_file all = newer;
  for (record& old : older.records) {
    const auto same = [&](const record& r) { return r.of == old.of; };
    if (std::any_of(newer.records.begin(), newer.records.end(), same)) continue;
    old.source_hash = hash_beside(old.source_hash.empty() ? older.source_hash : old.source_hash, newer.source_hash);
    all.records.push_back(std::move(old));
  }
  // A fixed order, so that a file changes only where a record did.
  std::sort(all.records.begin(), all.records.end(), [](const record& a, const record& b) {
    // In the order of tuning.
    const auto key = [](const record& r) {
      const element_case e = r.of.element.value_or(element_case{});
      return std::tuple(r.of.m * r.of.n * r.of.k, r.of.m, r.of.n, r.of.type != scalar_type::f64, r.of.in,
                        r.of.layouts.left, r.of.layouts.right, r.of.layouts.out, r.of.element.has_value(), e.kind,
                        e.dim, e.repeats, e.p, e.q, e.nodal, e.matrices, e.either);
    };
    return key(a) < key(b);
  });
  return all;
}

}  // namespace tessera::tune
