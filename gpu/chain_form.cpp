// SPDX-License-Identifier: BSD-3-Clause
// Sizes of a fused chain.
#include <tessera/gpu/detail/chain_form.hpp>

#include <algorithm>

namespace tessera::device {

namespace {

// 16 bytes hold whole entries of either type.
index_t rounded(index_t entries) { return (entries + 3) / 4 * 4; }

}  // namespace

chain_operand chain_form::table_in_shared(const chain_operand& table) const {
  chain_operand o = table;
  const index_t piece = 16 / index_t(size_of(type));
  index_t stride = 1;
  for (int d = 0; d < o.facts.rank; ++d) {
    o.facts.stride[d] = stride;
    stride *= o.facts.extent[d];
    if (d == 0 && o.facts.rank > 1) stride = (stride + piece - 1) / piece * piece;
  }
  return o;
}

index_t chain_form::table_entries() const {
  index_t sum = 0;
  for (const chain_operand& t : tables) sum += rounded(table_in_shared(t).span());
  return sum;
}

index_t chain_form::half(int which) const {
  index_t most = which == 0 ? brought.apart : 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (int(i % 2) != which) most = std::max(most, steps[i].result.apart);
  return rounded(most);
}

std::string name_of_chain(const chain_form& form) {
  std::string name;
  for (const fused_step& s : form.steps) name += (name.empty() ? "" : "; ") + s.text;
  return name;
}

std::string text_of_modes(const einsum& e) {
  const auto letters = [](const modes& m) { return std::string(m.letter, std::size_t(m.rank)); };
  std::string text;
  for (int o = 0; o < e.inputs; ++o) text += (o > 0 ? "," : "") + letters(e.operand[o]);
  return text + "->" + letters(e.out());
}

}  // namespace tessera::device
