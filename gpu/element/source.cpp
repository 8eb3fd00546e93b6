// SPDX-License-Identifier: BSD-3-Clause
// Writes the names of element kernels' instantiations.
#include <tessera/gpu/detail/element/kernel.hpp>

namespace tessera::device {

namespace {

const char* word(bool value) { return value ? "true" : "false"; }
const char* word(scalar_type type) { return type == scalar_type::f32 ? "float" : "double"; }

std::string int_list(std::initializer_list<int> numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

std::string source_of_data(const element_kernel& what) {
  const int nodes = what.facts.geometry;
  if (nodes == 0) return word(what.variant.stored);
  const computed_data_of& D = what.computed;
  return std::string("tessera::device::from_nodes<tessera::operator_kind::") + name_of(D.kind) + ", " +
         int_list({nodes, D.given}) + ", " + word(D.at_points) + ">";
}

// The loader and the storer.
std::string vectors_of(scalar_type type, const element_variant& v) {
  const std::string device = "tessera::device::", number = word(type);
  if (!v.l_vectors) {
    const std::string of = number + ", " + word(v.unit) + ">";
    return device + "e_vector_loader<" + of + ", " + device + "e_vector_storer<" + of;
  }
  const std::string of = number + ", " + (v.wide ? "unsigned long" : "unsigned int");
  return device + "l_vector_loader<" + of + ">, " + device + "l_vector_storer<" + of + ", " + device +
         (v.atomic ? "terms_by_atomics" : "terms_in_places") + ">";
}

// The pointwise function, which may also sum x.y.
std::string function_of(const element_kernel& what) {
  return what.variant.dots ? "tessera::device::with_dots<" + what.function + ">" : what.function;
}

// What a thread does; `data` is its base class.
std::string program_of(const element_tuning& t, bool computed, const std::string& data) {
  const std::string device = "tessera::device::";
  if (t.by_warp) return device + "warp_program<" + device + "tensor_core, " + data + ">";
  if (t.by_plane) return device + "plane_program<" + data + ">";
  const std::string lines = device + (t.direct ? "direct" : "collocated") + "_program<" + data + ">";
  return computed ? device + "program_with_nodes<" + lines + ">" : lines;
}

}  // namespace

jit_source source_of(const element_kernel& what) {
  const element_kernel_facts& f = what.facts;
  const element_tuning& t = what.tuning;
  const std::string form = "tessera::device::element_form<" + int_list({f.dim, f.trial, f.points, f.test}) + ", " +
                           word(f.nodal) + ", " + word(what.own_test) + ", " + word(f.mirrors && t.even_odd) + ">";
  const std::string shape =
      "tessera::device::element_shape<" + int_list({t.elements, t.threads, t.blocks, t.last, t.prefetch}) + ", " +
      word(t.direct) + ", " + word(t.staged) + ", " + int_list({t.pitch[0], t.pitch[1], t.pitch_element}) + ", " +
      word(t.by_warp) + ", " + int_list({t.packed, t.together, t.batches}) + ", " + word(t.by_plane) + ">";
  const bool computed = f.geometry > 0;
  const std::string data = std::string("tessera::device::") + (computed ? "computed_data<" : "stored_data<") +
                           word(what.type) + ", " + source_of_data(what) + ", " + function_of(what) + ", " + form +
                           ", " + shape + ", " + word(what.variant.several && t.together == 1) + ", " +
                           vectors_of(what.type, what.variant) + ">";
  return {"#include <tessera/element/pointwise.hpp>\n#include <tessera/gpu/detail/element/evaluate.cuh>\n" + what.text +
              "\n",
          {"tessera::device::evaluate_elements<" + program_of(t, computed, data) + ">"}};
}

jit_source source_of(const dense_kernel& what) {
  const dense_sizes& s = what.sizes;
  const dense_tuning& t = what.tuning;
  const std::string form =
      "tessera::device::dense_form<" +
      int_list({what.dim, s.trial, s.points, s.test, t.lanes, t.groups, t.elements, t.points, t.blocks}) + ", " +
      word(t.ahead) + ", " + word(t.by_warp) + ">";
  const std::string program = std::string("tessera::device::") +
                              (t.by_warp ? "dense_warp_program<tessera::device::tensor_warp, " : "dense_program<") +
                              word(what.type) + ", " + word(what.variant.stored) + ", " + what.function + ", " + form +
                              ", " + word(what.variant.several) + ", " + vectors_of(what.type, what.variant) + ">";
  return {
      "#include <tessera/element/pointwise.hpp>\n#include <tessera/gpu/detail/element/dense.cuh>\n" + what.text + "\n",
      {"tessera::device::evaluate_dense<" + program + ">"}};
}

jit_source source_of(const diagonal_kernel& what) {
  const diagonal_sizes& s = what.sizes;
  const std::string form = "tessera::device::diagonal_form<" + std::to_string(s.directions) + ", " + word(what.dense) +
                           ", " + int_list({s.functions, s.points, what.tuning.elements, what.tuning.threads}) + ">";
  return {"#include <tessera/gpu/detail/element/diagonals.cuh>\n",
          {std::string("tessera::device::take_diagonals<tessera::device::diagonal_program<") + word(what.type) + ", " +
           word(what.stored) + ", " + what.function + ", " + form + ", tessera::device::e_vector_storer<" +
           word(what.type) + ", true>>>"}};
}

}  // namespace tessera::device
