// SPDX-License-Identifier: BSD-3-Clause
// Plans and networks over Python's arrays.
#include "planned.hpp"

#include <algorithm>
#include <cstring>

#include <tessera/core/half.hpp>
#include <tessera/memory.hpp>
#include <tessera/stream.hpp>

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

const char* operand_name(int i, bool is_output) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int k = 1; k <= max_network_inputs + 1; ++k) all.push_back("operand " + std::to_string(k));
    return all;
  }();
  return is_output ? "out" : names[std::size_t(std::min(i, max_network_inputs))].c_str();
}

bool planned::seen::is(const array& a) const {
  if (type != a.type() || space != a.space() || int(extent.size()) != a.rank()) return false;
  for (int d = 0; d < a.rank(); ++d)
    if (extent[std::size_t(d)] != a.extent(d) || stride[std::size_t(d)] != a.stride(d)) return false;
  return true;
}

planned::planned(std::string_view text, const call_options& options, const std::vector<array>& arrays)
    : what_(text), batch_(options.batch), lowered_(lower(what_, batch_, arrays)) {
  for (std::size_t i = 1; options.sum_dtype.empty() && i < std::size_t(what_.inputs); ++i)
    if (arrays[i].type() != arrays[0].type())
      throw nb::type_error((std::string(operand_name(int(i), false)) + " is " + dtype_name(arrays[i].type()) +
                            ", operand 1 " + dtype_name(arrays[0].type()) +
                            "; inputs have one type, or sum_dtype= names that of the sums")
                               .c_str());
  for (const array& a : arrays) {
    seen s{a.type(), a.space(), {}, {}, 0};
    for (int d = 0; d < a.rank(); ++d) s.extent.push_back(a.extent(d)), s.stride.push_back(a.stride(d));
    s.first = static_cast<const char*>(lowered_.operands[seen_.size()].data) - static_cast<const char*>(a.data());
    seen_.push_back(std::move(s));
  }
  const bool takes_plan =
      (what_.inputs == 2 && !has_lonely_letter(what_)) || what_.has_addend() || options.has_functions();
  if (what_.inputs == 1 && takes_plan)
    throw nb::value_error(
        ("einsum \"" + std::string(text) + "\" of one input takes no addend and no functions").c_str());
  if (what_.inputs == 1) {
    one_ = one_of(*lowered_.operands[0].type, lowered_.operands[0].space);
    lowered_.text.insert(lowered_.text.find('-'), ",");
    lowered_.operands.insert(lowered_.operands.begin() + 1, scalar_operand(lowered_.operands[0], one_));
  }
  const nb::gil_scoped_release unlocked;
  const operand* all = lowered_.operands.data();
  const int count = int(lowered_.operands.size());
  if (takes_plan)
    plan_ = make_plan_of(options.contraction_of(lowered_.text), all, count, options.of_plan());
  else
    network_ = make_network_of(lowered_.text, all, count, options.of_network());
}

void planned::run(const std::vector<array>& arrays, std::uintptr_t stream) const {
  const bool as_before =
      arrays.size() == seen_.size() &&
      std::equal(arrays.begin(), arrays.end(), seen_.begin(), [](const array& a, const seen& s) { return s.is(a); });
  if (as_before) {
    std::vector<operand> operands = lowered_.operands;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      // The scalar of a single input stands between it and the output.
      operand& o = operands[i > 0 && what_.inputs == 1 ? i + 1 : i];
      o.data = static_cast<const char*>(arrays[i].data()) + seen_[i].first;
      o.writable = arrays[i].is_writable();
    }
    return run_operands(operands, stream);
  }
  lowered now = lower(what_, batch_, arrays);
  if (what_.inputs == 1) {
    now.text.insert(now.text.find('-'), ",");
    now.operands.insert(now.operands.begin() + 1, scalar_operand(now.operands[0], one_));
  }
  if (arrays.back().size() == 0 && now.text != lowered_.text) return;  // the order of no entries
  if (now.text != lowered_.text)
    throw nb::value_error(
        ("the arrays' dimensions have another order in memory than those that the plan was made for: " + now.text +
         ", not " + lowered_.text)
            .c_str());
  run_operands(now.operands, stream);
}

void planned::run_operands(std::vector<operand>& operands, std::uintptr_t stream) const {
  const stream_view on(reinterpret_cast<void*>(stream));  // NOLINT: a handle as Python has it
  const nb::gil_scoped_release unlocked;
  if (plan_)
    plan_->run_operands(operands.data(), int(operands.size()), on);
  else
    network_->run_operands(operands.data(), int(operands.size()), on);
}

std::string planned::describe(bool brief) const {
  const detail_level how = brief ? detail_level::brief : detail_level::full;
  return plan_ ? plan_->describe(how) : network_->describe(how);
}
std::size_t planned::workspace_bytes() const { return plan_ ? plan_->workspace_bytes() : network_->workspace_bytes(); }
bool planned::is_ready() const { return !plan_ || plan_->is_ready(); }
target planned::where() const { return plan_ ? plan_->where() : network_->where(); }

}  // namespace tessera::python
