// SPDX-License-Identifier: BSD-3-Clause
// Fills and checks cases of operators between L-vectors.
#include "global_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <tessera/element/operators.hpp>
#include <tessera/fem/mesh.hpp>

#include "definition/dense_element.hpp"
#include "element_case.hpp"
#include "element_nodes.hpp"
#include "measure/gpu/device.hpp"

namespace tessera::bench {

namespace {

constexpr double pi = 3.14159265358979323846;

// The box, bent inside.
fem::point bent_inside(const fem::point& x) {
  const double bump = 0.04 * std::sin(2 * pi * x[0]) * std::sin(2 * pi * x[1]) * std::cos(2 * pi * x[2]);
  return {x[0] + bump, x[1] - bump, x[2] + bump * std::sin(pi * x[2])};
}

// In the order of the list.
template <class T>
std::vector<T> coordinates_of(const element_sizes& s, const box_numbers& numbers) {
  const fem::mesh box(numbers.cells, std::max(1, s.geometry - 1), bent_inside);
  const index_t n = box.nodes() * s.dim;
  std::vector<T> all(place(n * numbers.elements()));
  for (index_t e = 0; e < numbers.elements(); ++e)
    std::copy_n(box.coordinates().begin() + n * numbers.cell[place(e)], n, all.begin() + n * e);
  return all;
}

// The elements that have the number, and all numbers that no other element has.
struct surroundings {
  std::vector<index_t> elements;
  std::vector<std::int32_t> numbers;

  surroundings(const box_numbers& of, index_t n, std::int32_t number, const std::vector<unsigned char>& count) {
    for (index_t e = 0; e < of.elements(); ++e) {
      const auto first = of.offsets.begin() + n * e;
      if (std::find(first, first + n, number) != first + n) elements.push_back(e);
    }
    std::vector<unsigned char> left(count);
    for (const index_t e : elements)
      for (index_t i = 0; i < n; ++i) {
        const std::int32_t k = of.offsets[place(i + n * e)];
        if (--left[place(k)] == 0) numbers.push_back(k);
      }
  }
};

template <class T, class Function>
verdict checked_sums(const global_case<T>& c) {
  const element_sizes& s = c.sizes;
  const dense_element<Function> dense(s);
  const index_t n = s.functions(), nodes = c.numbers.nodes, coupled = Function::trial.components;
  const index_t of_data = s.points() * Function::factors, of_nodes = s.geometry_nodes() * s.dim;
  verdict v;
  v.bound = gamma_bound(roundings_of(s) + 8, scalar_of<T>);
  std::vector<unsigned char> count(place(nodes));
  for (const std::int32_t k : c.numbers.offsets) ++count[place(k)];
  std::vector<long double> wanted(place(nodes * coupled)), magnitude(wanted.size());
  for (const index_t e : {index_t(0), c.elements() / 2, c.elements() - 1}) {
    const surroundings around(c.numbers, n, c.numbers.offsets[place(n * e)], count);
    for (index_t first = 0; first < s.components; first += coupled) {
      std::fill(wanted.begin(), wanted.end(), 0);
      std::fill(magnitude.begin(), magnitude.end(), 0);
      for (const index_t near : around.elements) {
        const std::int32_t* const list = c.numbers.offsets.data() + n * near;
        std::vector<T> x;
        for (index_t k = 0; k < coupled; ++k)
          for (index_t i = 0; i < n; ++i) x.push_back(c.x[place(list[i] + nodes * (first + k))]);
        const std::vector<T> own = s.geometry > 0
                                       ? data_from_nodes<T>(s, c.D.data() + of_nodes * near)
                                       : std::vector<T>(c.D.data() + of_data * near, c.D.data() + of_data * (near + 1));
        const auto sums = dense.apply(x.data(), own.data(), false), sizes = dense.apply(x.data(), own.data(), true);
        for (index_t k = 0; k < coupled; ++k)
          for (index_t i = 0; i < n; ++i) {
            wanted[place(list[i] + nodes * k)] += sums[place(i + n * k)];
            magnitude[place(list[i] + nodes * k)] += sizes[place(i + n * k)];
          }
      }
      for (index_t k = 0; k < coupled; ++k)
        for (const std::int32_t number : around.numbers) {
          const std::size_t at = place(number + nodes * k);
          const long double off = std::abs((long double)c.y[place(number + nodes * (first + k))] - wanted[at]);
          const double error = double(off / magnitude[at]);
          v.error = error <= v.error ? v.error : error;  // a NaN stays
          if (std::isnan(error)) v.error = std::numeric_limits<double>::infinity();
        }
    }
  }
  return v;
}

}  // namespace

template <class T>
double global_case<T>::bytes(bool with_list) const {
  return double(x.size_bytes() + y.size_bytes() + D.size_bytes()) + (with_list ? double(offsets.size_bytes()) : 0);
}

template <class T>
const T* global_case<T>::send(int which, std::span<T> host, bool filled) {
  device_[which] = buffer(space_kind::gpu, host.size_bytes());
  if (filled) device::upload(device_[which].data(), host.data(), host.size_bytes());
  return static_cast<const T*>(device_[which].data());
}

template <class T>
global_case<T>::global_case(const element_sizes& s, index_t unknowns, numbering how, target on)
    : sizes(s),
      numbers(number_box(cells_for(double(unknowns) / s.components, s.p, s.dim), s.p, how)),
      G_({.elements = numbers.elements(),
          .entries = s.functions(),
          .components = s.components,
          .size = numbers.nodes * s.components,
          .offsets = numbers.offsets.data(),
          .component_stride = numbers.nodes}) {
  const auto make = [&](int which, index_t size, std::size_t more = 0) {
    memory_[which] = buffer(space_kind::cpu, std::size_t(size) * sizeof(T) + more);
    return std::span<T>(static_cast<T*>(memory_[which].data()), std::size_t(size));
  };
  const index_t entries = s.functions() * s.components * elements();
  const index_t numbers_of_data = s.geometry > 0 ? s.geometry_nodes() * s.dim : s.points() * factors_of(s.kind, s.dim);
  x = make(0, G_.size());
  y = make(1, G_.size());
  xE = make(2, entries);
  yE = make(3, entries);
  D = make(4, numbers_of_data * elements(), numbers.offsets.size() * sizeof(std::int32_t));
  offsets = {reinterpret_cast<std::int32_t*>(D.data() + D.size()), numbers.offsets.size()};
  std::memcpy(offsets.data(), numbers.offsets.data(), offsets.size_bytes());
  fill(x, 1);
  const std::vector<T> coordinates = coordinates_of<T>(s, numbers);
  if (s.geometry > 0) {
    std::copy(coordinates.begin(), coordinates.end(), D.begin());
  } else {
    element_sizes linear = s;
    linear.geometry = 2;
    fill_data<double>(linear, coordinates.data(), D);
  }

  const bool gpu = on == target::cuda;
  const T* const given = gpu && s.geometry > 0 ? send(4, D, true) : D.data();
  if (s.geometry > 0)
    A = std::make_unique<fem::global_operator<T>>(
        fem::element_nodes<T>{.dim = s.dim, .order = s.geometry - 1, .elements = elements(), .coordinates = given}, G_,
        options_of(s, on));
  else
    A = std::make_unique<fem::global_operator<T>>(s.dim, given, G_, options_of(s, on));

  std::vector<T> in_list_order(xE.size());
  G_.to_elements(x.data(), in_list_order.data());
  const index_t own = s.functions() * s.components;
  T* to = xE.data();
  for (const index_t e : A->kernel().order()) to = std::copy_n(in_list_order.begin() + own * e, own, to);
  std::fill(yE.begin(), yE.end(), std::numeric_limits<T>::quiet_NaN());
  in_ = gpu ? send(0, x, true) : x.data();
  out_ = gpu ? const_cast<T*>(send(1, y, false)) : y.data();
  in_E_ = gpu ? send(2, xE, true) : xE.data();
  out_E_ = gpu ? const_cast<T*>(send(3, yE, false)) : yE.data();
}

template <class T>
void global_case<T>::fill_y() {
  std::fill(y.begin(), y.end(), std::numeric_limits<T>::quiet_NaN());
  if (out_ != y.data()) device::fill_with_ones(out_, y.size_bytes());
}

template <class T>
void global_case<T>::fetch_y() {
  if (out_ != y.data()) device::download(y.data(), out_, y.size_bytes());
}

template <class T>
void global_case<T>::fetch_yE() {
  if (out_E_ != yE.data()) device::download(yE.data(), out_E_, yE.size_bytes());
}

template <class T>
std::vector<T> global_case<T>::summed_elements() const {
  const index_t own = sizes.functions() * sizes.components;
  std::vector<T> in_list_order(yE.size()), sums(y.size());
  const T* from = yE.data();
  for (const index_t e : A->kernel().order()) {
    std::copy_n(from, own, in_list_order.begin() + own * e);
    from += own;
  }
  G_.add_from_elements(in_list_order.data(), sums.data());
  return sums;
}

template <class T>
verdict global_case<T>::compared(std::span<const T> other) const {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    largest = std::max(largest, std::abs(double(y[i])));
    const double off = std::abs(double(y[i]) - double(other[i]));
    difference = off <= difference ? difference : off;
    if (std::isnan(off)) return {std::numeric_limits<double>::infinity(), 0};
  }
  // Tables of order 8 add roundings of a few hundred products; a wrong entry is far above.
  return {difference / largest, 4096 * double(std::numeric_limits<T>::epsilon())};
}

template <class T>
verdict global_case<T>::check() const {
  return with_function(sizes.kind, sizes.dim, [this]<class F>(const F&) { return checked_sums<T, F>(*this); });
}

template struct global_case<float>;
template struct global_case<double>;

}  // namespace tessera::bench
