// SPDX-License-Identifier: BSD-3-Clause
// The addresses of group members for a GPU launch, beside its problem.
#pragma once

namespace tessera {

/// For each factor of a problem that is a group the array of its members' addresses, in device memory, in place of the
/// factor's own pointer and batch stride; null for the others.
template <class In, class Out = In>
struct problem_members {
  const In* const* left[2] = {};
  const In* const* right[2] = {};
  Out* const* out = nullptr;
};

/// The same without types: each points to an array of addresses, or is null.
struct any_members {
  const void* left[2] = {};
  const void* right[2] = {};
  const void* out = nullptr;
};

}  // namespace tessera
