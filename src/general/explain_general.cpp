// SPDX-License-Identifier: BSD-3-Clause
// explain() of a large contraction: whether it is one, its form, and the tiles that the model compares.
#include <tessera/explain.hpp>

#include <cstdio>
#include <optional>

#include <tessera/core/general.hpp>

#include "../plan_state.hpp"
#include "gpu_rates.hpp"
#include "kind_of.hpp"
#include "plan_general.hpp"

namespace tessera {

namespace {

constexpr std::size_t most_listed = 10;

std::string in_ms(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  return text;
}

std::string number_text(double count) {
  char text[32];
  std::snprintf(text, sizeof text, count < 1e6 ? "%.0f" : "%.3g", count);
  return text;
}

std::string line_of(const detail::general_candidate& c, const general_form& form, detail::general_by by) {
  const char* const unit = by == detail::general_by::fma ? " (multiply-adds " : " (tensor cores ";
  return text_of(c.tile, form) + ": " + in_ms(c.costs.seconds) + unit + in_ms(c.costs.mma) + ", L2 " +
         in_ms(c.costs.l2) + ", DRAM " + in_ms(c.costs.dram) + ", shared memory " + in_ms(c.costs.shared) + ")\n";
}

// Of an H200 where there is no GPU.
device::device_info gpu_here() {
  if (device::available()) return device::info();
  device::device_info h200;
  h200.name = "NVIDIA H200";
  h200.major = 9;
  h200.sms = 132;
  return h200;
}

}  // namespace

std::string explain(const contraction& what, const operand* operands, int count, product_precision precision) {
  if (operands == nullptr || count != what.operand_count())
    throw error("explain \"" + what.text() + "\": " + std::to_string(count) + " operands given, " +
                std::to_string(what.operand_count()) + " needed");
  const detail::arguments given(operands, count);
  detail::lower_checked(what, given);
  const bool has_no_row = detail::is_custom(what, given);
  if (has_no_row)
    detail::custom_checked(what, given, space_kind::gpu);
  else
    detail::types_checked(what, given);
  std::string text = detail::text_of(what, given) + " on " + name_of(target::cuda);
  const detail::general_answer answer = has_no_row
                                            ? detail::general_answer{true, "it " + detail::why_custom(what, given)}
                                            : detail::wants_general(what, given);
  if (!answer.yes) return text + "\n  no general contraction: " + answer.because + "\n";

  const detail::general_kind asked = detail::general_kind_of(what, given, precision);
  const general_form form = detail::general_form_of(what, given, asked);
  const device::device_info here = gpu_here();
  const std::optional<detail::general_kind> on_gpu = detail::kind_on(here, asked, form);
  const detail::general_kind kind = on_gpu.value_or(asked);
  text += "\n  a general contraction: " + answer.because + "\n  " + detail::form_text(form) + "\n  " + text_of(kind) +
          " on " + here.name;
  if (!on_gpu) return text + ", which has no kernel of it\n";
  const detail::sums may_be = detail::sums_of_batch(form, operands[count - 1].count, here.sms);
  const detail::gpu_rates rates = detail::rates_of(here);
  const detail::general_candidates all =
      detail::candidates_of(form, may_be == detail::sums::in_parts ? with_workspace(rates) : rates, kind);
  text += "\n  of " + number_text(all.enumerated) + " tiles " + number_text(all.by_rules) +
          " are left out by rules; of " + number_text(all.tried()) + " others " + number_text(all.by_hardware) +
          " do not fit, " + number_text(all.by_model) + " are slow by the model; the cheapest of " +
          std::to_string(all.found.size()) + " (* taken):\n";
  const std::optional<detail::tile_choice> taken = tile_for(form, kind, here, may_be);
  if (!taken) return text + "    none\n";
  const std::string its = text_of(taken->tile, form);
  bool is_listed = false;
  for (std::size_t i = 0; i < std::min(all.found.size(), most_listed); ++i) {
    const bool is_taken = text_of(all.found[i].tile, form) == its;
    is_listed = is_listed || is_taken;
    text += (is_taken ? "  * " : "    ") + line_of(all.found[i], form, kind.by);
  }
  if (!is_listed) text += "  * " + line_of({taken->tile, taken->costs}, form, kind.by);
  return text + "  because: " + taken->because.text() + "\n";
}

}  // namespace tessera
