// SPDX-License-Identifier: BSD-3-Clause
// Compiles and launches element kernels with given tunings.
#include <tessera/detail/element/jit_element.hpp>

#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/arguments.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

namespace tessera {

namespace {

std::string words_of(const jit_element& w) {
  return std::string(name_of(w.kind)) + " " + std::to_string(w.dim) + "-D, d = " + std::to_string(w.d) +
         ", q = " + std::to_string(w.q);
}

device::jit_source source_of(const jit_element& w) {
  device::element_kernel kernel{
      .type = w.type, .facts = w.facts(), .tuning = w.tuning, .variant = {.stored = w.type, .several = w.repeats > 1}};
  kernel.function = std::string("tessera::pointwise::") + name_of(w.kind) + "<" + std::to_string(w.dim) + ">";
  return device::source_of(kernel);
}

template <class T>
std::vector<T> constants_of(const jit_element& w, const line_tables& tables) {
  const auto require = [&](const std::vector<double>& table, int n, const char* name) {
    if (index_t(table.size()) != index_t(w.q) * n)
      throw error("jit_element: " + words_of(w) + ": " + name + " has " + std::to_string(table.size()) +
                  " entries, not " + std::to_string(w.q) + " x " + std::to_string(n));
  };
  require(tables.interpolate, w.d, "interpolate");
  require(tables.differentiate, w.q, "differentiate");
  return device::constants_of<T>(w.facts(), w.tuning.even_odd, false, w.tuning.direct,
                                 {tables.interpolate, tables.differentiate, tables.interpolate});
}

}  // namespace

element_kernel_facts jit_element::facts() const {
  element_kernel_facts f = facts_of(kind, dim, d, q, int(size_of(type)));
  f.repeats = repeats;
  f.several = repeats > 1;
  return f;
}

std::vector<jit_code> jit_compile(std::span<const jit_element> wanted, const jit_options& options, int architecture) {
  std::vector<device::jit_source> sources;
  for (const jit_element& each : wanted) sources.push_back(source_of(each));
  return device::compile_sources(sources, options, architecture);
}

struct jit_element_kernel::state {
  jit_element what;
  device::loaded_code code;
  std::vector<float> in_float;  // constants, of the kernel's type
  std::vector<double> in_double;
  element_layout layout;
  int shared_bytes = 0;

  template <class T>
  void run(const T* x, T* y, const T* D, index_t elements, const std::vector<T>& constants, stream_view in) const {
    if (what.type != scalar_of<T>)
      throw error("jit_element: " + words_of(what) + ": compiled for " + name_of(what.type) + ", not " +
                  name_of(scalar_of<T>));
    device::element_arguments<T> arguments{
        .x = x, .y = y, .D = D, .x_layout = layout, .y_layout = layout, .count = elements, .repeats = what.repeats};
    char none = 0;  // built-in functions have no state
    void* parameters[] = {&arguments, const_cast<T*>(constants.data()), &none};
    code.queue(0, elements, what.tuning.elements * what.tuning.batches, what.tuning.threads, shared_bytes, parameters,
               in.handle());
  }
};

jit_element_kernel::jit_element_kernel(const jit_element& what, const jit_code& code, const line_tables& tables) {
  state s{what, device::loaded_code(words_of(what), code), {}, {}, {}};
  if (what.type == scalar_type::f32)
    s.in_float = constants_of<float>(what, tables);
  else
    s.in_double = constants_of<double>(what, tables);
  index_t nodes = 1;
  for (int a = 0; a < what.dim; ++a) nodes *= what.d;
  s.layout = element_layout::conventional(nodes, coupled_components(what.kind, what.dim) * what.repeats);
  s.shared_bytes = int(shared_bytes_of(what.facts(), what.tuning));
  state_ = std::make_shared<const state>(std::move(s));
}

int jit_element_kernel::registers() const { return state_->code.registers(0); }
int jit_element_kernel::local_bytes() const { return state_->code.local_bytes(0); }

void jit_element_kernel::run(const float* x, float* y, const float* D, index_t elements, stream_view in) const {
  state_->run(x, y, D, elements, state_->in_float, in);
}
void jit_element_kernel::run(const double* x, double* y, const double* D, index_t elements, stream_view in) const {
  state_->run(x, y, D, elements, state_->in_double, in);
}

}  // namespace tessera
