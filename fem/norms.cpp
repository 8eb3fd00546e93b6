// SPDX-License-Identifier: BSD-3-Clause
// Norms as square roots of integrals.
#include <tessera/error.hpp>
#include <tessera/fem/norms.hpp>

#include "host_memory.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace tessera::fem {

namespace {

// The root of the integral of |part of u - exact|^2; exact(p, to) writes `numbers` of them. Parts are values or
// gradients.
template <class T, class Exact>
double norm_of_difference(const element_points<T>& at, const fe_vector<const T>& u, bool gradients,
                          const Exact& exact) {
  const int numbers = at.components() * (gradients ? at.dim() : 1);
  const point_shape takes{.value = !gradients, .gradient = gradients};
  return std::sqrt(at.integral(u, takes, [&](const mapped_point<T>& p, const T* value, const T* gradient) {
    const T* const part = gradients ? gradient : value;
    constexpr int few = 32;  // that need no allocation
    T small[few] = {};
    std::vector<T> large(std::size_t(numbers > few ? numbers : 0));
    T* const wanted = numbers > few ? large.data() : small;
    exact(p, wanted);
    double square = 0;
    for (int i = 0; i < numbers; ++i) {
      const double difference = double(part[i]) - double(wanted[i]);
      square += difference * difference;
    }
    return square;
  }));
}

// The function with `numbers` numbers at each point.
template <class T>
auto given_at_points(const char* name, const element_points<T>& at, const T* exact, int numbers) {
  if (exact == nullptr && at.count() > 0)
    throw error(std::string(name) + ": the exact numbers are a null pointer", status::null_pointer);
  const auto here = std::make_shared<const detail::on_host<const T>>(exact, at.count() * at.points() * numbers);
  return [=](const mapped_point<T>& p, T* to) { std::copy_n(here->data() + numbers * p.number, numbers, to); };
}

template <class T>
void check_function(const char* name, const function_at_points<T>& exact) {
  if (!exact) throw error(std::string(name) + ": no function", status::null_pointer);
}

}  // namespace

template <class T>
double l2_norm(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u) {
  return norm_of_difference(at, u, false, [](const mapped_point<T>&, T*) {});
}

template <class T>
double l2_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u,
                const std::type_identity_t<function_at_points<T>>& exact) {
  check_function("l2_error", exact);
  return norm_of_difference(at, u, false, exact);
}

template <class T>
double l2_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u, const T* exact) {
  return norm_of_difference(at, u, false, given_at_points("l2_error", at, exact, at.components()));
}

template <class T>
double h1_seminorm(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u) {
  return norm_of_difference(at, u, true, [](const mapped_point<T>&, T*) {});
}

template <class T>
double h1_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u,
                const std::type_identity_t<function_at_points<T>>& exact) {
  check_function("h1_error", exact);
  return norm_of_difference(at, u, true, exact);
}

template <class T>
double h1_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u, const T* exact) {
  return norm_of_difference(at, u, true, given_at_points("h1_error", at, exact, at.components() * at.dim()));
}

template double l2_norm(const element_points<float>&, fe_vector<const float>);
template double l2_norm(const element_points<double>&, fe_vector<const double>);
template double l2_error(const element_points<float>&, fe_vector<const float>, const function_at_points<float>&);
template double l2_error(const element_points<double>&, fe_vector<const double>, const function_at_points<double>&);
template double l2_error(const element_points<float>&, fe_vector<const float>, const float*);
template double l2_error(const element_points<double>&, fe_vector<const double>, const double*);
template double h1_seminorm(const element_points<float>&, fe_vector<const float>);
template double h1_seminorm(const element_points<double>&, fe_vector<const double>);
template double h1_error(const element_points<float>&, fe_vector<const float>, const function_at_points<float>&);
template double h1_error(const element_points<double>&, fe_vector<const double>, const function_at_points<double>&);
template double h1_error(const element_points<float>&, fe_vector<const float>, const float*);
template double h1_error(const element_points<double>&, fe_vector<const double>, const double*);

}  // namespace tessera::fem
