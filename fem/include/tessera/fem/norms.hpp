// SPDX-License-Identifier: BSD-3-Clause
// L2 norms and H1 seminorms of functions and of their errors, by the quadrature of element_points.
#pragma once

#include <tessera/fem/points.hpp>

#include <type_traits>

namespace tessera::fem {

/// The norm of u, all components: sqrt of the integral of |u|^2, over all elements, or over the faces. Sums are in
/// double and in one order.
template <class T>
double l2_norm(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u);

/// That of u - exact, `exact` writing one number for each component.
template <class T>
double l2_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u,
                const std::type_identity_t<function_at_points<T>>& exact);
/// `exact`: its numbers at the points, as element_points::values writes them.
template <class T>
double l2_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u, const T* exact);

/// sqrt of the integral of |grad u|^2.
template <class T>
double h1_seminorm(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u);

/// That of u - exact, `exact` writing the gradient: derivative d of component c at d + dim c.
template <class T>
double h1_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u,
                const std::type_identity_t<function_at_points<T>>& exact);
/// `exact`: its numbers at the points, as element_points::gradients writes them.
template <class T>
double h1_error(const element_points<T>& at, std::type_identity_t<fe_vector<const T>> u, const T* exact);

}  // namespace tessera::fem
