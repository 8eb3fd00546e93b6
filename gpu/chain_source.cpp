// SPDX-License-Identifier: BSD-3-Clause
// Writes the kernel of a fused chain: load the elements, one line and one barrier per step, store the result. It is a
// template on the number of elements, so that each of the last few elements of a batch has a block of its own.
#include "chain_source.hpp"

#include <tessera/gpu/detail/chain_kernel.hpp>

namespace tessera::device {

namespace {

std::string number(index_t n) { return std::to_string(n); }

// "known_strides<extents<4, 5>, 1, 4>"; elements: the last extent, E, with its stride.
std::string layout_text(const chain_operand& o, bool elements) {
  std::string extents, strides;
  for (int d = 0; d < o.facts.rank; ++d) {
    extents += (d > 0 ? ", " : "") + number(o.facts.extent[d]);
    strides += ", " + number(o.facts.stride[d]);
  }
  if (elements) {
    extents += o.facts.rank > 0 ? ", E" : "E";
    strides += ", " + number(o.apart);
  }
  return "known_strides<extents<" + extents + ">" + strides + ">";
}

// Inputs shared by all elements are in shared memory, those of each element are read in place.
std::string input_view(const chain_form& form, const chain_operand& o) {
  if (o.is_shared())
    return "view(table" + number(o.number) + ", " + layout_text(form.table_in_shared(o), false) + "{})";
  return "view(a.stream[" + number(o.number) + "] + first * " + number(o.apart) + ", " + layout_text(o, true) + "{})";
}

std::string half_of(std::size_t i) { return i % 2 == 0 ? "even" : "odd"; }

std::string step_text(const chain_form& form, std::size_t i, register_tile tile) {
  const fused_step& s = form.steps[i];
  std::string text = std::string("  ") + (s.weighted ? "contract_weighted" : "contract") + "<\"" + text_of_modes(s.e) +
                     "\", tile_of<E>(" + number(tile.rows) + ", " + number(tile.cols) + ")>(g, ";
  const std::string out = "view(" + half_of(i + 1) + ", " + layout_text(s.result, true) + "{})";
  if (s.weighted) text += input_view(form, s.weights) + ", " + out + ", ";
  for (int o = 0; o + 1 < s.e.inputs; ++o) text += input_view(form, s.inputs[o]) + ", ";
  text += "view(" + half_of(i) + ", " + layout_text(form.chained(i), true) + "{})";
  return text + (s.weighted ? "" : ", " + out) + ");\n  g.sync();\n";
}

std::string elements_text(const std::string& type, const chain_operand& o, const std::string& data,
                          const std::string& apart) {
  return "elements_at<" + type + ", " + layout_text(o, false) + ">{" + data + ", " + apart + "}";
}

// Streams are prefetched early: they are read in the middle of the chain.
std::string requests_text(const chain_form& form) {
  std::string text;
  const auto request = [&](const chain_operand& o) {
    if (!o.is_shared())
      text += "  ask_for(me, a.stream[" + number(o.number) + "] + first * " + number(o.apart) + ", ((E - 1) * " +
              number(o.apart) + " + " + number(o.span()) + ") * int(sizeof(T)));\n";
  };
  for (const fused_step& s : form.steps) {
    for (int o = 0; o + 1 < s.e.inputs; ++o) request(s.inputs[o]);
    if (s.weighted) request(s.weights);
  }
  return text;
}

std::string bring_text(const std::string& elements, const chain_operand& to, const std::string& from,
                       const std::string& where) {
  return "  bring<" + elements + ", " + layout_text(to, false) + ", " + number(to.apart) + ">(me, " + from + ", " +
         where + ");\n";
}

std::string tables_text(const chain_form& form) {
  std::string text, at = "odd + " + number(form.half(1)) + " * E";
  for (std::size_t t = 0; t < form.tables.size(); ++t) {
    const chain_operand& o = form.tables[t];
    chain_operand to = form.table_in_shared(o);
    to.apart = to.span();
    const std::string name = "table" + number(index_t(t)), size = number(o.entries());
    text += "  T* const " + name + " = " + at + ";\n";
    text += bring_text("1", to, elements_text("const T", o, "a.table[" + number(index_t(t)) + "]", size), name);
    at = name + " + " + number((to.span() + 3) / 4 * 4);
  }
  return text;
}

}  // namespace

jit_source source_of(const chain_form& form, const chain_blocks& blocks) {
  const std::string threads = number(blocks.threads), elements = number(blocks.elements);
  std::string text =
      "#include <tessera/gpu/detail/fused_chain.cuh>\n\n"
      "namespace tessera::device {\n\n"
      "using T = " +
      std::string(form.type == scalar_type::f32 ? "float" : "double") +
      ";\n\n"
      "template <int E>\n"
      "constexpr register_tile tile_of(int rows, int cols) {\n"
      "  return E == " +
      elements +
      " ? register_tile{rows, cols} : register_tile{};\n"
      "}\n\n"
      "template <int E>\n"
      "__device__ void whole_chain(const chain_arguments<T>& a, index_t first) {\n"
      "  extern __shared__ __align__(16) unsigned char memory[];\n"
      "  const block<" +
      threads +
      "> g;\n"
      "  const auto me = member_of(g);\n"
      "  T* const even = reinterpret_cast<T*>(memory);\n"
      "  T* const odd = even + " +
      number(form.half(0)) + " * E;\n";
  text += bring_text("E", form.brought, elements_text("const T", form.in, "a.in + first * a.in_apart", "a.in_apart"),
                     "even");
  text += tables_text(form) + requests_text(form);
  text += "  wait_for_pieces();\n  g.sync();\n";
  for (std::size_t i = 0; i < form.steps.size(); ++i) text += step_text(form, i, blocks.tiles[i]);
  const chain_operand& last = form.steps.back().result;
  text += "  take<E, " + layout_text(last, false) + ", " + number(last.apart) + ">(me, " + half_of(form.steps.size()) +
          ", " + elements_text("T", form.out, "a.out + first * a.out_apart", "a.out_apart") +
          ", a.alpha, a.beta);\n}\n\n";
  text += "__global__ void __launch_bounds__(" + threads +
          ") fused_chain(const __grid_constant__ chain_arguments<T> a) {\n"
          "  wait_for_earlier_kernels();\n"
          "  const index_t b = blockIdx.x + index_t(gridDim.x) * blockIdx.y;\n"
          "  if (b < a.whole)\n"
          "    whole_chain<" +
          elements + ">(a, b * " + elements + ");\n";
  if (blocks.elements > 1)
    text += "  else if (a.whole * " + elements + " + b - a.whole < a.elements)\n    whole_chain<1>(a, a.whole * " +
            elements + " + b - a.whole);\n";
  text += "}\n\n}  // namespace tessera::device\n";
  return {text, {"tessera::device::fused_chain"}};
}

std::string kernel_text(const chain_form& form, const chain_blocks& blocks) { return source_of(form, blocks).text; }

jit_code compile_chain(const chain_form& form, const chain_blocks& blocks, const std::string& cache_folder,
                       int architecture) {
  return compile_source(source_of(form, blocks), {.cache_folder = cache_folder}, architecture);
}

}  // namespace tessera::device
