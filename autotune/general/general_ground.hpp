// SPDX-License-Identifier: BSD-3-Clause
// The tensors of a contraction in memory: kernels are checked there, and timed on copies that no cache holds together.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <tessera/core/general.hpp>
#include <tessera/detail/general_kind.hpp>
#include <tessera/memory.hpp>

#include "general/general_values.hpp"

namespace tessera::tune {

/// A contraction of packed tensors, without its letters: strides are not negative.
struct general_problem {
  general_form form;
  detail::general_kind kind;
  index_t entries[3]{};  // of left input, right input and output
};

/// Queues out = sum left right.
using general_call = std::function<void(const void* left, const void* right, void* out)>;

class general_ground {
 public:
  /// Copies of all tensors: at least two, as long as `most_bytes` allow, and so many that they have `beyond` bytes,
  /// those that caches may keep. Throws status::out_of_memory naming the bytes where one copy is too large.
  general_ground(const general_problem& of, space_kind where, std::size_t beyond, std::size_t most_bytes);

  int copies() const { return copies_; }

  struct verdict {
    std::string fault;             // "" if all results are right
    bool other_was_wrong = false;  // the result that this one was compared with, of an earlier call
  };
  /// Runs it once on integers. Some entries must be those of plain sums on the host, the fewer the longer the sums are;
  /// all of them the same as those of an earlier call.
  verdict check(const general_call& run);

  /// Seconds of a call, on the GPU, each on other copies than the one before; measured over at least `least` seconds.
  double seconds(const general_call& run, double least);

 private:
  void fill(filling with);
  void fill_tensor(int tensor, filling with);
  void* place(int tensor, int copy) const;
  scalar_type type_of(int tensor) const;
  std::size_t bytes_of(int tensor) const;  // of a copy, with what aligns the next one
  complex<double> exact(index_t position) const;
  std::string fault_at(const std::vector<std::byte>& result, index_t position);

  general_problem of_;
  int copies_ = 1;
  bool is_filled_ = false;
  filling filled_with_ = filling::integers;
  std::vector<buffer> memory_;                // one a tensor, all its copies
  std::map<index_t, complex<double>> exact_;  // what has been computed, by position
  std::vector<std::byte> other_;              // the result of the first call that was right so far
};

}  // namespace tessera::tune
