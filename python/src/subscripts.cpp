// SPDX-License-Identifier: BSD-3-Clause
// From letters and strides to operands.
#include "subscripts.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <tessera/core/product_types.hpp>

#include "e_vector.hpp"

namespace tessera::python {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string name_of_operand(const subscripts& what, int i) {
  if (i + 1 == what.count()) return "the output";
  return i < what.inputs ? "operand " + std::to_string(i + 1) : "the addend";
}

// Letters that occur once, in order.
std::string implied_output(const std::vector<std::string>& inputs) {
  std::string all, once;
  for (const std::string& letters : inputs) all += letters;
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i == 0 || all[i - 1] != all[i]) && (i + 1 == all.size() || all[i + 1] != all[i])) once += all[i];
  return once;
}

struct dimension {
  char letter;
  index_t extent, stride;
};

// Dimensions of an array by letter; a letter that stands twice walks along the diagonal.
std::vector<dimension> dimensions_of(const subscripts& what, int i, const array& a) {
  const std::string& letters = what.operands[std::size_t(i)];
  if (int(letters.size()) != a.rank())
    refuse_value(name_of_operand(what, i) + " has " + std::to_string(a.rank()) + " dimensions, " + extents_text(a) +
                 ", and its subscripts \"" + letters + "\" " + std::to_string(letters.size()));
  std::vector<dimension> all;
  for (int d = 0; d < a.rank(); ++d) {
    const dimension next{letters[std::size_t(d)], a.extent(d), a.stride(d)};
    const auto same = std::find_if(all.begin(), all.end(), [&](const dimension& x) { return x.letter == next.letter; });
    if (same == all.end()) {
      all.push_back(next);
      continue;
    }
    if (same->extent != next.extent)
      refuse_value(name_of_operand(what, i) + " " + extents_text(a) + " has the letter '" + next.letter +
                   "' with the extents " + std::to_string(same->extent) + " and " + std::to_string(next.extent));
    same->stride += next.stride;
  }
  return all;
}

void check_distinct(const std::vector<dimension>& output) {
  for (const dimension& d : output)
    if (d.extent > 1 && d.stride == 0)
      refuse_value(std::string("out has the stride 0 along '") + d.letter + "' of extent " + std::to_string(d.extent) +
                   ": its entries share one address");
}

// Of the batch's letters in the order of the output's strides, the largest first.
std::string batch_in_order(const subscripts& what, std::string_view batch, const std::vector<dimension>& output) {
  std::string order;
  for (const char letter : batch) {
    if (!is_letter(letter))
      refuse_value("batch=\"" + std::string(batch) + "\" is not letters of \"" + what.output() + "\"");
    if (order.find(letter) != std::string::npos)
      refuse_value("batch=\"" + std::string(batch) + "\" has a letter twice");
    if (what.output().find(letter) == std::string::npos)
      refuse_value(std::string("the batch's letter '") + letter + "' is not in the output \"" + what.output() + "\"");
    order += letter;
  }
  const auto stride_of = [&](char letter) {
    for (const dimension& d : output)
      if (d.letter == letter) return std::abs(d.stride);
    return index_t(0);
  };
  std::stable_sort(order.begin(), order.end(), [&](char a, char b) { return stride_of(a) > stride_of(b); });
  return order;
}

// The batch's dimensions of one operand as one, taken out of `all`.
void take_batch(const subscripts& what, int i, const std::string& order, std::vector<dimension>& all, operand& o) {
  index_t count = 1, stride = 0;
  int found = 0;
  for (const char letter : order) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const dimension& d) { return d.letter == letter; });
    if (at == all.end()) continue;
    if (found > 0 && at->extent > 1 && count > 1 && stride != at->extent * at->stride)
      refuse_value(name_of_operand(what, i) + ": the batch \"" + order + "\" has no single stride: '" + letter +
                   "' has the extent " + std::to_string(at->extent) + " and the stride " + std::to_string(at->stride) +
                   ", and the letters before it the stride " + std::to_string(stride) +
                   "; name one letter, or give an array in which they lie one behind the other");
    if (at->extent > 1 || found == 0) stride = at->stride;
    count *= at->extent;
    ++found;
    all.erase(at);
  }
  if (found == 0) return;
  if (found != int(order.size()))
    refuse_value(name_of_operand(what, i) + " has some of the batch's letters \"" + order + "\" and not all");
  o.batched = true;
  o.count = count;
  o.stride = stride;
}

// Batches that all have negative strides begin at their end instead. False: some have, and some have not.
bool make_strides_positive(std::vector<operand>& operands) {
  bool forwards = false, backwards = false;
  for (const operand& o : operands) {
    forwards = forwards || (o.batched && o.stride > 0);
    backwards = backwards || (o.batched && o.stride < 0);
  }
  if (!backwards || forwards) return !backwards;
  for (operand& o : operands)
    if (o.batched && o.count > 0) {
      o.data = static_cast<const char*>(o.data) + (o.count - 1) * o.stride * index_t(o.entry_bytes);
      o.stride = -o.stride;
    }
  return true;
}

}  // namespace

subscripts::subscripts(std::string_view text) {
  std::string letters;
  bool after_arrow = false, after_plus = false;
  const auto fault = [&](const std::string& why) { refuse_value("einsum \"" + std::string(text) + "\": " + why); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (is_letter(c)) {
      letters += c;
    } else if ((c == ',' || c == '+') && !after_arrow && !after_plus) {
      operands.push_back(std::exchange(letters, ""));
      if (c == '+') inputs = int(operands.size()), after_plus = true;
    } else if (c == '-' && i + 1 < text.size() && text[i + 1] == '>' && !after_arrow) {
      operands.push_back(std::exchange(letters, ""));
      if (!after_plus) inputs = int(operands.size());
      after_arrow = true;
      ++i;
    } else if (c == '.') {
      fault("\"...\" is not supported; name its indices, those of the elements as batch=");
    } else {
      const bool is_printable = c > ' ' && c < 0x7f;
      fault((is_printable ? std::string("'") + c + "'" : "character " + std::to_string(i + 1)) +
            " is no letter, and neither ',', '+' nor '->' at this place");
    }
  }
  operands.push_back(letters);
  for (std::size_t d = 0; after_arrow && d < letters.size(); ++d)
    if (letters.find(letters[d]) != d) fault(std::string("the output has '") + letters[d] + "' twice");
  if (after_arrow) return;
  if (after_plus) fault("with an addend it needs an output");
  inputs = int(operands.size());
  operands.push_back(implied_output(operands));
}

std::string subscripts::text() const {
  std::string all;
  for (int i = 0; i < count(); ++i)
    all += (i == 0 ? "" : i + 1 == count() ? "->" : i < inputs ? "," : "+") + operands[std::size_t(i)];
  return all;
}

lowered lower(const subscripts& what, std::string_view batch, const std::vector<array>& arrays) {
  if (int(arrays.size()) != what.count())
    refuse_value(std::to_string(arrays.size()) + " arrays for the " + std::to_string(what.count()) +
                 " operands of the subscripts, the output among them");
  if (!arrays.back().is_writable()) refuse_value("out is read-only");
  std::vector<std::vector<dimension>> all;
  for (int i = 0; i < what.count(); ++i) all.push_back(dimensions_of(what, i, arrays[std::size_t(i)]));
  const std::string order = batch.empty() ? std::string() : batch_in_order(what, batch, all.back());
  lowered result;
  result.operands.resize(arrays.size());
  for (int i = 0; i < what.count(); ++i) {
    const array& a = arrays[std::size_t(i)];
    operand& o = result.operands[std::size_t(i)];
    o.type = a.type();
    o.entry_bytes = size_of(a.type());
    o.space = a.space();
    o.writable = a.is_writable();
    o.data = a.data();
    std::vector<dimension>& dims = all[std::size_t(i)];
    if (i + 1 == what.count()) check_distinct(dims);
    if (!order.empty()) take_batch(what, i, order, dims, o);
    // Where strides are equal, which extents of 1 have, Python's last index counts as the fastest.
    std::reverse(dims.begin(), dims.end());
    std::stable_sort(dims.begin(), dims.end(),
                     [](const dimension& x, const dimension& y) { return std::abs(x.stride) < std::abs(y.stride); });
    if (i > 0) result.text += i + 1 == what.count() ? "->" : i < what.inputs ? "," : "+";
    o.facts.rank = int(dims.size());
    bool is_empty = false;
    o.span = 1;
    for (int d = 0; d < o.facts.rank; ++d) {
      const dimension& x = dims[std::size_t(d)];
      result.text += x.letter;
      o.facts.extent[d] = x.extent;
      o.facts.stride[d] = x.stride;
      is_empty = is_empty || x.extent == 0;
      if (x.extent > 1) o.span += (x.extent - 1) * std::abs(x.stride);
    }
    if (is_empty) o.span = 0;
  }
  // Without a batch the index is one like others.
  return make_strides_positive(result.operands) ? result : lower(what, "", arrays);
}

std::vector<index_t> output_extents(const subscripts& what, const std::vector<array>& inputs) {
  std::vector<index_t> extents;
  for (const char letter : what.output()) {
    index_t extent = -1;
    for (int i = 0; i < what.count() - 1 && extent < 0; ++i) {
      const std::size_t at = what.operands[std::size_t(i)].find(letter);
      if (at != std::string::npos && int(at) < inputs[std::size_t(i)].rank())
        extent = inputs[std::size_t(i)].extent(int(at));
    }
    if (extent < 0) refuse_value(std::string("the output's letter '") + letter + "' is in no operand");
    extents.push_back(extent);
  }
  return extents;
}

}  // namespace tessera::python
