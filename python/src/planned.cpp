// SPDX-License-Identifier: BSD-3-Clause
// Plans and networks over Python's arrays.
#include "planned.hpp"

#include <algorithm>
#include <cstring>

#include <tessera/core/half.hpp>
#include <tessera/memory.hpp>
#include <tessera/stream.hpp>

#include "e_vector.hpp"
#include "error_text.hpp"
#include "interpreter_lock.hpp"

namespace tessera::python {

namespace {

template <class T>
void write_one(void* to) {
  const T one(1.f);
  std::memcpy(to, &one, sizeof one);
}

buffer one_of(scalar_type type, space_kind space) {
  char entry[sizeof(complex<double>)]{};
  switch (type) {
    case scalar_type::f32: write_one<float>(entry); break;
    case scalar_type::f64: write_one<double>(entry); break;
    case scalar_type::c32: write_one<complex<float>>(entry); break;
    case scalar_type::c64: write_one<complex<double>>(entry); break;
    case scalar_type::f16: write_one<half>(entry); break;
    case scalar_type::bf16: write_one<bfloat16>(entry); break;
    case scalar_type::i16: write_one<short>(entry); break;
    case scalar_type::i32: write_one<int>(entry); break;
    case scalar_type::i64: write_one<long long>(entry); break;
  }
  buffer made(space, size_of(type));
  copy_memory(made.data(), entry, size_of(type));
  return made;
}

operand scalar_operand(const operand& like, const buffer& memory) {
  operand o;
  o.type = like.type;
  o.entry_bytes = like.entry_bytes;
  o.space = like.space;
  o.data = memory.data();
  o.span = 1;
  return o;
}

// Of "ki,jk->ji": "ki", "jk", "ji".
std::vector<std::string> letters_of_operands(const std::string& text) {
  std::vector<std::string> all(1);
  for (const char c : text) {
    if (c == ',' || c == '+' || c == '-') all.emplace_back();
    if (c != ',' && c != '+' && c != '-' && c != '>') all.back() += c;
  }
  return all;
}

// Not where a batch goes forwards in some operands and backwards in others: then it is an index like others.
bool is_batched(const std::vector<operand>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const operand& o) { return o.batched; });
}

// Whether a letter is in one input and nowhere else, so that it is summed over before anything is multiplied.
bool has_lonely_letter(const subscripts& what) {
  for (int i = 0; i < what.inputs; ++i)
    for (const char c : what.operands[std::size_t(i)]) {
      const auto has = [&](const std::string& letters) { return letters.find(c) != std::string::npos; };
      if (std::count_if(what.operands.begin(), what.operands.end(), has) == 1) return true;
    }
  return false;
}

}  // namespace

void refuse_new_output(std::string_view text) {
  refuse_value("einsum \"" + std::string(text) + "\": beta= adds to what is in the output: give out=");
}

const char* operand_name(int i, bool is_output) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int k = 1; k <= max_network_inputs + 1; ++k) all.push_back("operand " + std::to_string(k));
    return all;
  }();
  return is_output ? "out" : names[std::size_t(std::min(i, max_network_inputs))].c_str();
}

bool planned::seen::is(const array& a) const {
  if (type != a.type() || space != a.space() || device != a.device() || int(extent.size()) != a.rank()) return false;
  for (int d = 0; d < a.rank(); ++d)
    if (extent[std::size_t(d)] != a.extent(d) || stride[std::size_t(d)] != a.stride(d)) return false;
  return true;
}

planned::planned(std::string_view text, const call_options& options, const std::vector<array>& arrays)
    : what_(text),
      adds_to_out_(options.adds_to_out(what_)),
      batch_(options.batch),
      lowered_(lower(what_, batch_, arrays)) {
  for (std::size_t i = 1; options.sum_dtype.empty() && i < std::size_t(what_.inputs); ++i)
    if (arrays[i].type() != arrays[0].type())
      throw nb::type_error((std::string(operand_name(int(i), false)) + " is " + dtype_name(arrays[i].type()) +
                            ", operand 1 " + dtype_name(arrays[0].type()) +
                            "; inputs have one type, or sum_dtype= names that of the sums")
                               .c_str());
  for (const array& a : arrays) {
    seen s{a.type(), a.space(), a.device(), {}, {}, 0};
    for (int d = 0; d < a.rank(); ++d) s.extent.push_back(a.extent(d)), s.stride.push_back(a.stride(d));
    s.first = static_cast<const char*>(lowered_.operands[seen_.size()].data) - static_cast<const char*>(a.data());
    seen_.push_back(std::move(s));
  }
  for (const own_entry_function& f : options.own_functions)
    for (const nb::object& kept : f.kept()) kept_.push_back(kept);
  for (const nb::object& kept : options.own_pair.kept()) kept_.push_back(kept);
  options.check_sums_of(arrays[0].type());
  const bool takes_plan =
      (what_.inputs == 2 && !has_lonely_letter(what_)) || what_.has_addend() || options.has_functions();
  if (what_.inputs == 1 && takes_plan)
    throw nb::value_error(
        ("einsum \"" + std::string(text) + "\" of one input takes no addend, no functions= and no pair=").c_str());
  if (what_.inputs == 1) {
    one_ = one_of(*lowered_.operands[0].type, lowered_.operands[0].space);
    lowered_.text.insert(lowered_.text.find('-'), ",");
    lowered_.operands.insert(lowered_.operands.begin() + 1, scalar_operand(lowered_.operands[0], one_));
  }
  const released_lock unlocked;
  const operand* all = lowered_.operands.data();
  const int count = int(lowered_.operands.size());
  with_python_words(lowered_.text, what_, arrays, [&] {
    if (takes_plan)
      plan_ = make_plan_of(options.contraction_of(lowered_.text), all, count, options.of_plan());
    else
      network_ = make_network_of(lowered_.text, all, count, options.of_network());
  });
}

void planned::check_like_seen(const std::vector<array>& arrays) const {
  for (int i = 0; i < int(arrays.size()) && i < what_.count(); ++i) {
    const array& a = arrays[std::size_t(i)];
    const seen& s = seen_[std::size_t(i)];
    const std::string& letters = what_.operands[std::size_t(i)];
    const std::string name = operand_name(i, i + 1 == what_.count());
    if (a.type() != s.type)
      throw nb::type_error(
          (name + " is " + dtype_name(a.type()) + ", the plan was made for " + dtype_name(s.type)).c_str());
    if (a.space() != s.space)
      refuse_value(name + " is in memory of the " + name_of(a.space()) + ", the plan was made for that of the " +
                   name_of(s.space));
    if (a.device() != s.device)
      refuse_value(name + " is on GPU " + std::to_string(a.device()) + ", the plan was made for GPU " +
                   std::to_string(s.device));
    // Another rank is refused when the letters are read.
    for (int d = 0; d < a.rank() && a.rank() == int(letters.size()); ++d)
      if (a.extent(d) != s.extent[std::size_t(d)] && batch_.find(letters[std::size_t(d)]) == std::string::npos)
        refuse_value(name + " has the shape " + extents_text(a) + ", the plan was made for " + extents_text(s.extent) +
                     (batch_.empty() ? "" : "; of the batch \"" + batch_ + "\" alone the extents may be others"));
  }
}

void planned::refuse_order(const std::string& text) const {
  const std::vector<std::string> given = letters_of_operands(text), known = letters_of_operands(lowered_.text);
  std::size_t i = 0;
  while (i + 1 < known.size() && given[i] == known[i]) ++i;
  // Slowest first, as in a row-major array.
  const std::string found(given[i].rbegin(), given[i].rend()), wanted(known[i].rbegin(), known[i].rend());
  refuse_value(std::string(operand_name(int(i), i + 1 == known.size())) + " has another order in memory, \"" + found +
               "\" from the slowest index to the fastest, than the array that the plan was made for, \"" + wanted +
               "\"");
}

void planned::run(const std::vector<array>& arrays, std::uintptr_t stream) const {
  const bool as_before =
      arrays.size() == seen_.size() &&
      std::equal(arrays.begin(), arrays.end(), seen_.begin(), [](const array& a, const seen& s) { return s.is(a); });
  if (as_before) {
    if (!arrays.back().is_writable()) refuse_value("out is read-only");
    std::vector<operand> operands = lowered_.operands;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      // The scalar of a single input stands between it and the output.
      operand& o = operands[i > 0 && what_.inputs == 1 ? i + 1 : i];
      o.data = static_cast<const char*>(arrays[i].data()) + seen_[i].first;
      o.writable = arrays[i].is_writable();
    }
    return run_operands(operands, arrays, stream);
  }
  check_like_seen(arrays);
  lowered now = lower(what_, batch_, arrays);
  if (what_.inputs == 1) {
    now.text.insert(now.text.find('-'), ",");
    now.operands.insert(now.operands.begin() + 1, scalar_operand(now.operands[0], one_));
  }
  if (arrays.back().size() == 0 && now.text != lowered_.text) return;  // the order of no entries
  if (is_batched(now.operands) != is_batched(lowered_.operands))
    refuse_value("the batch \"" + batch_ + "\" has strides of " +
                 (is_batched(now.operands) ? "one sign" : "both signs") +
                 ", and that of the arrays that the plan was made for of " +
                 (is_batched(now.operands) ? "both signs" : "one sign") + ": make another plan");
  if (now.text != lowered_.text) refuse_order(now.text);
  run_operands(now.operands, arrays, stream);
}

void planned::run_operands(std::vector<operand>& operands, const std::vector<array>& arrays,
                           std::uintptr_t stream) const {
  const stream_view on(reinterpret_cast<void*>(stream));  // NOLINT: a handle as Python has it
  const released_lock unlocked;
  with_python_words(lowered_.text, what_, arrays, [&] {
    if (plan_)
      plan_->run_operands(operands.data(), int(operands.size()), on);
    else
      network_->run_operands(operands.data(), int(operands.size()), on);
  });
}

std::string planned::describe(bool brief) const {
  const detail_level how = brief ? detail_level::brief : detail_level::full;
  return plan_ ? plan_->describe(how) : network_->describe(how);
}
std::size_t planned::workspace_bytes() const { return plan_ ? plan_->workspace_bytes() : network_->workspace_bytes(); }
bool planned::is_ready() const { return !plan_ || plan_->is_ready(); }
target planned::where() const { return plan_ ? plan_->where() : network_->where(); }

}  // namespace tessera::python
