// SPDX-License-Identifier: BSD-3-Clause
// Contractions beyond the products that there are rows for: functions of entries, other pairs of operations, an addend,
// integers, other combinations of types. On CPUs plain loops run them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/contraction.hpp>
#include <tessera/operand.hpp>

namespace tessera::detail {

class arguments;

/// The position of an addend of its own among the operands of a call: behind the inputs, of which there are two.
inline constexpr int addend_operand = 2;

struct custom_types {
  scalar_type left, right, out, sum;
  std::optional<scalar_type> addend;  // of a tensor of its own
};

/// A merged index: its extent, and its stride in each operand by position, 0 where that lacks it. In an operand whose
/// layout is a table it counts entries in column-major order.
struct custom_digit {
  index_t extent = 1;
  index_t stride[max_inputs + 1]{};
};

/// What plain loops need to know: all but the addresses.
struct custom_problem {
  custom_types types;
  contraction_functions functions;
  operations pair;
  scaling scale;
  int addend = -1;                         // position of what beta multiplies; negative: nothing is read
  std::vector<custom_digit> outer, inner;  // of the output, nearest first, and summed

  index_t outer_size() const;
  index_t inner_size() const;
};

/// True for what no row runs. The operands' types are known.
bool is_custom(const contraction& what, const arguments& operands);

/// What makes it one, for messages: "has functions of entries"; empty where nothing does.
std::string why_custom(const contraction& what, const arguments& operands);

/// True if a function or the pair is the user's own, which kernels for any sizes do not have.
bool has_own_code(const contraction& what);

/// The default type of sums where the contraction names none.
custom_types types_of(const contraction& what, const arguments& operands);

/// Checks types, functions, pair and factors against each other for runs in that memory. Throws, naming them. The
/// operands fit the einsum.
custom_problem custom_checked(const contraction& what, const arguments& operands, space_kind in);

/// Entries [first, last) of the output, entry i of batch entry b being number b * outer_size() + i.
void run_custom(const custom_problem& p, const arguments& operands, index_t first, index_t last);

/// "general i16 -> i32 with sums in i32, plain loops, min_plus, relu (A)".
std::string text_of(const custom_problem& p);

}  // namespace tessera::detail
