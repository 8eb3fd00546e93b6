// SPDX-License-Identifier: BSD-3-Clause
// Work of the two-site update.
#include "models/two_site.hpp"

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

void require(const two_site_shape& of) {
  require_count("two-site update", "the batch", double(of.batch));
  require_count("two-site update", "the physical extent", double(of.physical));
  require_count("two-site update", "the bond extent", double(of.bond));
}

}  // namespace

double direct_terms(const two_site_shape& of) {
  require(of);
  const double d = double(of.physical), chi = double(of.bond);
  return double(of.batch) * d * d * chi * chi;
}

double staged_terms(const two_site_shape& of) {
  require(of);
  const double d = double(of.physical), chi = double(of.bond);
  return double(of.batch) * (d * d * chi + d * chi * chi);
}

double staged_gain(const two_site_shape& of) { return direct_terms(of) / staged_terms(of); }

double fused_bytes(const two_site_shape& of, index_t entry_bytes) {
  require(of);
  require_count("two-site update", "the size of an entry in bytes", double(entry_bytes));
  const double d = double(of.physical), chi = double(of.bond);
  return double(entry_bytes) * (d * d + chi * chi + 2 * double(of.batch) * d * chi);
}

double staged_bytes(const two_site_shape& of, index_t entry_bytes) {
  return fused_bytes(of, entry_bytes) +
         2 * double(entry_bytes) * double(of.batch) * double(of.physical) * double(of.bond);
}

}  // namespace tessera::bench::models
