// SPDX-License-Identifier: BSD-3-Clause
// Chains that are the mass operator of an element, y = B^T D(B x) direction by direction: one fused element kernel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/chain.hpp>

namespace tessera::detail {

class element_chain {
 public:
  virtual ~element_chain() = default;
  /// Whether the tables still have the values that the kernel was made with.
  virtual bool has_its_tables() const = 0;
  /// Entries [first, last) of the batch, in the calling thread; `scratch` has scratch_bytes() of its own, aligned to a
  /// line of the cache.
  virtual void run(const operand& in, const operand& out, index_t first, index_t last, void* scratch) const = 0;
  virtual std::size_t scratch_bytes() const = 0;
  virtual index_t lanes() const = 0;
  virtual std::string describe(detail_level how) const = 0;
};

/// Null if the steps are something else, a table does not mirror itself, or no kernel is compiled for the sizes.
std::shared_ptr<const element_chain> make_element_chain(const std::vector<chain_step>& steps, const operand& in,
                                                        const operand& out, target on, const plan_options& options);

}  // namespace tessera::detail
