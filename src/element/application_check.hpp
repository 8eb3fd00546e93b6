// SPDX-License-Identifier: BSD-3-Clause
// What an application is given, checked before anything is read or written.
#pragma once

#include <tessera/element/evaluation.hpp>

#include "backend.hpp"
#include "point_source.hpp"

namespace tessera::detail {

/// The application with its layouts filled in. Throws naming elements, layouts and vectors that cannot be.
template <class T>
application<T> checked_application(const evaluation_state<T>& s, const element_set& which, const application<T>& given,
                                   const point_source<T>& D);

}  // namespace tessera::detail
