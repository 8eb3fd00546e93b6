// SPDX-License-Identifier: BSD-3-Clause
// Chains of two steps that multiply two different dimensions of a batch by a table each, as a two-site update does: one
// general contraction, whose tiles are multiplied by the smaller table before they are written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/chain.hpp>
#include <tessera/detail/general_kind.hpp>

#include "plan_general.hpp"

namespace tessera::detail {

/// out(r, p, ..) = alpha sum over c, q of table(r, c) second(p, q) in(c, q, ..) + beta out(r, p, ..). For the form the
/// table is the left operand and the input the right one; entries of the batch are the columns' digit number `batch`.
struct two_tables {
  general_form form;
  general_kind kind;
  int batch = 0;
  const void *table = nullptr, *second = nullptr;
  double alpha = 1, beta = 0;
};

/// Accesses no data and no device. Else the reason. Precondition: the steps can be one kernel, see fuse.
struct two_tables_attempt {
  two_tables made;
  std::string why_not;  // empty if it is such a chain
};
two_tables_attempt as_two_tables(const std::vector<chain_step>& steps, const operand& in, const operand& out);

/// Whether tiles are for it rather than blocks that have the tables and several entries of the batch in shared memory.
bool is_for_tiles(const two_tables& of);

/// The form for `together` entries of the batch.
general_form form_for(const two_tables& of, index_t together);

/// The same for chains that the same kernels run.
std::string two_tables_key(const two_tables& of, index_t count, int device);

/// What chains of one form share: a kernel for so many entries of the batch together, and one for single entries, the
/// same one if a block has one.
struct two_tables_kernels {
  index_t together = 1;
  std::shared_ptr<const general_plan> many, single;
};

/// Such a chain. A block works on as many entries of the batch as suit the count that it is made for.
class two_tables_run {
 public:
  /// Compiles and loads them. Throws what general kernels throw, and status::no_target if no tile fits the GPU.
  two_tables_run(const two_tables& of, index_t count);

  /// Queues a run over any number of entries: one launch for those that come in whole groups, a second one for others.
  void run(const operand& in, const operand& out, stream_view on) const;
  std::string describe(detail_level how) const;

 private:
  two_tables of_;
  std::shared_ptr<const two_tables_kernels> by_;
};

}  // namespace tessera::detail
