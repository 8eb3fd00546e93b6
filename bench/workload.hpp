// SPDX-License-Identifier: BSD-3-Clause
// workload: one case of a suite: the computation, its data and its counts; the data is reproducible from a seed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <tessera/contraction.hpp>
#include <tessera/memory.hpp>
#include <tessera/operand.hpp>

#include "peers/peer.hpp"
#include "summary.hpp"

namespace tessera::bench {

/// "col", "row", "interleaved:W": the storage of every operand of a case.
struct storage_order {
  enum class kind { col, row, interleaved } order = kind::col;
  index_t lanes = 1;
};
storage_order parse_layout(std::string_view text);

/// Memory for operands of one seed, on the host and, for GPU cases, on the device. It outlives its cases: entry i holds
/// a value in [-1, 1), an integer from -4 to 3, that depends only on the seed and i, so that the next case can reuse
/// it.
struct pages;

/// An operand with its memory, which is used by all operands of its seed and type: one case at a time.
class data {
 public:
  data(scalar_type type, std::vector<index_t> extent, const storage_order& order, std::optional<index_t> batch,
       index_t shift, int seed);

  const operand& host() const { return host_; }
  /// The operand that kernels get: on the device after `move_to_device`, else the host's.
  const operand& place() const { return place_; }
  /// The same as a group: the address of each tensor, wherever the data is now.
  operand as_group();
  double bytes() const { return double(host_.entries()) * double(host_.count) * double(host_.entry_bytes); }
  void* memory() const;
  std::size_t memory_bytes() const { return bytes_in_memory_; }
  index_t shift() const { return shift_; }

  /// The value that `fill` puts at an offset from host().data.
  complex<double> initial(index_t offset) const;

  /// From here on the values mirror themselves, entry i being entry n - 1 - i of n, as tables of elements do.
  void mirror() { mirrored_ = true; }
  /// Makes `place` the device's memory.
  void move_to_device();
  /// Fills in the values that an earlier case did not leave; on the device too, if the operand is there.
  void provide();
  /// The same for a result, before each run, which overwrites it.
  void fill();
  void fill_nan();
  /// Copies the block of tensors that holds batch position b back from the device, if the data is there.
  void fetch(index_t b) const;

 private:
  double value(index_t i) const;
  void forget();

  std::shared_ptr<pages> pages_;
  std::size_t bytes_in_memory_ = 0;
  operand host_, place_;
  std::vector<void*> addresses_;
  index_t shift_;
  int seed_;
  bool mirrored_ = false;
};

struct workload {
  std::string label;
  nlohmann::json facts;  // the "case" object of the result
  case_place place = {};
  contraction what;
  std::vector<data> operands;  // inputs, then the output
  double flops = 0, bytes = 0;
  double honest_flops = 1;  // factor by which a kernel with fewer flops than are counted may exceed the bound by flops
  index_t inner = 1;        // length of the sums, for the error bound

  /// The call for library peers, without pointers; and the operands that are its left and right matrix.
  std::optional<gemm_call> as_gemm;
  int left = 0, right = 1;
  std::shared_ptr<const buffer> table = {};  // in place of operand -1: what only peers are given
  bool conjugated[max_inputs] = {};          // inputs
  std::optional<double> leaky_slope = {};    // of leaky_relu, taken of both inputs and of the result
  bool is_min_plus = false;                  // the least sum of two entries instead of the sum of products
  product_precision precision = product_precision::exact;
  std::vector<bool> as_groups = {};  // operands that are groups for Tessera

  data& out() { return operands.back(); }
  const data& out() const { return operands.back(); }
  product_types types() const {
    const scalar_type in = *operands.front().host().type;
    return {in, *out().host().type, what.sum().value_or(usual_sum(in))};
  }
  index_t batch() const { return out().host().count; }
  bool accumulates() const { return what.scale().beta != 0; }
};

}  // namespace tessera::bench
