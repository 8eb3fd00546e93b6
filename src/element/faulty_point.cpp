// SPDX-License-Identifier: BSD-3-Clause
// Computes the geometry of an element once more, point by point, until what is wrong with it is found.
#include "faulty_point.hpp"

#include <cmath>
#include <cstdio>
#include <string>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/set_up.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/scalar.hpp>

namespace tessera::detail {

namespace {

[[noreturn]] void refuse(index_t e, const std::string& why) {
  throw error("element data: element " + std::to_string(e) + why, status::invalid_argument);
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

template <class T>
std::vector<T> fetched(const T* from, index_t count) {
  std::vector<T> numbers(std::size_t(count), T(0));
  if (device::is_device_pointer(from))
    device::copy(numbers.data(), from, std::size_t(count) * sizeof(T), device::direction::device_to_host);
  else
    std::copy_n(from, count, numbers.begin());
  return numbers;
}

template <class T>
class element_search {
 public:
  explicit element_search(const faulty_geometry<T>& g)
      : g_(g),
        nodes_(power(g.from.nodes)),
        values_(g.from.interpolate.begin(), g.from.interpolate.end()),
        slopes_(g.derivatives.begin(), g.derivatives.end()),
        D_(std::size_t(g.points * factors())) {}

  void look_at(index_t e, index_t point) {
    const std::vector<T> coordinates = coordinates_of(e);
    device::node_set_up<T> what{.coordinates = coordinates.data(),
                                .layout = element_layout::conventional(nodes_, g_.dim),
                                .values = g_.dense ? nullptr : values_.data(),
                                .slopes = slopes_.data(),
                                .weights = g_.weights.data(),
                                .given = g_.from.given,
                                .nodes = g_.from.nodes,
                                .q = int(g_.q),
                                .points = g_.points,
                                .elements = 1};
    const std::vector<T> constants(g_.from.coefficients.begin(), g_.from.coefficients.end());
    for (index_t k = point; k < g_.points; ++k) {
      const std::vector<T> own = g_.from.at_points != nullptr ? coefficients_at(e, k) : constants;
      what.coefficients = own.data();
      look_at_point(what, e, k);
    }
  }

 private:
  int factors() const { return factors_of(g_.kind, g_.dim); }
  index_t power(index_t n) const { return g_.dense ? n : g_.dim == 3 ? n * n * n : g_.dim == 2 ? n * n : n; }
  std::string at_point(index_t k) const {
    return " at point " + std::to_string(k) + " of " + std::to_string(g_.points);
  }

  std::vector<T> coordinates_of(index_t e) const {
    std::vector<T> all;
    for (int c = 0; c < g_.dim; ++c)
      for (index_t i = 0; i < nodes_; ++i) {
        all.push_back(fetched(g_.from.coordinates + g_.from.layout.offset(i, c, e), 1).front());
        if (!std::isfinite(all.back()))
          refuse(e, ": coordinate " + std::to_string(c) + " of node " + std::to_string(i) + " is " +
                        text_of(double(all.back())));
      }
    return all;
  }
  std::vector<T> coefficients_at(index_t e, index_t k) const {
    const index_t given = g_.from.given;
    std::vector<T> own = fetched(g_.from.at_points + given * (k + g_.points * e), given);
    for (index_t i = 0; i < given; ++i)
      if (!std::isfinite(own[std::size_t(i)]))
        refuse(e, ": coefficient " + std::to_string(i) + at_point(k) + " is " + text_of(double(own[std::size_t(i)])));
    return own;
  }

  void look_at_point(const device::node_set_up<T>& what, index_t e, index_t k) {
    using device::point_fault;
    const point_fault fault = g_.dim == 1   ? device::set_up_point<1>(g_.kind, what, 0, k, D_.data())
                              : g_.dim == 2 ? device::set_up_point<2>(g_.kind, what, 0, k, D_.data())
                                            : device::set_up_point<3>(g_.kind, what, 0, k, D_.data());
    if (fault == point_fault::inverted) {
      const T det = g_.dim == 1   ? determinant<1>(what, k)
                    : g_.dim == 2 ? determinant<2>(what, k)
                                  : determinant<3>(what, k);
      if (det > 0)
        refuse(e, (det < 1 ? " is too small" : " is too large") + (": its determinant" + at_point(k)) + " is " +
                      text_of(double(det)) + ", no normal number of " + name_of(scalar_of<T>));
      refuse(e, " is inverted: its determinant" + at_point(k) + " is not positive");
    }
    if (fault == point_fault::too_long)
      refuse(e, " is too long: a derivative of its coordinates" + at_point(k) + " is above " +
                    text_of(double(geometry::longest<T>)) + ", up to which diffusion in 3-D is exact in " +
                    name_of(scalar_of<T>));
    for (index_t f = 0; f < factors(); ++f) {
      const T value = D_[std::size_t(k + g_.points * f)];
      if (!(std::abs(value) <= g_.range.most))
        refuse(e, ": D" + at_point(k) + " is " + text_of(double(value)) +
                      (std::isnan(value) ? ", no number of " : ", too large for ") + g_.range.type);
    }
  }

  template <int dim>
  static T determinant(const device::node_set_up<T>& what, index_t k) {
    T J[dim][dim], A[dim][dim];
    device::jacobian_at<dim>(what, 0, k, J);
    return geometry::adjugate(J, A);
  }

  const faulty_geometry<T>& g_;
  index_t nodes_;
  std::vector<T> values_, slopes_, D_;
};

}  // namespace

template <class T>
void refuse_faulty(const faulty_geometry<T>& g, index_t first, index_t last, index_t point) {
  element_search<T> search(g);
  for (index_t e = first; e < last; ++e) search.look_at(e, e == first ? point : 0);
  refuse(first, " or one up to " + std::to_string(last - 1) + " has a D that cannot be");
}

template void refuse_faulty(const faulty_geometry<float>&, index_t, index_t, index_t);
template void refuse_faulty(const faulty_geometry<double>&, index_t, index_t, index_t);

}  // namespace tessera::detail
