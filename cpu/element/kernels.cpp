// SPDX-License-Identifier: BSD-3-Clause
// Looks up the compiled element kernels of an instruction set.
#include <tessera/cpu/detail/element/rows.hpp>

#include "../compiled_parts.hpp"
#include "tables.hpp"

namespace tessera {

namespace {

// One instruction set, whose rows come from several translation units.
template <class T>
struct joined_elements {
  std::vector<element_row<T>> rows;
  element_kernels<T> kernels;
};

template <class T>
std::vector<joined_elements<T>> join_elements() {
  std::vector<joined_elements<T>> all;
  const std::vector<detail::compiled_element_part<T>> parts = detail::compiled_element_parts<T>();
  for (std::size_t first = 0, next = 0; first < parts.size(); first = next) {
    std::vector<std::span<const element_row<T>>> dealt;
    for (next = first; next < parts.size() && parts[next].isa == parts[first].isa; ++next)
      dealt.push_back(parts[next].rows());
    all.push_back({detail::dealt_back(dealt), parts[first].kernels()});
  }
  for (joined_elements<T>& one : all) one.kernels.rows = one.rows;
  return all;
}

template <class T>
const std::vector<joined_elements<T>>& all_joined() {
  static const std::vector<joined_elements<T>> all = join_elements<T>();
  return all;
}

}  // namespace

template <class T>
const element_kernels<T>* element_kernels_of(target isa) {
  for (const joined_elements<T>& one : all_joined<T>())
    if (one.kernels.isa == isa) return &one.kernels;
  return nullptr;
}
template const element_kernels<float>* element_kernels_of(target);
template const element_kernels<double>* element_kernels_of(target);

template <class T>
std::string why_no_element_kernels(target wanted) {
  const std::string type = sizeof(T) == sizeof(float) ? "float" : "double";
  std::string text = std::string("there are no element kernels for ") + name_of(wanted) + " in " + type + " here; ";
  if (all_joined<T>().empty()) return text + "this build has none in " + type + " at all (TESSERA_TYPES)";
  std::string built, missing;
  for (const joined_elements<T>& one : all_joined<T>()) {
    const std::string name = name_of(one.kernels.isa);
    built += (built.empty() ? "" : ", ") + name;
    if (!is_available(one.kernels.isa)) missing += (missing.empty() ? "" : ", ") + name;
  }
  text += "this build has those for " + built + " (TESSERA_CPU_ISAS)";
  return missing.empty() ? text : text + ", and this CPU does not run " + missing;
}
template std::string why_no_element_kernels<float>(target);
template std::string why_no_element_kernels<double>(target);

}  // namespace tessera
