// SPDX-License-Identifier: BSD-3-Clause
// Lists of digits with boxes: sizes, orders and texts.
#include "boxed_list.hpp"

#include <algorithm>

namespace tessera::device {

boxed_list with_boxes(const general_digits& digits, const int (&box)[max_rank]) {
  boxed_list made;
  for (int i = 0; i < digits.count; ++i) made.push_back({digits.at[i], box[i]});
  return made;
}

int size_of(const boxed_list& digits) {
  int product = 1;
  for (const boxed_entry& d : digits) product *= d.box;
  return product;
}

index_t boxes_of(const boxed_list& digits) {
  index_t product = 1;
  for (const boxed_entry& d : digits) product *= (d.of.extent + d.box - 1) / d.box;
  return product;
}

void by_distance(boxed_list& digits, stride_of in) {
  std::stable_sort(digits.begin(), digits.end(), [in](const boxed_entry& a, const boxed_entry& b) {
    return distance(a.of.*in) < distance(b.of.*in);
  });
}

std::string numbers_text(const boxed_list& digits, const std::function<index_t(const boxed_entry&)>& of) {
  std::string text = "tessera::device::numbers<";
  for (std::size_t i = 0; i < digits.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(of(digits[i]));
  return text + ">";
}
std::string numbers_text(const boxed_list& digits, stride_of in) {
  return numbers_text(digits, [in](const boxed_entry& d) { return d.of.*in; });
}
std::string numbers_text(const std::vector<int>& values) {
  std::string text = "tessera::device::numbers<";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + ">";
}

std::string boxed_text(const boxed_list& digits) {
  return "tessera::device::boxed<" + numbers_text(digits, [](const boxed_entry& d) { return d.of.extent; }) + ", " +
         numbers_text(digits, [](const boxed_entry& d) { return index_t(d.box); }) + ">";
}

}  // namespace tessera::device
