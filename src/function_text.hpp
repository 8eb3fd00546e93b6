// SPDX-License-Identifier: BSD-3-Clause
// The functions and the pair of a contraction as CUDA C++20, for kernels that NVRTC compiles.
#pragma once

#include <string>

#include <tessera/fused.hpp>

namespace tessera::detail {

/// The text of `struct general_functions`, for a source that includes <tessera/core/complex.hpp> and
/// <tessera/core/half.hpp>. Its functions are static, of any type of entries or sums:
///   left(x), right(x), addend(x), result(x)   of an entry; 16-bit numbers are floats inside
///   multiply(a, b), add(c, x)                 of numbers of one type
///   neutral<S>()                              what a sum begins with
/// Members left_is_plain, right_is_plain and is_plain_pair are there where nothing happens to an operand's entries, and
/// for products and sums; result_is_own where the result's function is the user's, which gets results only.
/// Empty for products and sums without functions. Throws status::invalid_argument for functions and pairs of the user's
/// without a source.
std::string function_text(const contraction_functions& functions, const operations& pair);

/// A name for records and messages: "min_plus, relu (A)"; empty where the text is.
std::string function_name(const contraction_functions& functions, const operations& pair);

}  // namespace tessera::detail
