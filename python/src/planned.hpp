// SPDX-License-Identifier: BSD-3-Clause
// planned: a plan or a network, and the arrays that it was made for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/network.hpp>
#include <tessera/plan.hpp>

#include "array.hpp"
#include "call_options.hpp"
#include "subscripts.hpp"

namespace tessera::python {

/// Immutable; runs may overlap. It ends under Python's lock.
class planned {
 public:
  /// Arrays of the inputs, the addend and the output.
  planned(std::string_view text, const call_options& options, const std::vector<array>& arrays);

  const subscripts& what() const { return what_; }
  /// Runs on arrays of the planned types, spaces, shapes and strides; those of the batch may differ. Releases Python's
  /// lock meanwhile.
  void run(const std::vector<array>& arrays, std::uintptr_t stream) const;

  std::string describe(bool brief) const;
  std::size_t workspace_bytes() const;
  bool is_ready() const;
  target where() const;
  bool is_network() const { return network_.has_value(); }
  /// Whether what is in the output is added.
  bool adds_to_out() const { return adds_to_out_; }
  /// What the addresses of functions of the caller's own belong to.
  const std::vector<nb::object>& kept() const { return kept_; }

 private:
  struct seen {  // an array as it was
    scalar_type type;
    space_kind space;
    int device;
    std::vector<index_t> extent, stride;
    std::ptrdiff_t first;  // bytes from its data to the operand's: where a batch walks backwards
    bool is(const array& a) const;
  };

  /// Throws ValueError or TypeError for arrays that are unlike those of the plan, but for the batch's extents and for
  /// strides.
  void check_like_seen(const std::vector<array>& arrays) const;
  /// Throws ValueError for arrays whose lowered text is that one.
  [[noreturn]] void refuse_order(const std::string& text) const;
  void run_operands(std::vector<operand>& operands, const std::vector<array>& arrays, std::uintptr_t stream) const;

  subscripts what_;
  bool adds_to_out_ = false;
  std::string batch_;
  lowered lowered_;
  std::vector<seen> seen_;
  std::vector<nb::object> kept_;
  // One of the two. A single input is multiplied by a tensor without dimensions that is 1.
  std::optional<plan> plan_;
  std::optional<network> network_;
  buffer one_;
};

/// Throws ValueError: a new output holds nothing to add to.
[[noreturn]] void refuse_new_output(std::string_view text);

/// "operand 1", and so on, for error texts; the last of `count` is "out".
const char* operand_name(int i, bool is_output);

}  // namespace tessera::python
