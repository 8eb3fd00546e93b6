// SPDX-License-Identifier: BSD-3-Clause
// A tuning as one line of text.
#include <tessera/detail/tuning_text.hpp>

namespace tessera::detail {

std::string text_of(const cpu_gemm_tuning& t) {
  if (t.plain) return std::string("plain loops") + (t.stream ? ", non-temporal stores" : "");
  std::string text = "tile of " + std::to_string(t.row_vectors) + " vectors x " + std::to_string(t.columns) +
                     " columns, k unrolled " +
                     (t.unroll_k == 0 ? std::string("fully") : "by " + std::to_string(t.unroll_k));
  if (t.keep_left) text += ", A kept in registers";
  if (t.matrices > 1) text += ", " + std::to_string(t.matrices) + " products per task";
  if (t.stream) text += ", non-temporal stores";
  if (t.half_tail) text += ", tail in half a vector";
  return text;
}

std::string text_of(const gpu_gemm_tuning& t) {
  std::string text = std::to_string(t.matrices) + " products per block of " + std::to_string(t.threads) +
                     " threads, tile " + std::to_string(t.tile_rows) + "x" + std::to_string(t.tile_cols);
  if (t.over_a != 0) text += ", C in an input's shared memory";
  if (t.over_a == 2) text += " where beta = 0";
  if (t.loads) text += ", loads by all threads";
  if (t.row_vector > 1) text += ", " + std::to_string(t.row_vector) + " rows of A per load";
  if (t.tensor_cores) text += ", on tensor cores";
  return text;
}

std::string text_of(const element_run& r) {
  std::string text = r.prefetch_kib == 0 ? "no prefetch" : "prefetch " + std::to_string(r.prefetch_kib) + " KiB ahead";
  if (r.prefetch_kib > 0) {
    text += r.prefetch_level == 1 ? " to L1" : " to L2";
    if (r.prefetch_level == 2) text += ", D shortly before its use";
    if (r.prefetch_repeats > 1) text += ", each line " + std::to_string(r.prefetch_repeats) + " times";
  }
  return text + (r.nontemporal != 0 ? ", y by non-temporal stores" : "");
}

std::string text_of(const element_tuning& t) {
  return std::to_string(t.elements) + (t.elements == 1 ? " element" : " elements") + " per block of " +
         std::to_string(t.threads) + " threads";
}

}  // namespace tessera::detail
