// SPDX-License-Identifier: BSD-3-Clause
// Counts, fills and checks cases of element operators.
#include "element_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/element/operators.hpp>
#include <tessera/element/source_function.hpp>

#include "definition/dense_element.hpp"
#include "element_nodes.hpp"
#include "measure/gpu/device.hpp"
#include "own_diffusion.hpp"
#include "own_diffusion_text.hpp"

namespace tessera::bench {

namespace {

constexpr int checked_elements = 4;

std::size_t at(index_t i) { return std::size_t(i); }

template <class T, class Function>
verdict checked(const element_case<T>& c) {
  const element_sizes& s = c.sizes;
  const dense_element<Function> dense(s);
  const index_t n = s.functions(), coupled = Function::trial.components, entries = s.points() * Function::factors;
  verdict v;
  v.bound = gamma_bound(roundings_of(s), scalar_of<T>);
  for (const index_t e : sample_positions(c.elements, checked_elements)) {
    const std::vector<T> own = s.geometry > 0
                                   ? data_from_nodes<T>(s, c.D.data() + s.geometry_nodes() * s.dim * e)
                                   : std::vector<T>(c.D.data() + entries * e, c.D.data() + entries * (e + 1));
    for (index_t k = 0; k < s.components; k += coupled) {
      const index_t start = n * (k + s.components * e);
      const auto wanted = dense.apply(c.x.data() + start, own.data(), false);
      const auto sizes = dense.apply(c.x.data() + start, own.data(), true);
      for (index_t i = 0; i < n * coupled; ++i) {
        const double before = c.add ? T(value_at(start + i, 3)) : 0.0;
        const long double off = std::abs((long double)c.y[at(start + i)] - wanted[at(i)] - before);
        const double error = double(off / (sizes[at(i)] + std::abs(before)));
        v.error = error <= v.error ? v.error : error;  // a NaN stays
        if (std::isnan(error)) v.error = std::numeric_limits<double>::infinity();
      }
    }
  }
  return v;
}

template <class T, int dim>
compiled_function<T> own_function() {
  return source_function<T>(own_diffusion<dim>{}, "own diffusion",
                            {"tessera::bench::own_diffusion<" + std::to_string(dim) + ">", own_diffusion_text});
}

// From the nodes to D, with the formula of diffusion.
double flops_of_nodes(const element_sizes& s) {
  if (s.geometry == 0) return 0;
  const double n = s.geometry, q = s.q, dim = s.dim;
  const double sweeps =
      s.dim == 3 ? 2 * q * n * n * n + 3 * q * q * n * n + 3 * q * q * q * n : 2 * q * n * n + 2 * q * q * n;
  return dim * 2 * sweeps + double(s.points()) * (s.dim == 3 ? 100 : 25);
}

}  // namespace

double element_sizes::flops() const { return flops_of_nodes(*this) + flops_with_data(); }

double element_sizes::flops_of_simplex() const {
  // Each value and derivative at the points, of every component.
  const int slots = with_function(kind, dim, [this]<class F>(const F&) {
    return F::trial.value + F::test.value + dim * (F::trial.gradient + F::test.gradient);
  });
  return 2.0 * double(components * slots) * double(functions()) * double(points());
}

double element_sizes::flops_with_data() const {
  if (simplex) return flops_of_simplex();
  const double d = p + 1, n = q, points_now = double(points());
  const double interpolate = nodal      ? 0
                             : dim == 3 ? 2 * (n * d * d * d + n * n * d * d + n * n * n * d)
                                        : 2 * (n * d * d + n * n * d);
  const double differentiate = 2 * dim * n * points_now;
  return with_function(kind, dim, [&]<class F>(const F&) {
    const int sweeps = F::trial.gradient + F::test.gradient, calls = components / F::trial.components;
    return components * (2 * interpolate + sweeps * differentiate) + double(calls) * F::flops * points_now;
  });
}

double element_sizes::bytes(bool add, std::size_t entry) const {
  const double vectors = double(functions()) * components * (add ? 3 : 2);
  const double numbers = geometry > 0 ? double(geometry_nodes()) * dim : double(points()) * factors_of(kind, dim);
  return double(entry) * (vectors + numbers);
}

index_t roundings_of(const element_sizes& s) {
  const int of_nodes = 64 * s.geometry * s.geometry;  // to the Jacobians, derivatives growing with the order
  const index_t of_lines = 2 * (s.dim + 1) * (2 * (s.p + 1) + 2 * s.q + 8) + of_nodes;
  const index_t of_tables = s.functions() + (s.dim + 1) * s.points();
  return (s.simplex ? of_tables : of_lines) + 8 * s.dim * s.dim + 21;
}

fem::element_operator_options options_of(const element_sizes& s, target on) {
  return {.kind = s.kind,
          .trial = {.order = s.p},
          .components = s.components,
          .points = s.q,
          .rule = s.nodal ? fem::points_kind::gauss_lobatto : fem::points_kind::gauss,
          .form = s.geometry > 0 ? fem::element_form::matrix_free : fem::element_form::partial_assembly,
          .on = on,
          .shape = s.simplex ? fem::element_shape::simplex : fem::element_shape::cube};
}

std::string label_of(const element_sizes& s, bool add) {
  std::string label = std::string(name_of(s.kind)) + " " + std::to_string(s.dim) + "-D p=" + std::to_string(s.p) +
                      " q=" + std::to_string(s.q) + (s.nodal ? " gll" : "") + (s.simplex ? " simplex" : "") +
                      (s.own ? " own" : "");
  if (s.components > coupled_components(s.kind, s.dim)) label += " x" + std::to_string(s.components);
  if (s.geometry > 0) label += " from order " + std::to_string(s.geometry - 1);
  return label + (add ? " +=" : "");
}

template <class T>
element_case<T>::element_case(const element_sizes& s, bool adds, index_t count, target on)
    : sizes(s), add(adds), elements(count) {
  const index_t entries = s.functions() * s.components * count;
  const index_t numbers =
      (s.geometry > 0 ? s.geometry_nodes() * s.dim : s.points() * factors_of(s.kind, s.dim)) * count;
  const auto make = [&](int which, index_t size) {
    memory_[which] = buffer(space_kind::cpu, at(size) * sizeof(T));
    return std::span<T>(static_cast<T*>(memory_[which].data()), at(size));
  };
  x = make(0, entries);
  y = make(1, entries);
  D = make(2, numbers);
  fill(x, 1);
  if (s.geometry > 0)
    fill_nodes(s, D);
  else
    fill(D, 2);
  in_ = x.data();
  out_ = y.data();
  buffer& data = device_[2];  // D in the user's layout, temporary; nodes stay
  const T* given = D.data();
  if (on == target::cuda) {
    const auto place = [](std::span<const T> host, bool sent) {
      buffer there(space_kind::gpu, host.size_bytes());
      if (sent) device::upload(there.data(), host.data(), host.size_bytes());
      return there;
    };
    device_[0] = place(x, true);
    device_[1] = place(y, false);
    data = place(D, true);
    in_ = static_cast<const T*>(device_[0].data());
    out_ = static_cast<T*>(device_[1].data());
    given = static_cast<const T*>(data.data());
  }
  if (s.geometry > 0) {
    const fem::element_nodes<T> nodes{.dim = s.dim, .order = s.geometry - 1, .elements = count, .coordinates = given};
    A = std::make_unique<fem::element_operator<T>>(nodes, options_of(s, on));
    return;
  }
  if (!s.own)
    A = std::make_unique<fem::element_operator<T>>(s.dim, count, given, options_of(s, on));
  else
    A = std::make_unique<fem::element_operator<T>>(s.dim == 3 ? own_function<T, 3>() : own_function<T, 2>(), count,
                                                   given, options_of(s, on));
  data = buffer();
}

template <class T>
void element_case<T>::fill_y() {
  if (add)
    fill(y, 3);
  else
    std::fill(y.begin(), y.end(), std::numeric_limits<T>::quiet_NaN());
  if (out_ == y.data()) return;
  if (add)
    device::upload(out_, y.data(), y.size_bytes());
  else
    device::fill_with_ones(out_, y.size_bytes());
}

template <class T>
void element_case<T>::fetch_y() {
  if (out_ != y.data()) device::download(y.data(), out_, y.size_bytes());
}

template <class T>
verdict element_case<T>::check() const {
  return with_function(sizes.kind, sizes.dim, [this]<class F>(const F&) { return checked<T, F>(*this); });
}

template struct element_case<float>;
template struct element_case<double>;

}  // namespace tessera::bench
