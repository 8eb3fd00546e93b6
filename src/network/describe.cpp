// SPDX-License-Identifier: BSD-3-Clause
// A network as text: the order of its pairs, and what each costs.
#include <cstdio>

#include "network_state.hpp"

namespace tessera {

namespace {

// "123456", from 1e9 on "1.23e+09".
std::string count_text(double count) {
  char text[32];
  std::snprintf(text, sizeof text, count < 1e9 ? "%.0f" : "%.3g", count);
  return text;
}

std::string operand_text(const detail::network_state& s, int number) {
  if (number == detail::network_step::ones) return "ones";
  if (number < s.inputs()) return "input " + std::to_string(number + 1);
  return "step " + std::to_string(number - s.inputs() + 1);
}

std::string extents_of_letters(const detail::network_state& s, const std::string& letters) {
  index_t extent[max_rank]{};
  for (std::size_t d = 0; d < letters.size(); ++d)
    for (int o = 0; o < s.inputs(); ++o)
      if (const std::size_t at = s.letters.inputs[std::size_t(o)].find(letters[d]); at != std::string::npos)
        extent[d] = s.made_for[std::size_t(o)].facts.extent[at];
  return text_of(extent, int(letters.size()));
}

std::string sum_text(const detail::network_state& s) {
  std::string text = count_text(s.flops) + " flops";
  text += " against " + count_text(s.one_loop) + " of one loop nest over all letters";
  if (s.out().batched) text += ", for a batch of " + std::to_string(s.out().count);
  return text;
}

std::string step_line(const detail::network_state& s, std::size_t i) {
  const detail::network_step& step = s.steps[i];
  std::string text = "\n  " + std::to_string(i + 1) + ". \"" + step.text() + "\" of " + operand_text(s, step.first) +
                     " and " + operand_text(s, step.second) + ", " + extents_of_letters(s, step.first_letters) + ", " +
                     extents_of_letters(s, step.second_letters) + " -> " + extents_of_letters(s, step.letters);
  if (s.out().batched) text += step.batched ? ", batched" : ", once for the batch";
  return text + ": " + count_text(step.flops) + " flops\n     " + s.plans[i].describe(detail_level::brief);
}

}  // namespace

std::string network::describe(detail_level how) const {
  const detail::network_state& s = *state_;
  const std::string steps = std::to_string(s.steps.size()) + (s.steps.size() == 1 ? " step" : " steps");
  if (how == detail_level::brief)
    return steps + ", " + sum_text(s) + ", workspace of " + std::to_string(s.workspace_bytes) + " bytes, on " +
           name_of(where());
  std::string text = detail::text_of_network(s.text, s.made_for.data(), int(s.made_for.size())) + "\n  " + steps +
                     ", the cheapest of " + (s.is_exact ? "all orders: " : "several orders: ") + sum_text(s);
  for (std::size_t i = 0; i < s.steps.size(); ++i) text += step_line(s, i);
  text += "\n  workspace: " + std::to_string(s.workspace_bytes) + " bytes";
  if (s.in_blocks) text += ", for blocks of " + std::to_string(s.block) + " batch entries";
  if (s.workspace_bytes > 0) text += s.own ? ", owned" : ", given by the caller";
  return text;
}

}  // namespace tessera
