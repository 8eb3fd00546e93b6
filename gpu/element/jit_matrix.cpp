// SPDX-License-Identifier: BSD-3-Clause
// Compiles and launches kernels of element matrices with given tunings.
#include <tessera/detail/element/jit_matrix.hpp>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/upload.hpp>

#include "matrices/matrix_ways.hpp"

namespace tessera {

namespace {

std::string words_of(const jit_matrix& w) {
  return std::string("matrices of ") + name_of(w.of.kind) + " " + std::to_string(w.of.dim) +
         "-D, d = " + std::to_string(w.of.trial) + ", q = " + std::to_string(w.of.points);
}

std::string function_of(const jit_matrix& w) {
  return std::string("tessera::pointwise::") + name_of(w.of.kind) + "<" + std::to_string(w.of.dim) + ">";
}

}  // namespace

std::vector<jit_code> jit_compile(std::span<const jit_matrix> wanted, const jit_options& options, int architecture) {
  std::vector<device::jit_source> sources;
  for (const jit_matrix& w : wanted)
    sources.push_back(device::source_of(device::matrix_kernel{w.type(), w.type(), function_of(w), w.of, w.tuning}));
  return device::compile_sources(sources, options, architecture);
}

struct jit_matrix_kernel::state {
  jit_matrix what;
  device::loaded_code code;
  detail::matrix_launch<float> in_float;  // of the kernel's type
  detail::matrix_launch<double> in_double;
  buffer places, tables;

  template <class T>
  void make(detail::matrix_launch<T>& launch, const device::direction_tables& of) {
    const std::string function = function_of(what);
    launch = detail::matrix_launch_with<T>({what.of, function, of}, what.tuning);
    places = device::uploaded(launch.places.at);
    tables = device::uploaded(launch.tables);
  }

  template <class T>
  void run(const T* D, T* M, index_t elements, const detail::matrix_launch<T>& launch, stream_view in) const {
    if (what.type() != scalar_of<T>)
      throw error("jit_matrix: " + words_of(what) + ": compiled for " + name_of(what.type()) + ", not " +
                  name_of(scalar_of<T>));
    const matrix_tuning& t = what.tuning;
    device::matrix_arguments<T> arguments{
        .D = D,
        .M = M,
        .first = 0,
        .count = elements,
        .places = {static_cast<const unsigned short*>(places.data()), launch.places.pitch},
        .tables = static_cast<const T*>(tables.data())};
    void* parameters[] = {&arguments, const_cast<T*>(launch.constants.data())};
    code.queue(0, (elements + t.elements - 1) / t.elements * launch.parts, 1, t.threads, launch.bytes, parameters,
               in.handle());
  }
};

jit_matrix_kernel::jit_matrix_kernel(const jit_matrix& what, const jit_code& code, const line_tables& tables) {
  const auto require = [&](const std::vector<double>& table, int n, const char* name) {
    if (index_t(table.size()) != index_t(what.of.points) * n)
      throw error("jit_matrix: " + words_of(what) + ": " + name + " has " + std::to_string(table.size()) +
                  " entries, not " + std::to_string(what.of.points) + " x " + std::to_string(n));
  };
  require(tables.interpolate, what.of.trial, "interpolate");
  require(tables.differentiate, what.of.points, "differentiate");
  state s{what, device::loaded_code(words_of(what), code), {}, {}, {}, {}};
  const device::direction_tables of{tables.interpolate, tables.differentiate, tables.interpolate};
  if (what.type() == scalar_type::f32)
    s.make(s.in_float, of);
  else
    s.make(s.in_double, of);
  state_ = std::make_shared<const state>(std::move(s));
}

int jit_matrix_kernel::registers() const { return state_->code.registers(0); }
int jit_matrix_kernel::local_bytes() const { return state_->code.local_bytes(0); }

void jit_matrix_kernel::run(const float* D, float* M, index_t elements, stream_view in) const {
  state_->run(D, M, elements, state_->in_float, in);
}
void jit_matrix_kernel::run(const double* D, double* M, index_t elements, stream_view in) const {
  state_->run(D, M, elements, state_->in_double, in);
}

}  // namespace tessera
