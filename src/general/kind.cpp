// SPDX-License-Identifier: BSD-3-Clause
// Kinds of general contractions: their texts, and those of plain products.
#include <tessera/detail/general_kind.hpp>

#include <tessera/core/product_types.hpp>

namespace tessera::detail {

namespace {

const char* name_of_way(general_by by) {
  switch (by) {
    case general_by::mma_f64:
    case general_by::mma_16: return "tensor cores";
    case general_by::mma_tf32: return "tensor cores in TF32";
    case general_by::mma_3xtf32: return "tensor cores in 3xTF32";
    case general_by::fma: break;
  }
  return "multiply-adds";
}

bool is_16_bit(scalar_type type) { return type == scalar_type::f16 || type == scalar_type::bf16; }

}  // namespace

std::string text_of(const general_kind& kind) {
  std::string text = name_of(kind.left);
  const bool one = kind.right == kind.left && kind.out == kind.left && kind.addend.value_or(kind.out) == kind.out;
  if (!one) {
    text += std::string(", ") + name_of(kind.right);
    if (kind.addend) text += std::string(" + ") + name_of(*kind.addend);
    text += std::string(" -> ") + name_of(kind.out);
  }
  if (kind.sum != kind.left || !one) text += std::string(" with sums in ") + name_of(kind.sum);
  text += std::string(" by ") + name_of_way(kind.by);
  if (!kind.functions_name.empty()) text += ", " + kind.functions_name;
  if (kind.second.extent > 0) {
    const std::string extent = std::to_string(kind.second.extent);
    text += ", times a matrix of " + extent + "x" + extent;
  }
  return text;
}

general_kind exact_kind(scalar_type in, scalar_type out, scalar_type sum) {
  general_kind kind{.left = in, .right = in, .out = out, .sum = sum, .by = general_by::fma};
  if (in == scalar_type::f64 && sum == scalar_type::f64) kind.by = general_by::mma_f64;
  if (is_16_bit(in) && sum == scalar_type::f32) kind.by = general_by::mma_16;
  return kind;
}

}  // namespace tessera::detail
