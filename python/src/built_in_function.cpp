// SPDX-License-Identifier: BSD-3-Clause
// Loops over blocks of points around the structs of pointwise functions; the texts of the transposed ones.
#include "built_in_function.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tessera/element/operators.hpp>

namespace tessera::python {

namespace {

/// grad v = D u, D of convection: its transpose.
template <int dimension>
struct transposed_convection {
  static constexpr int dim = dimension, factors = dimension;
  static constexpr point_shape trial{.value = true}, test{.gradient = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    for (int a = 0; a < dim; ++a) v.gradient[0][a] = D[a] * u.value[0];
  }
};

/// That of diffusion and convection in one.
template <int dimension>
struct transposed_advection_diffusion {
  static constexpr int dim = dimension, slopes = pointwise::symmetric_size(dimension), factors = slopes + dimension;
  static constexpr point_shape trial{.value = true, .gradient = true}, test{.gradient = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    pointwise::multiply_symmetric<dim, 0>(D, u.gradient[0], v.gradient[0]);
    for (int a = 0; a < dim; ++a) v.gradient[0][a] = v.gradient[0][a] + D[slopes + a] * u.value[0];
  }
};

// The same for a GPU.
constexpr const char* text_of_transposes = R"(#include <tessera/element/pointwise.hpp>
namespace tessera_python {
using namespace tessera;
template <int dimension>
struct transposed_convection {
  static constexpr int dim = dimension, factors = dimension;
  static constexpr point_shape trial{.value = true}, test{.gradient = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    pointwise::each_direction<dim>([&](auto a) { v.gradient[0][a] = D[a] * u.value[0]; });
  }
};
template <int dimension>
struct transposed_advection_diffusion {
  static constexpr int dim = dimension, slopes = pointwise::symmetric_size(dimension), factors = slopes + dimension;
  static constexpr point_shape trial{.value = true, .gradient = true}, test{.gradient = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    pointwise::multiply_symmetric<dim, 0>(D, u.gradient[0], v.gradient[0]);
    pointwise::each_direction<dim>([&](auto a) { v.gradient[0][a] = v.gradient[0][a] + D[slopes + a] * u.value[0]; });
  }
};
}
)";

template <class T, class Function>
void at_points(const points_block<T>& b, const void*) {
  constexpr int dim = Function::dim, components = Function::trial.components, results = Function::test.components;
  const index_t n = b.count;
  for (index_t k = 0; k < n; ++k) {
    at_point<T, components, dim> u{};
    at_point<T, results, dim> v{};
    T D[Function::factors];
    for (int f = 0; f < Function::factors; ++f) D[f] = b.D[k + n * f];
    for (int c = 0; c < components; ++c) {
      if constexpr (Function::trial.value) u.value[c] = b.value[k + n * c];
      if constexpr (Function::trial.gradient)
        for (int a = 0; a < dim; ++a) u.gradient[c][a] = b.gradient[k + n * (a + dim * c)];
    }
    Function{}(u, D, v);
    for (int c = 0; c < results; ++c) {
      if constexpr (Function::test.value) b.value_out[k + n * c] = v.value[c];
      if constexpr (Function::test.gradient)
        for (int a = 0; a < dim; ++a) b.gradient_out[k + n * (a + dim * c)] = v.gradient[c][a];
    }
  }
}

template <class T, class Function>
compiled_function<T> function_of(const std::string& name, const char* type, const char* text) {
  return {.name = name,
          .dim = Function::dim,
          .trial_components = Function::trial.components,
          .test_components = Function::test.components,
          .slopes = Function::trial.gradient || Function::test.gradient,
          .factors = Function::factors,
          // As many bytes as a launch may read for a struct of the text; these are empty.
          .state = std::make_shared<std::max_align_t[]>(4),
          .trial = Function::trial,
          .test = Function::test,
          .source = {std::string(type) + "<" + std::to_string(Function::dim) + ">", text},
          .at_points = &at_points<T, Function>};
}

template <class T, int dim>
compiled_function<T> transposed_function(operator_kind kind) {
  const std::string name = "transpose of " + std::string(name_of(kind));
  if (kind == operator_kind::convection)
    return function_of<T, transposed_convection<dim>>(name, "tessera_python::transposed_convection",
                                                      text_of_transposes);
  return function_of<T, transposed_advection_diffusion<dim>>(name, "tessera_python::transposed_advection_diffusion",
                                                             text_of_transposes);
}

}  // namespace

template <class T>
compiled_function<T> built_in_function(operator_kind kind, int dim, bool transposed) {
  if (!transposed || is_symmetric(kind))
    return with_function(kind, dim, [&]<class Function>(Function) {
      const std::string type = "tessera::pointwise::" + std::string(name_of(kind));
      return function_of<T, Function>(name_of(kind), type.c_str(), "#include <tessera/element/pointwise.hpp>\n");
    });
  if (dim == 1) return transposed_function<T, 1>(kind);
  if (dim == 2) return transposed_function<T, 2>(kind);
  return transposed_function<T, 3>(kind);
}

template compiled_function<float> built_in_function(operator_kind, int, bool);
template compiled_function<double> built_in_function(operator_kind, int, bool);

}  // namespace tessera::python
