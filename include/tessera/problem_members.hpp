// SPDX-License-Identifier: BSD-3-Clause
// The addresses that a GPU launch over groups is called with, beside its problem.
#pragma once

namespace tessera {

/// For each factor of a problem that is a group the array of its members' addresses, in device memory, in place of the
/// factor's own pointer and batch stride; null for the others.
template <class T>
struct problem_members {
  const T* const* left[2] = {};
  const T* const* right[2] = {};
  T* const* out = nullptr;
};

}  // namespace tessera
