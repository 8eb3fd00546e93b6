// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes plans, runs and copies through the C API: what is accepted is right, what is refused has written nothing.
#include <algorithm>
#include <cstring>

#include <tessera/tessera.h>

#include "allocation.hpp"
#include "contraction_loop.hpp"
#include "finding.hpp"

namespace {

using namespace fuzz;

struct types_of_product {
  tessera_type in, out, sum;
};
constexpr types_of_product products[] = {
    {TESSERA_F64, TESSERA_F64, TESSERA_USUAL},  {TESSERA_F32, TESSERA_F32, TESSERA_USUAL},
    {TESSERA_C64, TESSERA_C64, TESSERA_USUAL},  {TESSERA_C32, TESSERA_C32, TESSERA_USUAL},
    {TESSERA_F32, TESSERA_F32, TESSERA_F64},    {TESSERA_F16, TESSERA_F16, TESSERA_USUAL},
    {TESSERA_F16, TESSERA_F32, TESSERA_USUAL},  {TESSERA_BF16, TESSERA_BF16, TESSERA_F32},
    {TESSERA_BF16, TESSERA_F32, TESSERA_USUAL}, {TESSERA_F64, TESSERA_F64, TESSERA_F64}};

// Which operands have a letter: bit i of input i, bit 7 of the output.
constexpr int of_output = 1 << 7;

struct letter {
  char name;
  int holders;
  std::int64_t extent;
};

std::vector<letter> letters_from(bytes& from, int inputs) {
  std::vector<letter> all;
  const int count = from.one_in(16) ? from.below(12) : from.below(6);
  std::int64_t work = 1;
  for (int i = 0; i < count; ++i) {
    const int pairs[] = {1 | 2, 1 | of_output, 2 | of_output, 1 | 2 | of_output};
    int holders = from.one_of(pairs);
    if (inputs == 3) {
      const int some[] = {holders, holders | 4, 4 | of_output, 1 | 4, 2 | 4 | of_output};
      holders = from.one_of(some);
    }
    std::int64_t extent = from.one_in(16) ? from.below(24) : 1 + from.below(5);
    if (work * extent > 1 << 13) extent = 1;
    work *= std::max<std::int64_t>(extent, 1);
    if (from.one_in(128)) extent = from.absurd();
    all.push_back({char((from.one_in(8) ? 'A' : 'a') + i), holders, extent});
  }
  return all;
}

bool is_absurd(const letter& l) { return l.extent < 0 || l.extent > most_entries; }

// An operand with the letters that it holds, in any order.
void take_letters(operand_case& o, const std::vector<letter>& all, int bit, bytes& from) {
  for (const letter& l : all) {
    if ((l.holders & bit) == 0 || o.o.rank == TESSERA_MAX_RANK) continue;
    const int at = o.o.rank - from.below(o.o.rank + 1);
    o.letters.insert(std::size_t(at), 1, l.name);
    std::copy_backward(o.o.extent + at, o.o.extent + o.o.rank, o.o.extent + o.o.rank + 1);
    o.o.extent[at] = l.extent;
    ++o.o.rank;
  }
}

const char* target_from(bytes& from, bool& ordinary) {
  static constexpr const char* usual[] = {nullptr, "best", "reference"};
  static constexpr const char* odd[] = {"sse2", "avx2", "avx512", "neon", "cuda", "", "AVX2", "avx 2", "references"};
  if (!from.one_in(8)) return from.one_of(usual);
  const char* const name = from.one_of(odd);
  ordinary = ordinary && tessera_target_available(name) != 0 && std::strcmp(name, "cuda") != 0;
  return name;
}

tessera_scaling scaling_from(bytes& from, const types_of_product& types, bool& ordinary) {
  static constexpr double factors[] = {1, 0, 2, -1, 3, 0.5, -2};
  tessera_scaling s{{from.one_of(factors), 0}, {0, 0}, types.sum};
  static constexpr double betas[] = {0, 1, 2, -1, 0.5};
  s.beta[0] = from.one_of(betas);
  if (is_complex(types.in)) {
    s.alpha[1] = from.one_of(betas);
    s.beta[1] = from.one_of(betas);
  } else if (from.one_in(64)) {
    s.alpha[1] = 1;
    ordinary = false;
  }
  return s;
}

// Any number is one to run with, not to start.
int threads_from(bytes& from) {
  static constexpr int many[] = {5, 8, 64, 1000, 100000, 1 << 30, 2147483646, 2147483647};
  const int which = from.next();
  return which < 248 ? which % 4 : many[which - 248];
}

// Seldom as many as pay for several threads.
std::int64_t batch_from(bytes& from) {
  const int which = from.next();
  return which < 248 ? 1 + which % 9 : 1024 * (which - 247);
}

contraction_case case_from(bytes& from) {
  contraction_case c;
  const int inputs = from.one_in(4) ? 3 : 2;
  const std::vector<letter> all = letters_from(from, inputs);
  const types_of_product types = from.one_of(products);
  c.scaling = scaling_from(from, types, c.ordinary);
  c.target = target_from(from, c.ordinary);
  c.threads = threads_from(from);
  const bool batched = from.one_in(2);
  const std::int64_t count = from.one_in(16) ? from.below(64) : batch_from(from);
  c.operands.resize(std::size_t(inputs) + 1);
  for (int i = 0; i <= inputs; ++i) {
    operand_case& o = c.operands[std::size_t(i)];
    const bool is_output = i == inputs;
    take_letters(o, all, is_output ? of_output : 1 << i, from);
    c.text += (i == 0 ? "" : is_output ? "->" : ",") + o.letters;
    o.o.type = is_output ? types.out : types.in;
    o.o.batched = batched && (is_output || !from.one_in(4)) ? 1 : 0;
    o.o.count = o.o.batched ? count : 1;
    o.o.conjugated = !is_output && from.one_in(4) ? 1 : 0;
    if (!is_complex(types.in)) o.o.conjugated = 0;
    lay_out(o.o, from);
  }
  c.ordinary = c.ordinary && all.size() <= 8 && std::ranges::none_of(all, is_absurd);
  return c;
}

// The letters that a changed text gives the operands, where it has as many as there are.
void take_letters_of_text(contraction_case& c) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < c.text.size(); ++i) {
    if (c.text[i] == ' ') continue;
    const bool arrow = c.text.compare(i, 2, "->") == 0;
    if (arrow || c.text[i] == ',')
      parts.emplace_back();
    else
      parts.back() += c.text[i];
    i += arrow ? 1 : 0;
  }
  for (std::size_t i = 0; i < c.operands.size(); ++i)
    c.operands[i].letters = parts.size() == c.operands.size() ? parts[i] : "";
}

// What makes a case one that may be refused.
void distort(contraction_case& c, bytes& from) {
  for (int left = from.below(4); left > 0 && from.one_in(2); --left) {
    c.ordinary = false;
    operand_case& o = c.operands[from.next() % c.operands.size()];
    switch (from.below(8)) {
      case 0: c.threads = from.absurd_int(); break;
      case 1: c.scaling.sum = from.absurd_int(); break;
      case 2:
        if (!c.text.empty()) c.text[from.next() % c.text.size()] = char(from.next());
        break;
      case 3: c.text.insert(from.next() % (c.text.size() + 1), 1, ' '); break;
      default: fuzz::distort(o.o, from); break;
    }
    take_letters_of_text(c);
  }
}

// The output in an input's memory, at the same address or a little behind.
void alias(contraction_case& c, bytes& from) {
  operand_case &in = c.operands.front(), &out = c.operands.back();
  if (in.memory == nullptr || out.memory == nullptr || in.o.members != nullptr || out.o.members != nullptr) return;
  if (in.o.type != out.o.type) return;  // the bits of one are no small numbers of the other
  const std::size_t shift = from.one_in(4) ? std::size_t(from.below(64)) * bytes_of(out.o.type) : 0;
  const auto both = std::make_shared<block>(std::max(in.memory->bytes(), out.memory->bytes() + shift));
  in.memory = out.memory = both;
  in.o.data = both->data() + bytes_before(in.o);
  out.o.data = both->data() + shift + bytes_before(out.o);
  fill(in, from);
  c.ordinary = false;
}

bool refused_for_sure(const contraction_case& c) {
  // Of null pointers, unless there is nothing to write.
  const tessera_operand& out = c.operands.back().o;
  if (out.batched && out.count == 0) return false;
  for (int d = 0; d < out.rank && d < TESSERA_MAX_RANK; ++d)
    if (out.extent[d] == 0) return false;
  return true;
}

bool output_lies_apart(const operand_case& out) {
  if (out.o.batched && out.o.count == 0) return false;  // may be refused for what entries would do
  if (!all_apart(places_of(out))) return false;
  // Plans are for any count: entries of a whole block have to lie apart.
  operand_case whole = out;
  whole.o.count = std::max(out.o.count, out.o.lanes);
  if (out.o.batched && out.o.members == nullptr && !all_apart(places_of(whole))) return false;
  // Blocks of a batch that reach into each other may be refused although no entries meet.
  if (!out.o.batched || out.o.members != nullptr || out.o.count <= out.o.lanes) return true;
  std::int64_t span = out.o.lanes;
  for (int d = 0; d < out.o.rank; ++d) span += (out.o.extent[d] - 1) * out.o.stride[d];
  return out.o.batch_stride >= span;
}

std::vector<std::vector<char>> contents_of(const contraction_case& c) {
  std::vector<std::vector<char>> all;
  for (const operand_case& o : c.operands)
    all.push_back(o.memory == nullptr ? std::vector<char>() : o.memory->content());
  return all;
}

// Everything but what the output's entries cover is as it was.
void check_untouched(const contraction_case& c, std::vector<std::vector<char>> before, bool written) {
  const operand_case& out = c.operands.back();
  const std::size_t entry = bytes_of(out.o.type);
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    if (c.operands[i].memory == nullptr) continue;
    std::vector<char> now = c.operands[i].memory->content();
    if (written && c.operands[i].memory == out.memory)
      for (const std::ptrdiff_t place : places_of(out))
        std::copy_n(now.begin() + place, entry, before[i].begin() + place);
    if (now != before[i])
      finding("memory of operand " + std::to_string(i) + (written ? " beside the output's entries" : "") +
                  " was written, by a run that " + (written ? "worked" : "was refused"),
              text_of(c));
  }
}

// NaN where beta = 0 promises not to read.
void poison_output(contraction_case& c) {
  operand_case& out = c.operands.back();
  const bool reads = c.scaling.beta[0] != 0 || c.scaling.beta[1] != 0;
  if (reads || out.memory == nullptr || out.memory == c.operands.front().memory) return;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t entry = bytes_of(out.o.type);
  for (std::size_t i = 0; i + entry <= out.memory->bytes(); i += entry)
    write_entry(out.o.type, out.memory->data() + i, {nan, nan});
}

bool has_null_member(const operand_case& o) {
  return o.o.members != nullptr && o.tensor_entries() > 0 &&
         std::find(o.members.begin(), o.members.end() - 1, nullptr) != o.members.end() - 1;
}

// Of as many tensors as the output, or one for all.
bool counts_agree(const contraction_case& c) {
  const std::int64_t batches = c.operands.back().batches();
  return std::ranges::all_of(c.operands, [&](const operand_case& o) { return !o.o.batched || o.o.count == batches; });
}

std::vector<tessera_operand> given(const contraction_case& c) {
  std::vector<tessera_operand> all;
  for (const operand_case& o : c.operands) all.push_back(o.o);
  return all;
}

void run(const contraction_case& c, const tessera_plan* plan) {
  std::vector<tessera_operand> operands = given(c);
  const int count = int(operands.size());
  if (!work_of(c)) {
    for (tessera_operand& o : operands) o.data = nullptr, o.members = nullptr;
    if (tessera_plan_run(plan, operands.data(), count, nullptr) == TESSERA_OK && refused_for_sure(c))
      finding("a run over null pointers worked", text_of(c));
    return;
  }
  const bool apart = all_apart(places_of(c.operands.back()));
  const bool has_null = std::ranges::any_of(c.operands, has_null_member);
  const bool refused = has_null || !apart || !counts_agree(c);
  const std::vector<expected_entry> expected = refused ? std::vector<expected_entry>() : expected_of(c);
  const std::vector<std::vector<char>> before = contents_of(c);
  const tessera_status status = tessera_plan_run(plan, operands.data(), count, nullptr);
  if (status == TESSERA_OK && has_null && refused_for_sure(c)) finding("a run over a null member worked", text_of(c));
  if (status == TESSERA_OK && !counts_agree(c)) finding("a run worked whose counts differ", text_of(c));
  if (status == TESSERA_OK && !apart) finding("a run worked whose output's entries share addresses", text_of(c));
  if (status != TESSERA_OK && c.ordinary && output_lies_apart(c.operands.back()))
    finding(std::string("a run was refused: ") + tessera_last_error(), text_of(c));
  check_untouched(c, before, status == TESSERA_OK);
  if (status != TESSERA_OK || !has_known_result(c)) return;
  const operand_case& out = c.operands.back();
  for (const expected_entry& e : expected) {
    const number got = read_entry(out.o.type, out.memory->data() + e.place);
    if (!is_rounded(out.o.type, got, e.value))
      finding("the entry at byte " + std::to_string(e.place) + " is " + std::to_string(got.real()) + " + " +
                  std::to_string(got.imag()) + " i, not " + std::to_string(e.value.real()) + " + " +
                  std::to_string(e.value.imag()) + " i; " + tessera_plan_describe_brief(plan),
              text_of(c));
  }
}

void fuzz_plan(bytes& from) {
  contraction_case c = case_from(from);
  distort(c, from);
  for (operand_case& o : c.operands) {
    if (o.o.batched && from.one_in(8)) scatter(o, from);
    fill(o, from);
  }
  if (from.one_in(8)) alias(c, from);
  if (std::ranges::any_of(c.operands, has_null_member)) c.ordinary = false;
  poison_output(c);
  const std::vector<tessera_operand> operands = given(c);
  show(c);
  auto* const nowhere = reinterpret_cast<tessera_plan*>(&c);
  tessera_plan* plan = nowhere;
  const tessera_status status = tessera_plan_create_scaled(&plan, c.text.c_str(), &c.scaling, operands.data(),
                                                           int(operands.size()), c.target, c.threads);
  if ((status == TESSERA_OK) != (plan != nullptr) || plan == nowhere)
    finding("the plan does not say what the status says", text_of(c));
  if (status != TESSERA_OK && c.ordinary && work_of(c) && output_lies_apart(c.operands.back()))
    finding(std::string("a plan was refused: ") + tessera_last_error(), text_of(c));
  if (status != TESSERA_OK) return;
  run(c, plan);
  tessera_plan_destroy(plan);
}

void fuzz_copy(bytes& from) {
  const std::vector<letter> all = letters_from(from, 2);
  contraction_case c;
  c.operands.resize(2);
  c.ordinary = std::ranges::none_of(all, is_absurd);
  const types_of_product types = from.one_of(products);
  const bool batched = from.one_in(2);
  const int count = from.below(9);
  for (operand_case& o : c.operands) {
    for (const letter& l : all)
      if (o.o.rank < TESSERA_MAX_RANK) {
        o.o.extent[o.o.rank++] = l.extent;
        o.letters += l.name;
      }
    o.o.type = types.in;
    o.o.batched = batched;
    o.o.count = batched ? count : 1;
    lay_out(o.o, from);
    if (from.one_in(4)) fuzz::distort(o.o, from), c.ordinary = false;
    if (batched && from.one_in(8)) scatter(o, from);
    fill(o, from);
  }
  operand_case &source = c.operands.front(), &to = c.operands.back();
  const bool real = source.memory != nullptr && to.memory != nullptr;
  if (!real)
    for (operand_case& o : c.operands) o.o.data = nullptr, o.o.members = nullptr, o.memory = nullptr;
  const std::vector<std::vector<char>> before = contents_of(c);
  show(c);
  const tessera_status status = tessera_copy(&source.o, &to.o);
  const bool worked = status == TESSERA_OK;
  const std::vector<std::ptrdiff_t> places =
      real && !has_null_member(to) ? places_of(to) : std::vector<std::ptrdiff_t>();
  if (worked && real && !all_apart(places))
    finding("a copy worked whose destination's entries share addresses", text_of(c));
  if (worked && real && (has_null_member(source) || has_null_member(to)) && refused_for_sure(c))
    finding("a copy with a null member worked", text_of(c));
  if (worked && !real && refused_for_sure(c)) finding("a copy over null pointers worked", text_of(c));
  if (!worked && real && c.ordinary && !has_null_member(source) && !has_null_member(to) && output_lies_apart(to))
    finding(std::string("a copy was refused: ") + tessera_last_error(), text_of(c));
  check_untouched(c, before, worked && real);
  if (!worked || !real || places.empty()) return;
  const std::size_t entry = bytes_of(to.o.type);
  for (std::int64_t b = 0; b < to.batches(); ++b) {
    std::int64_t index[TESSERA_MAX_RANK]{};
    for (std::int64_t i = 0; i < to.tensor_entries(); ++i) {
      std::int64_t rest = i;
      for (int d = 0; d < to.o.rank; ++d) index[d] = rest % to.o.extent[d], rest /= to.o.extent[d];
      if (std::memcmp(source.memory->data() + source.place(index, b), to.memory->data() + to.place(index, b), entry) !=
          0)
        finding("entry " + std::to_string(i) + " of tensor " + std::to_string(b) + " was not copied", text_of(c));
    }
  }
}

void fuzz_text(bytes& from) {
  const std::string text = from.rest();
  const std::int64_t extent[TESSERA_MAX_RANK] = {2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1};
  double data[256]{};
  tessera_operand operands[4];
  for (int inputs = 2; inputs <= 3; ++inputs) {
    // Ranks by the text itself, so that what is well-formed gets as far as a kernel.
    std::size_t at = 0;
    for (int i = 0; i <= inputs; ++i) {
      int rank = 0;
      for (; at < text.size() && text[at] != ',' && text[at] != '-'; ++at) rank += text[at] != ' ' ? 1 : 0;
      at += at < text.size() && text[at] == '-' ? 2 : 1;
      operands[i] = tessera_packed(TESSERA_F64, TESSERA_CPU, data, std::min(rank, TESSERA_MAX_RANK), extent, -1);
    }
    tessera_plan* plan = nullptr;
    const tessera_status status = tessera_plan_create(&plan, text.c_str(), 1, 0, operands, inputs + 1, nullptr, 1);
    if ((status == TESSERA_OK) != (plan != nullptr)) finding("the plan does not say what the status says", text);
    tessera_plan_destroy(plan);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const memory_limit limit;
  bytes from(data, size);
  switch (from.below(8)) {
    case 6: fuzz_text(from); break;
    case 7: fuzz_copy(from); break;
    default: fuzz_plan(from); break;
  }
  return 0;
}
